"""Reads Jira's create form: its fields and their allowed values."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from triage.domain.conversation import Json

SPRINT: Final = "com.pyxis.greenhopper.jira:gh-sprint"
EPIC_LINK: Final = "com.pyxis.greenhopper.jira:gh-epic-link"
EPIC_NAME: Final = "com.pyxis.greenhopper.jira:gh-epic-label"
"""Types of custom fields: their ids differ in every Jira, their types do not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenField:
    """A field of a form."""

    id: str
    name: str
    required: bool = False
    """Jira demands it and has no default."""
    type: str = ""
    items: str = ""
    """Type of an array's items."""
    custom: str = ""
    """Type of a custom field; empty for a system field."""
    allowed: tuple[Json, ...] = ()

    def choice(self, name: str) -> Json:
        """Return the allowed value of this name or id, case-insensitively, or None."""
        wanted = name.strip().casefold()
        by_name = (each for each in self.allowed if name_of(each).casefold() == wanted)
        return next(by_name, next((each for each in self.allowed if str(each.get("id")) == wanted), None))

    @property
    def label(self) -> str:
        """The name for messages: the id of a system field, the name of a custom one."""
        return self.name if self.custom else self.id

    @property
    def choices(self) -> str:
        """The names of the allowed values, at most 20, for messages."""
        names = [name_of(each) for each in self.allowed]
        return ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")


_SHOWN: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class IssueScreen:
    """The create form of one issue type."""

    type_id: str
    type_name: str
    fields: Mapping[str, ScreenField] = field(default_factory=dict)
    """By field id."""

    def __contains__(self, field_id: str) -> bool:
        return field_id in self.fields

    def of_kind(self, custom: str) -> ScreenField | None:
        return next((each for each in self.fields.values() if each.custom == custom), None)

    def called(self, name: str) -> ScreenField | None:
        """Return the field by id, else by name, case-insensitively; None if there is none."""
        wanted = name.strip().casefold()
        return self.fields.get(name) or next(
            (each for each in self.fields.values() if each.name.casefold() == wanted), None
        )


def name_of(value: Json) -> str:
    """Return the name of an allowed value; options have a `value`, all others a `name`."""
    return str(value.get("value") or value.get("name") or value.get("id") or "")


def screen_of(kind: Json, shapes: Iterable[Json], *, cloud: bool) -> IssueScreen:
    """Convert create metadata. Call inside `well_formed`, which converts the errors of a wrong shape."""
    fields = {each.id: each for each in map(field_of, shapes)}
    # On Cloud the epic is the parent, and the old epic link field may remain; on Data Center only sub-tasks have
    # parents.
    links = [each.id for each in fields.values() if each.custom == EPIC_LINK]
    if cloud and "parent" in fields:
        fields = {number: each for number, each in fields.items() if number not in links}
    elif links:
        fields.pop("parent", None)
    return IssueScreen(type_id=str(kind["id"]), type_name=str(kind["name"]), fields=fields)


def field_of(shape: Json, field_id: str = "") -> ScreenField:
    """Convert one field; transition screens key fields by id and do not always repeat it inside, hence `field_id`."""
    schema = shape.get("schema") or {}
    number = field_id or str(shape.get("fieldId") or shape["key"])
    return ScreenField(
        id=number,
        name=str(shape.get("name") or number),
        required=bool(shape.get("required")) and not shape.get("hasDefaultValue"),
        type=str(schema.get("type") or ""),
        items=str(schema.get("items") or ""),
        custom=str(schema.get("custom") or ""),
        allowed=tuple(each for each in shape.get("allowedValues") or () if isinstance(each, dict)),
    )

"""Reads Jira's create form: its fields and their allowed values."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from triage.domain.conversation import Json

SPRINT: Final = "com.pyxis.greenhopper.jira:gh-sprint"
EPIC_LINK: Final = "com.pyxis.greenhopper.jira:gh-epic-link"
EPIC_NAME: Final = "com.pyxis.greenhopper.jira:gh-epic-label"
"""Custom fields have other ids in every Jira; their kinds are the same everywhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field of a form."""

    id: str
    name: str
    required: bool = False
    """Jira demands it and fills in nothing by itself."""
    type: str = ""
    items: str = ""
    """What an array holds."""
    custom: str = ""
    """The kind of a custom field, empty for one of Jira's own."""
    allowed: tuple[Json, ...] = ()

    def choice(self, name: str) -> Json:
        """The allowed value of this name or id, in any case of letters; None where there is none."""
        wanted = name.strip().casefold()
        by_name = (each for each in self.allowed if name_of(each).casefold() == wanted)
        return next(by_name, next((each for each in self.allowed if str(each.get("id")) == wanted), None))

    @property
    def told(self) -> str:
        """How we speak of it: Jira's own by id as Jira does, custom ones by name."""
        return self.name if self.custom else self.id

    @property
    def choices(self) -> str:
        """The allowed values for a person to choose from."""
        names = [name_of(each) for each in self.allowed]
        return ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")


_SHOWN: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """The form for one type of ticket."""

    type_id: str
    type_name: str
    fields: Mapping[str, Field] = field(default_factory=dict)
    """By id."""

    def __contains__(self, field_id: str) -> bool:
        return field_id in self.fields

    def of_kind(self, custom: str) -> Field | None:
        """The custom field of this kind."""
        return next((each for each in self.fields.values() if each.custom == custom), None)

    def called(self, name: str) -> Field | None:
        """By id, else by name in any case of letters, as people write it."""
        wanted = name.strip().casefold()
        return self.fields.get(name) or next(
            (each for each in self.fields.values() if each.name.casefold() == wanted), None
        )


def name_of(value: Json) -> str:
    """What an allowed value is called: options by their value, all others by their name."""
    return str(value.get("value") or value.get("name") or value.get("id") or "")


def screen_of(kind: Json, shapes: Iterable[Json], *, cloud: bool) -> Screen:
    """As Jira's metadata describes it. Raises what a wrong shape raises: stand inside `well_formed`."""
    fields = {each.id: each for each in map(field_of, shapes)}
    # A ticket's epic is its parent on Cloud, where the old field may still stand beside it; Data Center knows parents
    # of sub-tasks only.
    links = [each.id for each in fields.values() if each.custom == EPIC_LINK]
    if cloud and "parent" in fields:
        fields = {number: each for number, each in fields.items() if number not in links}
    elif links:
        fields.pop("parent", None)
    return Screen(type_id=str(kind["id"]), type_name=str(kind["name"]), fields=fields)


def field_of(shape: Json, field_id: str = "") -> Field:
    """One field; the screens of transitions hold them by id, and do not always repeat it inside."""
    schema = shape.get("schema") or {}
    number = field_id or str(shape.get("fieldId") or shape["key"])
    return Field(
        id=number,
        name=str(shape.get("name") or number),
        required=bool(shape.get("required")) and not shape.get("hasDefaultValue"),
        type=str(schema.get("type") or ""),
        items=str(schema.get("items") or ""),
        custom=str(schema.get("custom") or ""),
        allowed=tuple(each for each in shape.get("allowedValues") or () if isinstance(each, dict)),
    )

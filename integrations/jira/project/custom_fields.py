"""Compares the fields that triage.yaml leaves to the mail with Jira's create forms."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from integrations.jira.issue.fitting import NEVER
from integrations.jira.issue.screen import IssueScreen, ScreenField, name_of
from triage.domain.tickets import CustomField

ARGUMENTS: Final = NEVER | {
    "summary",
    "description",
    "priority",
    "assignee",
    "labels",
    "components",
    "duedate",
    "parent",
}
"""Fields that tickets get otherwise: from Jira, or by arguments of their own."""


def custom_fields(screens: Iterable[IssueScreen], wanted: Mapping[str, Sequence[str]]) -> tuple[CustomField, ...]:
    """Return the wanted fields that some form has, each once, with the values that both sides allow."""
    found = [(_on_forms(screens := tuple(screens), name), values) for name, values in wanted.items()]
    known = {
        each.id: CustomField(id=each.id, name=each.name, values=_allowed(each, values))
        for each, values in _there(found)
    }
    return tuple(known.values())


def field_problems(screens: Iterable[IssueScreen], wanted: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Yield (field, what is wrong): it is on no form, is no custom field, or Jira does not know a value."""
    screens = tuple(screens)
    for name, values in wanted.items():
        field = _on_forms(screens, name)
        if field is None:
            there = sorted({each.name for screen in screens for each in screen.fields.values() if each.custom})
            yield name, f"is on no create form of this project; there are: {', '.join(there) or 'none'}"
        elif field.id in ARGUMENTS:
            yield name, "is no custom field: a ticket gets it otherwise"
        elif unknown := [value for value in values if field.allowed and field.choice(value) is None]:
            yield name, f"has no value {', '.join(unknown)}; allowed: {field.choices}"


def number_field(screens: Iterable[IssueScreen], name: str) -> str:
    """Return the id of this field of numbers; empty if no form has it."""
    field = _on_forms(screens, name) if name else None
    return field.id if field is not None and field.type == "number" else ""


def _on_forms(screens: Iterable[IssueScreen], name: str) -> ScreenField | None:
    """Return the field; of several forms' the one with the most values."""
    found = [each for screen in screens if (each := screen.called(name))]
    return max(found, key=lambda each: len(each.allowed), default=None)


def _there(found: Iterable[tuple[ScreenField | None, Sequence[str]]]) -> Iterator[tuple[ScreenField, Sequence[str]]]:
    return ((field, values) for field, values in found if field is not None and field.id not in ARGUMENTS)


def _allowed(field: ScreenField, values: Sequence[str]) -> tuple[str, ...]:
    """Return the values that a mail may give, as Jira spells them."""
    if not field.allowed:
        return tuple(values)
    chosen = [choice for value in values if (choice := field.choice(value))] if values else list(field.allowed)
    return tuple(dict.fromkeys(map(name_of, chosen)))

"""Resolves names in a tool call (status, person, ticket key) to live metadata, once, before any guard sees the call.

Guard, approval, journal and tool use the result and look up nothing again, so that none of them can read a name
differently.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Final, TypeVar

from triage.domain.conversation import Json
from triage.domain.errors import ToolRefused
from triage.domain.text.visible import visible
from triage.domain.tickets import CustomField, FieldValue, Person, Project
from triage.policy.text.untrusted import word

LISTED: Final = 30
"""Most valid values that a refusal lists."""
LONGEST_LABEL: Final = 60
LONGEST_VALUE: Final = 200
_KEY: Final = re.compile(r"([A-Z][A-Z0-9_]*)-0*([1-9][0-9]{0,8})")
_BLANK: Final = frozenset({"Zs", "Zl", "Zp", "Cc"})

_Known = TypeVar("_Known")


class Live(StrEnum):
    """The kinds of live metadata that an argument can name."""

    STATUS = "status"
    PERSON = "person"
    PRIORITY = "priority"
    ISSUE_TYPE = "issue type"
    COMPONENT = "component"
    VERSION = "version"
    TICKET = "ticket key"
    LABEL = "label"
    FIELD = "custom field"


def resolve(live: Live, text: str, project: Project) -> Json:
    """Return the status, the person, or the name as Jira writes it. Raises `ToolRefused` with the valid values."""
    match live:
        case Live.STATUS:
            return _one(live, text, project.statuses, lambda status: (status.name,))
        case Live.PERSON:
            return _person(text, project)
        case Live.TICKET:
            return _ticket(text, project)
        case Live.LABEL:
            return _label(text)
        case Live.FIELD:
            return _field(text, project.fields)
    return _one(live, text, _NAMES[live](project), lambda name: (name,))


_NAMES: Final[Mapping[Live, Callable[[Project], tuple[str, ...]]]] = {
    Live.PRIORITY: lambda project: project.priorities,
    Live.ISSUE_TYPE: lambda project: project.issue_types,
    Live.COMPONENT: lambda project: project.components,
    Live.VERSION: lambda project: project.versions,
}


def choices_of(live: str, project: Project) -> tuple[str, ...]:
    """Return the allowed names for a form; empty if any text is allowed, or if there are too many."""
    match live:
        case Live.STATUS:
            return tuple(status.name for status in project.statuses)
        case Live.PERSON:
            return tuple(person.name for person in project.people)
    return _NAMES[Live(live)](project) if live in _NAMES else ()


def plain(text: str) -> str:
    """Fold a name: Unicode compatibility forms, blanks of any kind and case make no difference."""
    blank = (" " if unicodedata.category(c) in _BLANK else c for c in unicodedata.normalize("NFKC", text))
    return " ".join("".join(blank).split()).casefold()


def _one(live: str, text: str, known: Iterable[_Known], names: Callable[[_Known], Iterable[str]]) -> _Known:
    """Return the only value with exactly this name, else the only one with the same folded name."""
    values = list(known)
    exact = [each for each in values if text in names(each)]
    wanted = plain(text)
    alike = [each for each in values if wanted and wanted in _aliases(names(each))]
    found = exact or alike
    if len(found) == 1:
        return found[0]
    if found:
        options = ", ".join(word(" / ".join([*names(each)][:2])) for each in found[:LISTED])
        raise ToolRefused(f"{text!r} is more than one {live}: {options}")
    raise ToolRefused(f"there is no {live} {text!r}; there are: {_listed(next(iter(names(e))) for e in values)}")


def _aliases(names: Iterable[str]) -> set[str]:
    """Return each name in full and in the form that prompts show, folded."""
    return {plain(shown) for name in names for shown in (name, word(name))} - {""}


def _listed(names: Iterable[str]) -> str:
    listed = [word(name) for name in names]
    more = f" and {len(listed) - LISTED} more" if len(listed) > LISTED else ""
    return (", ".join(listed[:LISTED]) or "none") + more


def _person(text: str, project: Project) -> Person:
    """Return the only assignable person with this full name, id or e-mail, without the address, which no write needs."""
    found = _one(Live.PERSON, text, project.people, lambda p: tuple(filter(None, (p.name, p.id, p.email))))
    return Person(id=found.id, name=found.name)


def _ticket(text: str, project: Project) -> str:
    """Return the key as Jira writes it."""
    key = _KEY.fullmatch(plain(text).upper())
    if key is None or key[1] != project.key:
        raise ToolRefused(f"{text!r} is no key of a ticket of {project.key}, such as {project.key}-1")
    return f"{key[1]}-{key[2]}"


def _field(text: str, fields: tuple[CustomField, ...]) -> FieldValue:
    """Return the field and the value of `Severity: S1`; a field's own name may hold colons."""
    if not fields:
        raise ToolRefused("there are no custom fields to fill: leave `fields` out")
    parts = text.split(":")
    splits = ((":".join(parts[:place]), ":".join(parts[place:])) for place in range(len(parts) - 1, 0, -1))
    named = {plain(name): each for each in fields for name in (each.name, word(each.name), each.id)}
    found = next(((known, value) for name, value in splits if (known := named.get(plain(name)))), None)
    if found is None:
        options = "; ".join(map(describe_field, fields))
        raise ToolRefused(f"{text!r} is no `name: value` of a custom field; there are: {options}")
    return _filled(*found)


def _filled(known: CustomField, value: str) -> FieldValue:
    """Return the field with one of its values, or with free text where it has none to choose from."""
    if not known.values:
        value = " ".join(visible(value).split())[:LONGEST_VALUE]
        if not value:
            raise ToolRefused(f"{known.name} has no value: write `{known.name}: value`")
        return FieldValue(id=known.id, name=known.name, value=value)
    chosen = _one(f"value of {word(known.name)}", value.strip(), known.values, lambda name: (name,))
    return FieldValue(id=known.id, name=known.name, value=chosen)


def describe_field(field: CustomField) -> str:
    """Describe a field and its values for a model: `Severity: S1 | S2`."""
    return f"{word(field.name)}: {' | '.join(map(word, field.values[:LISTED])) or 'any text'}"


def _label(text: str) -> str:
    """Return the label as it will be written; refuse one with invisible characters, which could pass for another."""
    if visible(text) != text:
        raise ToolRefused(f"the label {text!a} has characters that nobody sees: write it without them")
    return "-".join(text.split())[:LONGEST_LABEL]

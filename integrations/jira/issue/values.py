"""Converts a configured value to the JSON that a Jira field takes."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from integrations.jira.issue.screen import ScreenField, name_of
from integrations.jira.shapes import Site
from triage.domain.conversation import Json
from triage.domain.tickets import Person

_TEXTAREA: Final = "com.atlassian.jira.plugin.system.customfieldtypes:textarea"


def shaped(field: ScreenField, value: Json, site: Site, people: Sequence[Person] = ()) -> Json:
    """Return the value in Jira's shape; a mapping is sent unchanged. Raises `ValueError` with the cure."""
    if isinstance(value, dict):
        return value
    if field.type == "array":
        one = replace(field, type=field.items)
        return [_one(one, each, site, people) for each in (value if isinstance(value, list) else [value])]
    if isinstance(value, list):
        raise ValueError("takes one value, not a list")  # noqa: TRY004 - reported like the other mistakes in this value
    return _one(field, value, site, people)


def _one(field: ScreenField, value: Json, site: Site, people: Sequence[Person]) -> Json:
    if isinstance(value, dict):
        return value
    text = str(value).strip()
    if field.allowed:
        return _chosen(field, text)
    if field.type == "user":
        return site.user(_person(text, people))
    if field.custom == _TEXTAREA:
        return site.text(text)
    shape = _SHAPES.get(field.type)
    return shape(text) if shape else value if field.type == "any" else text


def _chosen(field: ScreenField, text: str) -> Json:
    """Choose an allowed value by id, which is not translated; `Parent > Child` chooses in a cascading list."""
    first, _, second = text.partition(">") if field.type == "option-with-child" else (text, "", "")
    choice = field.choice(first)
    if choice is None:
        raise ValueError(f"has no value {first.strip()!r}; allowed: {field.choices}")
    if not second.strip():
        return _by_id(choice)
    below = replace(field, type="option", allowed=tuple(choice.get("children") or ()))
    if (child := below.choice(second)) is None:
        raise ValueError(f"has no value {second.strip()!r} below {name_of(choice)}; allowed: {below.choices}")
    return {**_by_id(choice), "child": _by_id(child)}


def _by_id(choice: Json) -> dict[str, Json]:
    return {"id": str(choice["id"])} if choice.get("id") else {"value": name_of(choice)}


def _number(text: str) -> int | float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"takes a number, not {text!r}")
    return int(number) if number.is_integer() else number


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise ValueError(f"takes a day such as 2026-12-31, not {text!r}") from None


def _person(text: str, people: Sequence[Person]) -> str:
    """Return the id of the only person with this address or full name; else take the text as an id."""
    wanted = text.casefold()
    found = {person.id for person in people if wanted in {person.email.casefold(), person.name.casefold()}}
    return found.pop() if len(found) == 1 else text


def _named(text: str) -> Json:
    return {"name": text}


_SHAPES: Final[Mapping[str, Callable[[str], Json]]] = {
    "number": _number,
    "date": _day,
    "option": lambda text: {"value": text},
    **dict.fromkeys(("priority", "component", "version", "resolution", "group", "issuetype"), _named),
}

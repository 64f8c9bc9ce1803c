"""Renders a calendar request as text: method, title, time, place, organiser."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from icalendar.parser import Contentline

MAX_BYTES: Final = 200_000
MAX_LINES: Final = 2000
MAX_EVENTS: Final = 5
MAX_VALUE: Final = 500

_ASKED: Final = {
    "REQUEST": "Invitation",
    "PUBLISH": "Event",
    "CANCEL": "Cancelled",
    "REPLY": "Answer to an invitation",
    "COUNTER": "Another time proposed",
    "ADD": "Further date",
    "REFRESH": "Question for the latest date",
    "DECLINECOUNTER": "Proposed time declined",
}
"""Methods of RFC 5546 in words."""
_FOLD: Final = re.compile(r"\r?\n[ \t]")
_MOMENT: Final = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(?:\d\d)?(Z?))?")

Fields = Mapping[str, tuple[Mapping[str, str], str]]


def invitation_in(text: str) -> str:
    """Render the first event; empty if there is none.

    The library parses single lines here, not calendars: for those it opens time zone files, which the isolated process cannot.
    """
    method, events = _parsed(text)
    return "\n\n".join("\n".join(_event_lines(method, event)) for event in events)


def is_bare_answer(text: str) -> bool:
    """Tell whether a calendar only accepts or declines: an answer (RFC 5546, section 3.2.3) without a comment."""
    method, events = _parsed(text)
    return method == "REPLY" and not any(_value(event, "COMMENT") for event in events)


def _parsed(text: str) -> tuple[str, list[Fields]]:
    """Return the method and the first events."""
    method, events = "", list[dict[str, tuple[Mapping[str, str], str]]]()
    inside: list[str] = []
    for name, parameters, value in _lines(text):
        if name == "BEGIN":
            inside.append(value.upper())
            if inside[-1] in {"VEVENT", "VTODO"} and len(events) < MAX_EVENTS:
                events.append({})
        elif name == "END":
            inside = inside[:-1]
        elif inside == ["VCALENDAR"] and name == "METHOD":
            method = value.upper()
        elif events and inside[-1:] in (["VEVENT"], ["VTODO"]):
            events[-1].setdefault(name, (parameters, value[:MAX_VALUE]))
    return method, list[Fields](events)


def _lines(text: str) -> Iterator[tuple[str, Mapping[str, str], str]]:
    """Yield the parts of each valid content line."""
    for line in _FOLD.sub("", text[:MAX_BYTES]).splitlines()[:MAX_LINES]:
        try:
            name, parameters, value = Contentline(line).parts()  # type: ignore[no-untyped-call]  # the library's
        except ValueError:
            continue
        yield name.upper(), {key: str(one) for key, one in parameters.items()}, str(value)


def _event_lines(method: str, event: Fields) -> Iterator[str]:
    title = _value(event, "SUMMARY")
    yield f"{_ASKED.get(method, 'Event')}{f' ({method})' if method else ''}: {title or 'without a title'}"
    times = _time_text(event, "DTSTART"), _time_text(event, "DTEND") or _time_text(event, "DUE")
    when = " – ".join(filter(None, times))  # noqa: RUF001 - a dash between times
    if when:
        yield f"When: {when}"
    if _value(event, "RRULE"):
        yield f"Repeats: {_value(event, 'RRULE')}"
    if _value(event, "LOCATION"):
        yield f"Where: {_value(event, 'LOCATION')}"
    if _value(event, "COMMENT"):
        yield f"Comment: {_value(event, 'COMMENT')}"
    if "ORGANIZER" in event:
        parameters, address = event["ORGANIZER"]
        address = re.sub(r"(?i)^mailto:", "", address)
        yield f"Invited by: {' '.join(filter(None, (parameters.get('CN', ''), f'<{address}>')))}"


def _value(event: Fields, name: str) -> str:
    return " ".join(event[name][1].split()) if name in event else ""


def _time_text(event: Fields, name: str) -> str:
    """Render a time as `2026-03-09 17:00 Europe/Berlin`."""
    if name not in event:
        return ""
    parameters, value = event[name]
    found = _MOMENT.fullmatch(value.strip())
    if found is None:
        return value
    year, month, day, hour, minute, utc = found.groups()
    clock = f" {hour}:{minute}" if hour else ""
    zone = " UTC" if utc else f" {parameters['TZID']}" if hour and "TZID" in parameters else ""
    return f"{year}-{month}-{day}{clock}{zone}"

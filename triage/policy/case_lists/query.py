"""The grammar of the search field: `from:kim "stops at 40" state:waiting since:7d`."""

import re
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta, tzinfo
from difflib import get_close_matches
from typing import Any, Final

from triage.domain.cases import Outcome
from triage.domain.operations.case_lists import SearchInvalid
from triage.domain.reports import EVERY_CASE, CaseFilter

LONGEST: Final = 300
"""Characters of a search."""
MOST: Final = 12
"""Words and fields of a search."""
UNFINISHED: Final = ("ready", "working", "retrying", "dead")
STATES: Final = (*(outcome.value for outcome in Outcome), *UNFINISHED)
FIELDS: Final = ("from", "subject", "ticket", "state", "why", "since", "until")
DATES: Final = "write a day (2026-11-20), `today`, `yesterday`, or how long ago (7d, 2w)"
FIRST: Final = date(1970, 1, 1)
LAST: Final = date(2999, 12, 31)
_TERM: Final = re.compile(r'(?:(?P<field>[A-Za-z]{2,12}):)?(?:"(?P<quoted>[^"]*)"|(?P<bare>[^\s"]+))|(?P<open>")')
_AGO: Final = re.compile(r"(?P<n>[0-9]{1,4})(?P<unit>[dw])")
_KEY: Final = re.compile(r"[A-Z][A-Z0-9_]{0,40}-[1-9][0-9]{0,9}", re.IGNORECASE)
_CASE: Final = re.compile(r"(?:case-|#)([1-9][0-9]{0,8})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ReaderClock:
    """The current time in the reader's time zone, to which words such as `today` refer."""

    now: datetime
    zone: tzinfo

    @property
    def day(self) -> date:
        """The date at his place."""
        return self.now.astimezone(self.zone).date()

    def midnight(self, day: date) -> datetime:
        """When the day begins at his place."""
        return datetime.combine(day, time(), self.zone)


def filter_of(text: str, today: ReaderClock) -> CaseFilter:
    """Return what a search asks for. Raises `SearchInvalid`, with the cure."""
    found, seen = EVERY_CASE, set[str]()
    for term in _terms(text):
        field, value = _parts(term)
        if field not in {"", "state"} and field in seen:
            raise SearchInvalid(f"{field}:", "stands there twice: keep one")
        seen.add(field)
        found = _with(found, field, value, today)
    if found.since and found.until and found.since >= found.until:
        raise SearchInvalid("since:, until:", "no day lies between them: exchange them")
    return found


def _terms(text: str) -> list[re.Match[str]]:
    if len(text) > LONGEST:
        raise SearchInvalid("the search", f"is longer than {LONGEST} characters: leave something out")
    terms = list(_TERM.finditer(text))
    if len(terms) > MOST:
        raise SearchInvalid("the search", f"has more than {MOST} parts: leave some out")
    if any(term["open"] for term in terms):
        raise SearchInvalid('"', "the quotation mark is not closed: add one, or remove it")
    return terms


def case_named(text: str) -> str:
    """Return the number of the case that the text names (`case-17`, `#17`), empty if it names none."""
    named = _CASE.fullmatch(text.strip())
    return named[1] if named else ""


def ticket_named(text: str) -> str:
    """Return the key if the text is one (`HARB-27`, in small letters, too), else empty."""
    return text.strip().upper() if _KEY.fullmatch(text.strip()) else ""


def _parts(term: re.Match[str]) -> tuple[str, str]:
    """Return field and value; a word with a colon that is no field is a word."""
    field = (term["field"] or "").lower()
    value = term["quoted"] if term["quoted"] is not None else term["bare"]
    if field and field not in FIELDS:
        if near := get_close_matches(field, FIELDS, 1, 0.75):
            raise SearchInvalid(f"{field}:", f'write {near[0]}:, or "{field}:{value}" in quotes to find it as it is')
        return "", term[0].replace('"', "")
    if not field and term["bare"] and term["bare"].rstrip(":").lower() in FIELDS and term["bare"].endswith(":"):
        raise SearchInvalid(term["bare"], "has no value: write it without a space after the colon")
    if field and not value.strip():
        raise SearchInvalid(f"{field}:", "has no value: write one, or leave it out")
    return field, value


_TEXTS: Final = {"from": "sender", "subject": "subject", "why": "reason"}
"""Fields of a search that hold a text as it is, and what of a case they look at."""


def _with(found: CaseFilter, field: str, value: str, today: ReaderClock) -> CaseFilter:
    if field in _TEXTS:
        text: dict[str, Any] = {_TEXTS[field]: value}
        return replace(found, **text)
    match field:
        case "ticket":
            return replace(found, ticket=value.upper())
        case "state":
            return replace(found, states=(*found.states, *_states(value)))
        case "since":
            return replace(found, since=today.midnight(_day(field, value, today)))
        case "until":
            return replace(found, until=today.midnight(_day(field, value, today) + timedelta(days=1)))
    return replace(found, words=(*found.words, value)) if value.strip() else found


def _states(value: str) -> tuple[str, ...]:
    wanted = tuple(filter(None, value.lower().split(",")))
    for state in wanted:
        if state not in STATES:
            near = get_close_matches(state, STATES, 1, 0.6)
            raise SearchInvalid("state:", f"{state} is no state: write {near[0] if near else ', '.join(STATES)}")
    return wanted


def _day(field: str, value: str, today: ReaderClock) -> date:
    try:
        day = _day_of(value.lower(), today)
    except ValueError:
        raise SearchInvalid(f"{field}:", f"{value} is no day: {DATES}") from None
    if not FIRST <= day <= LAST:
        raise SearchInvalid(f"{field}:", f"{value} is too far away: {DATES}")
    return day


def _day_of(text: str, today: ReaderClock) -> date:
    """Raises `ValueError` for what is no day."""
    if ago := _AGO.fullmatch(text):
        return today.day - timedelta(days=int(ago["n"]) * (7 if ago["unit"] == "w" else 1))
    if text in {"today", "yesterday"}:
        return today.day - timedelta(days=text == "yesterday")
    return date.fromisoformat(text)

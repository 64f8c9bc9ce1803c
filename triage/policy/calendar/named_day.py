"""Reads the names of days in twenty languages: `Friday next week`, `5 December`, `30.11.`, `来週の金曜日`, `the end of the month`."""

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from typing import Final

from triage.policy.text.word_patterns import MONTHS, one_of

FARTHEST: Final = timedelta(days=300)
"""A day of the year without a year that lies farther ahead is one that has passed."""
LONGEST: Final = 365
"""Most days of `within 90 days`."""
AHEAD: Final = 60
"""Days in which `Friday the 4th` is looked for."""
DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
NUMBERS: Final = {"ones": 1, "twos": 2, "threes": 3, "fours": 4, "fives": 5, "tens": 10}
MOMENTS: Final = (
    *("day_after_tomorrow", "tomorrow", "today", "next_week_end", "week_end"),
    *("next_month_end", "month_end", "year_end", "christmas", "year_turn"),
)
FEASTS: Final = ("christmas", "year_turn")
"""Moments that are days only behind a word for `by`: `Christmas card` names none."""
AMERICAS: Final = (timedelta(hours=-10), timedelta(hours=-4))
"""Offsets from UTC at which English text puts the month before the day: `12/5/2026`."""
MONTH_FIRST: Final = frozenset({"ja", "zh", "ko", "hu"})
"""Languages that write the month before the day: `12/4`."""
NTH: Final = r"(?:\.|st\b|nd\b|rd\b|th\b|er\b|\xba|[日号號일])"
"""What stands behind the number of a day."""
_NUMERIC: Final = (
    r"(?<![\d.])(?P<first>\d{1,2})\s?(?P<sign>[./])\s?(?P<second>\d{1,2})"
    r"(?:\s?(?P=sign)\s?(?P<numeric_year>20\d\d|\d\d)|(?P<dotted>\.))?(?!\.?\d|/|\s*(?:uhr|h\b|:|%))"
)
_DAY_ALONE: Final = r"(?<!\d)(?P<nth>\d{1,2})(?:st\b|nd\b|rd\b|th\b|[日号號일]|\.(?=\s|$))"


def day_of(parts: dict[str, str], language: str, sent: datetime) -> date | None:
    """Return the day by the first group of `date_expression` that tells it. Raises `ValueError` for a day that does not exist."""
    return next(read for name, read in _FORMS.items() if name in parts)(parts, language, sent)


def _counted(parts: dict[str, str], language: str, sent: datetime) -> date | None:
    count = int(parts["count"]) if parts["count"].isdecimal() else _named_number(parts["count"], language)
    days = count * (7 if "weeks" in parts else 1)
    return sent.date() + timedelta(days=days) if 0 < days <= LONGEST else None


def _day_month(parts: dict[str, str], language: str, sent: datetime) -> date | None:
    return _of_year(_month(parts["month"], language), int(parts["day"]), parts.get("year"), sent.date())


def _month_day(parts: dict[str, str], language: str, sent: datetime) -> date | None:
    year = parts.get("year_first") or parts.get("year_behind")
    return _of_year(_month(parts["month_first"], language), int(parts["day_behind"]), year, sent.date())


def _end_of_month(parts: dict[str, str], language: str, sent: datetime) -> date | None:
    start = _of_year(_month(parts["last_of"], language), 28, parts.get("last_year"), sent.date())
    return _last_of_month(start) if start else None


def _middle_of_month(parts: dict[str, str], language: str, sent: datetime) -> date | None:
    return _of_year(_month(parts["middle_of"], language), 15, None, sent.date())


def _week_number(parts: dict[str, str], _: str, sent: datetime) -> date:
    today, week = sent.date(), int(parts["week_number"])
    friday = date.fromisocalendar(today.year, week, 5)
    return friday if friday >= today else date.fromisocalendar(today.year + 1, week, 5)


def _named_number(word: str, language: str) -> int:
    return next(
        value for name, value in NUMBERS.items() if re.fullmatch(one_of(f"date.{name}", language=language), word)
    )


def _number(word: str, names: tuple[str, ...], language: str) -> int:
    return next(n for n, name in enumerate(names) if re.fullmatch(one_of(f"date.{name}", language=language), word))


def _month(word: str, language: str) -> int:
    return _number(word, MONTHS, language) + 1


def _numeric(parts: dict[str, str], language: str, sent: datetime) -> date | None:
    first, second = int(parts["first"]), int(parts["second"])
    if parts["sign"] == "." and not parts.keys() & {"numeric_year", "dotted"} and len(parts["second"]) == 1:
        return None  # a version: `3.8`
    offset = sent.utcoffset() or timedelta()
    american = parts["sign"] == "/" and language == "en" and AMERICAS[0] <= offset <= AMERICAS[1]
    month_first = language in MONTH_FIRST or (american and first <= 12) or (second > 12 and parts["sign"] != ".")  # noqa: PLR2004 - months of a year
    day, month = (second, first) if month_first else (first, second)
    return _of_year(month, day, parts.get("numeric_year"), sent.date())


def _of_year(month: int, day: int, year: str | None, today: date) -> date | None:
    if year:
        return date(int(year) + (2000 if len(year) == 2 else 0), month, day)  # noqa: PLR2004 - 26 for 2026
    here = date(today.year, month, day)
    found = here if here >= today else date(today.year + 1, month, day)
    return found if found - today <= FARTHEST else None


def _weekday(parts: dict[str, str], language: str, sent: datetime) -> date:
    today, number = sent.date(), _number(parts["weekday"], DAYS, language)
    if "weekday_nth" in parts:
        ahead = (today + timedelta(days=days) for days in range(AHEAD))
        named = (day for day in ahead if (day.day, day.weekday()) == (int(parts["weekday_nth"]), number))
        if dated := next(named, None):  # else the number is another one: `by Friday 3 pm`
            return dated
    if parts.keys() & {"next", "next_behind"}:
        return today - timedelta(days=today.weekday()) + timedelta(days=7 + number)
    return today + timedelta(days=(number - today.weekday() - 1) % 7 + 1)


def _nth(parts: dict[str, str], _: str, sent: datetime) -> date:
    today, day = sent.date(), int(parts["nth"])
    start = today if day >= today.day else _last_of_month(today) + timedelta(days=1)
    return start.replace(day=day)


def _named_day(parts: dict[str, str], _: str, sent: datetime) -> date:
    today = sent.date()
    month = _last_of_month(today)
    days = {
        "today": today,
        "tomorrow": today + timedelta(days=1),
        "day_after_tomorrow": today + timedelta(days=2),
        "week_end": today + timedelta(days=(4 - today.weekday()) % 7),
        "next_week_end": today + timedelta(days=11 - today.weekday()),
        "month_end": month,
        "next_month_end": _last_of_month(month + timedelta(days=1)),
        "year_end": date(today.year, 12, 31),
        "christmas": date(today.year, 12, 24),
        "year_turn": date(today.year, 12, 31),
    }
    return next(day for name, day in days.items() if name in parts)


def _last_of_month(day: date) -> date:
    return (day.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)


_FORMS: Final[Mapping[str, Callable[[dict[str, str], str, datetime], date | None]]] = {
    "iso": lambda told, *_: date.fromisoformat(told["iso"]),
    "count": _counted,
    "month": _day_month,
    "month_first": _month_day,
    "first": _numeric,
    "last_of": _end_of_month,
    "middle_of": _middle_of_month,
    "week_number": _week_number,
    "weekday": _weekday,
    "nth": _nth,
} | dict.fromkeys(MOMENTS, _named_day)
"""Group of the expression → what reads the day from the groups."""


def date_expression(code: str, *, alone: bool = True) -> str:
    """Return a regular expression for dates in this language; the group that matches says which form it is.

    With `alone` it also matches `the 5th`, without a month.
    """
    months, days = any_of(code, *MONTHS), any_of(code, *DAYS)
    joins, fillers = rf"(?:\s*{any_of(code, 'joins')})?\s*", rf"(?:{any_of(code, 'fillers')}\s*)?"
    month_first = (
        rf"(?:(?P<year_first>20\d\d)\s*年\s*)?(?<!\d)(?P<month_first>{months})\s*(?P<day_behind>\d{{1,2}})(?!\d){NTH}?"
        r"(?:,?\s*(?P<year_behind>20\d\d))?(?:\s*\(.{1,3}\))?"
    )
    forms = (
        r"(?P<iso>20\d\d-\d\d-\d\d)",
        rf"(?<!\d)(?P<day>\d{{1,2}}){NTH}?{joins}(?P<month>{months})\.?(?:,?{joins}(?P<year>20\d\d))?",
        month_first,
        _NUMERIC,
    )
    led = rf"(?:{fillers}(?:{any_of(code, 'this')}\s*)?{days},?\s*{fillers})?"
    part = rf"(?:{any_of(code, 'part_of_day')}\s*{fillers})?"
    ends = (
        rf"{any_of(code, 'end_of')}\s*(?P<last_of>{months})(?:\s*(?P<last_year>20\d\d))?"
        rf"|{any_of(code, 'middle_of')}\s*(?P<middle_of>{months})|{any_of(code, 'week_number')}\s*(?P<week_number>\d\d?)\b"
    )
    names = (name for name in MOMENTS if alone or name not in FEASTS)
    moments = "|".join(rf"(?P<{name}>{any_of(code, name)})" for name in names)
    adjective = rf"(?:(?:(?P<next>{any_of(code, 'next')})|{any_of(code, 'this')})\s*)?"
    behind = rf"(?:\s*(?P<next_behind>{any_of(code, 'next', 'next_week')}))?"
    weekday = rf"{adjective}{fillers}(?P<weekday>{days}){behind}(?:,?\s*{fillers}(?P<weekday_nth>\d{{1,2}})(?![\d:%])(?:{NTH})?)?"
    return rf"{part}(?:{led}(?:{'|'.join(forms)})|{ends}|{weekday}|{moments}{f'|{_DAY_ALONE}' if alone else ''})"


def any_of(code: str, *names: str) -> str:
    """Return the expression for the entries of these lists about dates."""
    return one_of(*(f"date.{name}" for name in names), language=code)

"""Parses dates in JQL: days, times, `-14d`, and functions such as `startOfDay()`."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

from triage_sandbox.jira.jql.syntax import Function, JqlError, Literal

_FORMATS: Final = ("%Y/%m/%d %H:%M", "%Y-%m-%d %H:%M", "%Y/%m/%d", "%Y-%m-%d")
_PERIOD: Final = re.compile(r"[+-]?(?:\d{1,6}[wdhm]\s*)+")
_PIECE: Final = re.compile(r"(\d+)([wdhm])")
_SHIFT: Final = re.compile(r"([+-]?)(\d{1,4})([wdhmMy]?)")
_UNITS: Final = {"w": timedelta(weeks=1), "d": timedelta(days=1), "h": timedelta(hours=1), "m": timedelta(minutes=1)}
_FUNCTION: Final = re.compile(r"(startOf|endOf)(Day|Week|Month|Year)", re.IGNORECASE)

NAMES: Final = ("now", *(f"{end}Of{unit}" for unit in ("Day", "Week", "Month", "Year") for end in ("start", "end")))
"""The functions, as Jira writes them."""


def moment_of(value: Literal | Function, field: str, now: datetime) -> datetime:
    """Return the moment that an operand such as `-2d` means. Raises `JqlError`."""
    try:
        return _function(value, now) if isinstance(value, Function) else _literal(value.text, field, now)
    except OverflowError:
        raise JqlError(f"The date in field '{field}' is too far away.") from None


def _literal(text: str, field: str, now: datetime) -> datetime:
    if _PERIOD.fullmatch(text.strip()):
        span = sum((int(count) * _UNITS[unit] for count, unit in _PIECE.findall(text)), timedelta())
        return now - span if text.strip().startswith("-") else now + span
    for form in _FORMATS:
        try:
            return datetime.strptime(text.strip(), form).replace(tzinfo=UTC)
        except ValueError:
            continue
    raise JqlError(
        f"Date value '{text}' for field '{field}' is invalid. Valid formats include: 'yyyy/MM/dd HH:mm',"
        " 'yyyy-MM-dd HH:mm', 'yyyy/MM/dd', 'yyyy-MM-dd', or a period format e.g. '-5d', '4w 2d'."
    )


def _function(function: Function, now: datetime) -> datetime:
    if function.name.casefold() == "now":
        return now
    found = _FUNCTION.fullmatch(function.name)
    if found is None:
        raise JqlError(f"Unable to find JQL function '{function.name}({', '.join(function.arguments)})'.")
    unit = found[2].casefold()
    start = _STARTS[unit](_shifted(now, function, unit).replace(hour=0, minute=0, second=0, microsecond=0))
    if found[1].casefold() == "startof":
        return start
    return _STARTS[unit](start + _LONGER[unit]) - timedelta(milliseconds=1)


def _shifted(now: datetime, function: Function, unit: str) -> datetime:
    """`startOfDay(-1)` shifts by its own unit, `startOfDay("-1w")` by the one that is named."""
    if not function.arguments:
        return now
    found = _SHIFT.fullmatch(function.arguments[0].strip())
    if found is None:
        raise JqlError(
            f"Duration for function '{function.name}' should have the format (+/-)n(yMwdhm), e.g -1M for 1 month earlier."
        )
    count = int(found[2]) * (-1 if found[1] == "-" else 1)
    name = found[3] or {"day": "d", "week": "w", "month": "M", "year": "y"}[unit]
    return _months_later(now, count * (12 if name == "y" else 1)) if name in "My" else now + count * _UNITS[name]


def _months_later(now: datetime, months: int) -> datetime:
    years, month = divmod(now.month - 1 + months, 12)
    if not 1 <= now.year + years < 9999:
        raise OverflowError
    first = now.replace(year=now.year + years, month=month + 1, day=1)
    last = (first.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
    return first.replace(day=min(now.day, last.day))


_STARTS: Final[dict[str, Callable[[datetime], datetime]]] = {
    "day": lambda midnight: midnight,
    "week": lambda midnight: midnight - timedelta(days=midnight.weekday()),
    "month": lambda midnight: midnight.replace(day=1),
    "year": lambda midnight: midnight.replace(month=1, day=1),
}
_LONGER: Final = {
    "day": timedelta(days=1),
    "week": timedelta(days=7),
    "month": timedelta(days=31),
    "year": timedelta(days=366),
}

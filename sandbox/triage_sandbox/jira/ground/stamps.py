"""Converts times to and from Jira's format: milliseconds, and an offset without a colon."""

import re
from datetime import UTC, date, datetime
from typing import Any, Final

_UNITS: Final = {"w": 5 * 8 * 3600, "d": 8 * 3600, "h": 3600, "m": 60, "": 60}
"""Jira's weeks have five days of eight hours."""


def stamp(milliseconds: int | None) -> str | None:
    """Return a timestamp as `2026-11-20T08:13:13.360+0000`."""
    if milliseconds is None:
        return None
    return moment(milliseconds).isoformat(timespec="milliseconds").replace("+00:00", "+0000")


def moment(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def milliseconds_of(when: datetime) -> int:
    return round(when.timestamp() * 1000)


def day_of(value: Any) -> str | None:
    """Return a day in ISO format; None if the value is no day."""
    try:
        return date.fromisoformat(str(value)).isoformat()
    except ValueError:
        return None


def seconds_of(spent: Any) -> int | None:
    """Parse `2d 4h` to seconds of work; a bare number counts minutes. None if it is no duration."""
    text = str(spent).strip()
    if not re.fullmatch(r"(\d{1,6}[wdhm]?\s*)+", text):
        return None
    return sum(int(count) * _UNITS[unit] for count, unit in re.findall(r"(\d+)([wdhm]?)", text))


def span(seconds: int) -> str:
    """Format seconds of work as `2d 4h`."""
    parts = []
    for unit in "wdhm":
        count, seconds = divmod(seconds, _UNITS[unit])
        parts += [f"{count}{unit}"] if count else []
    return " ".join(parts) or "0m"

"""Times as Jira writes them: milliseconds, and an offset without a colon."""

from datetime import UTC, date, datetime
from typing import Any


def stamp(milliseconds: int | None) -> str | None:
    """`2026-11-20T08:13:13.360+0000`."""
    if milliseconds is None:
        return None
    return moment(milliseconds).isoformat(timespec="milliseconds").replace("+00:00", "+0000")


def moment(milliseconds: int) -> datetime:
    """As Python has it."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def milliseconds_of(when: datetime) -> int:
    """As the database has it."""
    return round(when.timestamp() * 1000)


def day_of(value: Any) -> str | None:
    """An ISO day, None where the value is none."""
    try:
        return date.fromisoformat(str(value)).isoformat()
    except ValueError:
        return None

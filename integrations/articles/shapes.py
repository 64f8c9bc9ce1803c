"""Takes values out of JSON that a site answers, whatever it holds."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any


def text_at(shape: Any, *keys: str) -> str:
    """Return the text or number below these keys; empty if there is none."""
    for key in keys:
        shape = shape.get(key) if isinstance(shape, Mapping) else None
    return str(shape) if isinstance(shape, str | int) and not isinstance(shape, bool) else ""


def rows_in(shape: Mapping[str, Any], key: str) -> Sequence[Mapping[str, Any]]:
    """Return the objects of a list; what is none is left out."""
    found = shape.get(key)
    return [row for row in found if isinstance(row, Mapping)] if isinstance(found, list) else []


def names_in(labels: Any) -> tuple[str, ...]:
    found = rows_in(labels, "results") if isinstance(labels, Mapping) else []
    return tuple(filter(None, (text_at(row, "name") for row in found)))


def time_in(text: str) -> datetime | None:
    """Return an ISO 8601 time with its zone; None for anything else."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else None

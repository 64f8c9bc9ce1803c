"""Reads the data files that evaluations and trainings measure on: one JSON object a line, plain or compressed."""

import gzip
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from triage.domain.errors import SettingsInvalid

GIVEN_AWAY: Final = re.compile(r"\b[A-Z][A-Z0-9]+-\d+\b|\S*://\S*")
"""Keys and links in a report's text, removed because they may reveal the answer."""


def rows_of(path: Path, needed: Sequence[str] = ()) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the objects of a file, or of a `.gz`, each with the number of its line from 1; blank lines are passed over.

    Raises `SettingsInvalid` for a file that cannot be read, and for the first line that is no JSON object or lacks a needed key.
    """
    number = 0
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield number, _row(line, needed)
    except (OSError, EOFError) as e:
        raise SettingsInvalid((f"{path} cannot be read: {getattr(e, 'strerror', None) or e}",)) from e
    except ValueError as e:
        raise SettingsInvalid((f"{path.name}, line {number}: {e}",)) from e


def _row(line: bytes, needed: Sequence[str]) -> Mapping[str, Any]:
    """Read a line. Raises `ValueError` that says what is wrong with it."""
    try:
        row = json.loads(line)
    except ValueError as e:
        raise ValueError(f"is no JSON ({e})") from e
    if not isinstance(row, dict):
        raise ValueError("is no object")  # noqa: TRY004 - of a file, not of a caller
    if lacks := [key for key in needed if key not in row]:
        raise ValueError(f"lacks {', '.join(lacks)}")
    return row

"""Reads the data files that evaluations and trainings measure on: one JSON object a line, plain or compressed."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

GIVEN_AWAY: Final = re.compile(r"\b[A-Z][A-Z0-9]+-\d+\b|\S*://\S*")
"""Keys and links in a report's text, removed because they may reveal the answer."""


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file, or of a `.gz`, counted from 1. Raises `OSError`."""
    with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as lines:
        yield from enumerate(lines, 1)

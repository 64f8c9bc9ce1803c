"""Tells which lines are rows of a table: parted by `|`, by tabs, or by gaps of blanks."""

import re
from collections.abc import Sequence
from typing import Final

from triage.domain.mail import RichLine
from triage.domain.untrusted import Untrusted

CELLS: Final = re.compile(r"\s\|\s|\t+")
_PARTED: Final = re.compile(r"[|\t]")
_SPACED: Final = re.compile(r"(?<=[^\s.!?:;,])[ ]{2,}(?=\S)")
"""A gap between columns; behind the end of a sentence it is a habit of typists."""
LEAST_SPACED: Final = 3
"""Columns from which lines of gaps are a table."""
_RULE: Final = re.compile(r"\s*[|+]?[-=:+|\s]{3,}[|+]?\s*$")
"""A line across a table: `-----+-----`, `|:---|---:|`."""


def table_end(lines: Sequence[RichLine], start: int) -> int:
    """Return the end of the table that begins at `start`; `start` if none does. A row of gaps may lack columns."""
    cells = _cells_of(lines[start])
    spaced = not _PARTED.search(lines[start].text)

    def is_row(line: RichLine) -> bool:
        short = spaced and _SPACED.search(line.text.strip())
        return _cells_of(line) == cells or bool(short or _RULE.match(line.text))

    if cells == 1:
        return start
    return next((at for at in range(start, len(lines)) if not is_row(lines[at])), len(lines))


def rows_of(lines: Sequence[RichLine]) -> tuple[RichLine, ...]:
    """Return the rows of a table with ` | ` between their cells, without the lines across it."""
    return tuple(_row(line) for line in lines if not _RULE.match(line.text))


def _row(line: RichLine) -> RichLine:
    text = line.text.strip().strip("|")
    cells = [cell.strip(" |") for cell in (CELLS if _PARTED.search(text) else _SPACED).split(text)]
    return RichLine(Untrusted(" | ".join(cells)), "row")


def _cells_of(line: RichLine) -> int:
    """Return the number of cells, were the line a row of a table."""
    text = line.text.strip()
    if _PARTED.search(text):
        return len(CELLS.split(text))
    return columns if "  " in text and (columns := len(_SPACED.split(text))) >= LEAST_SPACED else 1

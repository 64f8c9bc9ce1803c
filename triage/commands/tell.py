"""How commands speak to people and machines: tables on a terminal, JSON on request, progress on long work."""

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

COLOURS: Mapping[str, str] = {
    "ticketed": "green",
    "commented": "cyan",
    "updated": "cyan",
    "answered": "cyan",
    "waiting": "yellow",
    "ignored": "dim",
    "quarantined": "red",
    "retrying": "yellow",
    "dead": "red",
}


def screen(*, error: bool = False) -> Console:
    """The terminal; mail text is never read as markup."""
    return Console(stderr=error, markup=False, highlight=False, emoji=False)


def print_json(value: Any) -> None:
    """For machines: one document on standard output, dataclasses as objects."""
    print(json.dumps(value, ensure_ascii=False, indent=2, default=_plain))


def _plain(value: Any) -> Any:
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else str(value)


def table(columns: Iterable[str], rows: Iterable[Sequence[str]], title: str = "") -> Table:
    """Rows of plain text; a column called `action` or `state` has colours."""
    made = Table(title=title or None, title_justify="left", show_edge=False, pad_edge=False)
    names = tuple(columns)
    for name in names:
        made.add_column(name, overflow="fold", no_wrap=name in {"ticket", "case", "action", "state", "at"})
    for row in rows:
        cells = (
            Text(cell, style=COLOURS.get(cell, "") if name in {"action", "state"} else "")
            for name, cell in zip(names, row, strict=True)
        )
        made.add_row(*cells)
    return made


def progress() -> Progress:
    """A bar on standard error, only where somebody looks; gone when the work is done."""
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )

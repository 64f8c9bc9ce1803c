"""Output of commands: tables on a terminal, JSON on request, progress of long work."""

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from datetime import datetime
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from triage.domain.visible import all_visible, visible

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


class SafeConsole(Console):
    """A terminal that gets text and our own colours, and no command or unseen sign out of a mail."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Everything that is printed, tables cell by cell, passes here before it is laid out."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(visible(segment.text), segment.style)


def screen(*, error: bool = False) -> Console:
    """The terminal; mail text is never read as markup."""
    return SafeConsole(stderr=error, markup=False, highlight=False, emoji=False)


def print_json(value: Any, *, indent: int | None = 2) -> None:
    """For machines: one document on standard output, dataclasses as objects, every text visible."""
    print(json.dumps(all_visible(_plain(value)), ensure_ascii=not speaks_unicode(), indent=indent))


def _plain(value: Any) -> Any:
    """The value in JSON's own nouns; an enumeration is the text that it stands for."""
    return json.loads(json.dumps(value, default=_fields))


def speaks_unicode() -> bool:
    """Standard output takes any text; where not, JSON escapes what is not ASCII, and other signs become `?`."""
    return (sys.stdout.encoding or "").lower().startswith("utf")


def rfc3339(at: datetime) -> str:
    """A moment as RFC 3339 wants it; `-00:00` where nobody said in which zone it is (4.3)."""
    return at.isoformat() if at.tzinfo else f"{at.isoformat()}-00:00"


def _fields(value: Any) -> Any:
    if isinstance(value, datetime):
        return rfc3339(value)
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else str(value)


def print_raw(raw: bytes) -> None:
    """Bytes as they are for a file or a pipe; a terminal would obey some of them, so it gets what is visible."""
    if sys.stdout.isatty():
        sys.stdout.write(visible(raw.decode("utf-8", "replace")))
    else:
        sys.stdout.buffer.write(raw)


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

"""Output of commands: tables on a terminal, JSON on request, progress of long work."""

import json
import shlex
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from triage.domain.text.visible import all_visible, visible

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
    """A console that makes control and invisible characters of mails visible, so that none reaches the terminal."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Make each segment visible; rich calls this for all output, table cells included, before the layout."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(visible(segment.text), segment.style)


def screen(*, error: bool = False) -> Console:
    """Return a console that does not interpret mail text as markup."""
    return SafeConsole(stderr=error, markup=False, highlight=False, emoji=False)


def called(program: str = "") -> str:
    """Return the shell command that runs this program, or `program`, from the present folder: its name if it is on PATH, else its path."""
    name = Path(program or sys.argv[0])
    if name.name == "__main__.py":
        return shlex.join([sys.executable, "-m", "cli"])
    found = shutil.which(name.name)
    return name.name if found and Path(found).absolute() == name.absolute() else shlex.quote(str(name))


def print_json(value: Any, *, indent: int | None = 2) -> None:
    """Print one JSON document; dataclasses become objects, control characters become visible."""
    print(json.dumps(all_visible(_plain(value)), ensure_ascii=not speaks_unicode(), indent=indent))


def _plain(value: Any) -> Any:
    """Reduce a value to JSON types; an enumeration to its text."""
    return json.loads(json.dumps(value, default=_fields))


def speaks_unicode() -> bool:
    """Whether standard output is UTF-8; otherwise JSON is printed in ASCII."""
    return (sys.stdout.encoding or "").lower().startswith("utf")


def rfc3339(at: datetime) -> str:
    """Format a time by RFC 3339; `-00:00` marks an unknown zone (4.3)."""
    return at.isoformat() if at.tzinfo else f"{at.isoformat()}-00:00"


def _fields(value: Any) -> Any:
    if isinstance(value, datetime):
        return rfc3339(value)
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else str(value)


def print_raw(raw: bytes) -> None:
    """Write bytes unchanged to a file or pipe; make control characters visible on a terminal, which would obey them."""
    if sys.stdout.isatty():
        sys.stdout.write(visible(raw.decode("utf-8", "replace")))
    else:
        sys.stdout.buffer.write(raw)


def table(columns: Iterable[str], rows: Iterable[Sequence[str]], title: str = "") -> Table:
    """Return a table of plain text; columns `action` and `state` are coloured."""
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


def figures_table(figures: Mapping[str, object], title: str = "") -> Table:
    """Return a table of figures by name; fractions have three decimals."""
    rows = [(name, f"{value:.3f}" if isinstance(value, float) else str(value)) for name, value in figures.items()]
    return table(("figure", "value"), rows, title)


def percent(share: float | None) -> str:
    """Return `94 %` for 0.94, empty for None."""
    return "" if share is None else f"{share * 100:.0f} %"


def progress() -> Progress:
    """Return a progress bar on standard error; it shows on a terminal only and disappears at the end."""
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

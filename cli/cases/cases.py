"""`triage cases`: lists cases with their outcome and ticket."""

from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console
from rich.text import Text

from cli.console import COLOURS, print_json, screen, table
from cli.verb import AsJson, Service

if TYPE_CHECKING:
    from triage.domain.reports import CaseLine
    from triage.domain.traces import Flood
    from triage.services.case_reports import CasePage

WIDE: Final = 120
"""Minimum terminal width for the table."""


def cases(
    limit: Annotated[int, typer.Option(min=1, help="How many, the latest first.")] = 50,
    state: Annotated[str | None, typer.Option(help="Only these: waiting, ignored, retrying, …")] = None,
    before: Annotated[str | None, typer.Option(metavar="CASE", help="Only those that came before this one.")] = None,
    held: Annotated[bool, typer.Option("--held", help="List throttled floods by ticket instead.")] = False,
    as_json: AsJson = False,
) -> None:
    """List cases, the latest first, and count them by state."""
    from cli.wiring.store import open_reports

    if state is not None:
        _check(state)
    page = Service(open_reports).ask(lambda reports: reports.page(limit, state, before))
    if held:
        _print_throttled(page.throttled, as_json=as_json)
    else:
        _print_page(page, as_json=as_json)


def _check(state: str) -> None:
    """Raise `BadParameter` for an unknown state."""
    from triage.policy.case_lists.query import STATES

    if state not in STATES:
        raise typer.BadParameter(f"{state} is no state; there are {', '.join(STATES)}")


def _print_page(page: "CasePage", *, as_json: bool) -> None:
    from triage.policy.thread.throttle import collecting

    if as_json:
        print_json({"cases": page.lines, "counts": page.counts})
        return
    out = screen()
    if out.width < WIDE:
        _narrow(page.lines, out)
    else:
        out.print(table(("case", "at (UTC)", "from", "subject", "state", "ticket", "why"), map(_row, page.lines)))
    screen().print("  ".join(f"{name}: {n}" for name, n in sorted(page.counts.items())) or "no mail yet")
    for line in collecting(page.throttled):
        screen().print(f"collecting: {line}", soft_wrap=True)


def _row(x: "CaseLine") -> tuple[str, ...]:
    return x.id, f"{x.received_at:%m-%d %H:%M}", x.sender, x.subject, x.state + _snoozed(x), x.ticket, _why(x)


def _why(line: "CaseLine") -> str:
    from triage.policy.case_lists.beside import beside

    return beside(line.reason, line.state, line.ticket)


def _snoozed(line: "CaseLine") -> str:
    """Return until when somebody has put the case off, empty if nobody has or the time is over."""
    until = line.snoozed_until
    return f", snoozed until {until:%m-%d %H:%M}" if until and until > datetime.now(UTC) else ""


def _narrow(lines: tuple["CaseLine", ...], out: "Console") -> None:
    """Print three lines per case; seven columns would break words in a narrow terminal."""
    for x in lines:
        head = Text.assemble(f"{x.id:<10} {x.received_at:%m-%d %H:%M}  ", (x.state, COLOURS.get(x.state, "")))
        out.print(head.append(f"{_snoozed(x)}  {x.ticket}".rstrip()))
        about = f"{x.subject}  ({x.sender})" if x.subject or x.sender else ""
        for text in (about, _why(x)):
            if text:
                out.print(Text(f"  {' '.join(text.split())}"), no_wrap=True, overflow="ellipsis", crop=True)


def _print_throttled(throttled: tuple["Flood", ...], *, as_json: bool) -> None:
    if as_json:
        print_json({"held": [asdict(flood) | {"unreported": flood.unreported} for flood in throttled]})
        return
    rows = list(map(_flood_row, throttled))
    columns = ("ticket", "limit", "collected", "reported", "unreported", "from", "to", "reported by", "newest", "case")
    screen().print(table(columns, rows) if rows else "no mail is throttled")


def _flood_row(x: "Flood") -> tuple[str, ...]:
    from triage.policy.thread.throttle import WORDS

    moments = (
        f"{x.since:%m-%d %H:%M}",
        f"{x.until:%m-%d %H:%M}",
        f"{x.due:%m-%d %H:%M}" if x.due and x.unreported else "",
    )
    return x.ticket, WORDS[x.group], str(x.held), str(x.reported), str(x.unreported), *moments, x.newest, x.case

"""`triage status`: how the installation does, on one screen."""

import asyncio
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.console import Console

from cli.console import print_json, screen
from cli.verb import AsJson, load
from triage.domain.text.counts import many

if TYPE_CHECKING:
    from triage.config.settings import Settings
    from triage.services.health import MailboxHealth
    from triage.services.operations.status import InstallationStatus

EXIT_CODES: Final = "Exit codes: 0 all is well; 1 something needs a person; 3 the database did not answer."
EVERY: Final = 5.0
"""Seconds between two looks of `--watch`."""


def status(
    watch: Annotated[bool, typer.Option("--watch", help="Look again every five seconds, until Ctrl-C.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show today on one screen, and what needs a person."""
    needs = asyncio.run(_watched(load(), as_json=as_json) if watch else _once(load(), as_json=as_json))
    raise typer.Exit(int(needs))


async def _once(settings: "Settings", *, as_json: bool) -> bool:
    """Print the status; return whether something needs a person."""
    from cli.wiring.telemetry.metrics import open_status

    async with open_status(settings) as service:
        now = await service.now()
    _print(now, screen(), as_json=as_json)
    return bool(now.needs)


async def _watched(settings: "Settings", *, as_json: bool) -> bool:
    """Print the status every few seconds, for ever: in place on a terminal, one JSON document a line for machines."""
    from cli.wiring.telemetry.metrics import open_status

    out = screen()
    async with open_status(settings) as service:
        while True:
            now = await service.now()
            out.clear()
            _print(now, out, as_json=as_json, indent=None)
            await asyncio.sleep(EVERY)


def _print(now: "InstallationStatus", out: "Console", *, as_json: bool, indent: int | None = 2) -> None:
    if as_json:
        print_json(_plain(now), indent=indent)
        return
    for name, words in _lines(now):
        out.print(f"{name:<10} {words}", soft_wrap=True)
    for need in now.needs:
        out.print(f"needs you  {need}", style="yellow", soft_wrap=True)
    if not now.needs:
        out.print("nothing needs you", style="dim")


def _lines(now: "InstallationStatus") -> list[tuple[str, str]]:
    """Name and words of each line."""
    backlog, budget = now.backlog, now.budget
    waits = f"{backlog.ready} ready, {backlog.working} at work, {backlog.retrying} to be tried again"
    cap = f" of {budget.cap_usd:.2f}" if budget.cap_usd is not None else ""
    ended = ", ".join(f"{n} {outcome}" for outcome, n in sorted(now.today.ended.items())) or "nothing ended"
    lines = [
        ("today", f"{many(now.today.came_in, 'mail')} came in; {ended}"),
        ("backlog", f"{waits}{_since(backlog.oldest, now.at)}" if backlog.all else "empty"),
        ("approvals", f"{now.approvals_open} open{_since(now.oldest_approval, now.at)}"),
        ("models", f"{now.cost_today_usd:.2f} USD today, {budget.spent_usd:.2f}{cap} USD this month"),
    ]
    for box in now.mailboxes:
        lag = duration_text(now.at - box.cursor.complete_at)
        lines.append(("mailbox", f"{box.public_name}: {box.cursor.phase}, complete {lag} ago"))
    if now.pause:
        lines.append(
            (
                "paused",
                f"by {now.pause.by} {duration_text(now.at - now.pause.since)} ago: {now.pause.why or 'no reason'}",
            )
        )
    if now.last_error:
        lines.append(("last error", now.last_error))
    return lines


def _since(at: datetime | None, now: datetime) -> str:
    return f", the oldest for {duration_text(now - at)}" if at else ""


def duration_text(span: timedelta) -> str:
    """Return a length of time in its largest unit."""
    seconds = max(0, int(span.total_seconds()))
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"


def _plain_mailbox(box: "MailboxHealth") -> dict[str, Any]:
    cursor = box.cursor
    return {
        "name": box.public_name,
        "state": cursor.phase.value,
        "complete_at": cursor.complete_at,
        "trouble": box.trouble,
    }


def _plain(now: "InstallationStatus") -> dict[str, Any]:
    """Return what machines read: no words of mails, mailboxes by their shortened names."""
    return {
        "at": now.at,
        "today": dict(now.today.ended),
        "came_in_today": now.today.came_in,
        "backlog": asdict(now.backlog),
        "approvals": {"open": now.approvals_open, "oldest": now.oldest_approval},
        "cost_usd": {"today": now.cost_today_usd, "month": now.budget.spent_usd, "cap": now.budget.cap_usd},
        "mailboxes": [_plain_mailbox(box) for box in now.mailboxes],
        "pause": asdict(now.pause) if now.pause else None,
        "last_error": now.last_error,
        "letters_in_doubt": now.letters_in_doubt,
        "needs": list(now.needs),
    }

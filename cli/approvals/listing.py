"""`triage approvals`: lists what waits for a person's decision; with a number it shows one of them whole."""

import asyncio
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console
from rich.text import Text

from cli.console import print_json, screen
from cli.verb import AsJson, load
from triage.domain.errors import ApprovalClosed
from triage.domain.text.counts import many

if TYPE_CHECKING:
    from triage.domain.approvals import Approval

MOST: Final = 500
"""Waiting cases whose subjects are shown."""
BEGINNING: Final = 300
"""Characters of a text that a line of the list may have; the terminal cuts it sooner."""
MINUTE, HOUR, DAY = 60, 3_600, 86_400


def approvals(
    number: Annotated[int | None, typer.Argument(help="Show this one whole.")] = None,
    as_json: AsJson = False,
) -> None:
    """List what waits for approval; with a number, show all of its text."""
    waiting, subjects = asyncio.run(_waiting())
    chosen = [one for one in waiting if number in {None, one.id}]
    if number is not None and not chosen:
        raise ApprovalClosed(number)
    if as_json:
        print_json(chosen[0] if number is not None else chosen)
    elif number is not None:
        print_whole(chosen[0], subjects, datetime.now(UTC), screen())
    elif chosen:
        print_list(chosen, subjects, datetime.now(UTC), screen())
    else:
        screen().print("nothing waits")


def print_list(waiting: "list[Approval]", subjects: Mapping[str, str], now: datetime, out: "Console") -> None:
    """Print a few lines for each approval: what would be done, who asked, about what, why a person, how long it waits."""
    for one in waiting:
        head, *lines = _lines(one, subjects, now)
        for text in (head, *(f"  {line}" for line in lines)):
            out.print(Text(text), no_wrap=True, overflow="ellipsis", crop=True)
    out.print("\nAll of one: triage approvals NUMBER. To accept it: triage approve NUMBER.", soft_wrap=True)


def print_whole(one: "Approval", subjects: Mapping[str, str], now: datetime, out: "Console") -> None:
    """Print an approval with all its text, a line for each line of it."""
    from triage.policy.decision.proposals import TEXTS, lines_of

    _, *lines = _lines(one, subjects, now)
    out.print(f"{_number(one)}  {_head(one)}", soft_wrap=True)
    for line in lines:
        if line != _beginning(one):
            out.print(f"  {line}", soft_wrap=True)
    if one.field in TEXTS:
        out.print(f"\n{lines_of(one.becomes)}", soft_wrap=True)


def _lines(one: "Approval", subjects: Mapping[str, str], now: datetime) -> tuple[str, ...]:
    from triage.policy.decision.proposals import asker_of, escaped, why_of

    subject = escaped(subjects.get(one.case, ""))
    return (
        f"{_number(one)}  {_head(one, BEGINNING)}",
        f"asked by {asker_of(one)}",
        *((f"mail: {subject}",) if subject else ()),
        *((_beginning(one),) if _beginning(one) else ()),
        f"why a person: {why_of(one)}",
        _waits(one, now),
    )


def _number(one: "Approval") -> str:
    return f"{one.id:<3} {one.case:<8}"


def _head(one: "Approval", longest: int | None = None) -> str:
    """Say what would be done, and to whom; of a text its length, of all else `longest` characters."""
    from triage.policy.decision.proposals import TEXTS, change_of, escaped

    if one.field not in TEXTS:
        change = change_of(one) if one.field else f"{one.tool}: {change_of(one)}"
        return change[:longest]
    size = f"{len(one.becomes):,} characters"
    if one.field == "comment":
        return f"{escaped(one.ticket)} comment, {size}".lstrip()
    copy = json.loads(one.exact).get("copy_to") or ""
    to = f"{one.sender or 'unknown sender'}{f', {copy} in copy' if copy else ''}"
    return f"letter to {escaped(to)}, {size}"


def _beginning(one: "Approval") -> str:
    """Return the first words of a text; empty for what is shown whole already."""
    from triage.domain.text.truncation import truncated
    from triage.policy.decision.proposals import TEXTS, escaped

    return escaped(truncated(" ".join(one.becomes.split()), BEGINNING)) if one.field in TEXTS else ""


def _waits(one: "Approval", now: datetime) -> str:
    """Say how long it has waited, until when it may, and who has accepted."""
    since = f"waits {age_of(one.parked_at, now)}" if one.parked_at else "waits"
    until = f"until {one.expires_at:%Y-%m-%d %H:%M}" if one.expires_at else ""
    votes = f"accepted by {', '.join(one.votes)}" if one.votes else ""
    return ", ".join(filter(None, (since, until, votes)))


def age_of(since: datetime, now: datetime) -> str:
    """Return the time since then in its largest unit: `3 hours`."""
    seconds = max(0, int((now - since).total_seconds()))
    unit, noun = next(
        ((unit, noun) for unit, noun in ((DAY, "day"), (HOUR, "hour")) if seconds >= unit), (MINUTE, "minute")
    )
    return many(seconds // unit, noun)


async def _waiting() -> tuple[tuple["Approval", ...], dict[str, str]]:
    """Return what waits, and the subjects of the mails that it is about, by case."""
    from cli.wiring.store import open_reports

    async with open_reports(load()) as reports:
        waiting = await reports.approvals()
        lines = (await reports.page(MOST, "waiting")).lines if waiting else ()
        return waiting, {line.id: line.subject for line in lines}

"""`triage approvals`: lists what waits for a person's decision."""

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from triage.domain.approvals import Approval

SHOWN = 2_000
"""Characters of a change in the list; `triage show` prints all of it."""


def approvals(as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False) -> None:
    """List what waits for approval."""
    from cli.console import print_json, screen, table
    from triage.policy.decision.proposals import asker_of, change_of, why_of

    waiting = asyncio.run(_waiting())
    if as_json:
        print_json(waiting)
        return
    rows = [(str(one.id), one.case, asker_of(one), change_of(one, SHOWN), why_of(one), _until(one)) for one in waiting]
    screen().print(table(("no.", "case", "from", "change", "why", "until"), rows) if rows else "nothing waits")


def _until(approval: "Approval") -> str:
    votes = f", accepted by {', '.join(approval.votes)}" if approval.votes else ""
    return f"{approval.expires_at:%Y-%m-%d %H:%M}{votes}" if approval.expires_at else votes.removeprefix(", ")


async def _waiting() -> tuple["Approval", ...]:
    from cli.wiring.store import open_reports
    from triage.config.settings import load

    async with open_reports(load()) as reports:
        return await reports.approvals()

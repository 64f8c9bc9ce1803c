"""`triage approve`: lists what waits for a person's decision, and records the decision."""

import asyncio
import getpass
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from triage.domain.cases import Approval
    from triage.services.cases import CaseService

SHOWN = 2_000
"""Characters of a comment in the list; `triage show` has all of it."""
TRIES = 40
PAUSE = 0.25
"""Seconds between them."""


def approve(
    number: Annotated[int | None, typer.Argument(help="Which one; without it they are listed.")] = None,
    reject: Annotated[bool, typer.Option("--reject", help="Leave it undone.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> None:
    """List what waits for approval, or accept (or reject) one: exactly what is shown is done."""
    from cli.console import print_json, screen, table
    from triage.policy.decision.proposals import asker_of, change_of

    if number is not None:
        end, ended = asyncio.run(_decide(number, reject=reject))
        if as_json:
            print_json(end)
        else:
            screen().print(f"{end['case']}: {end['action']}, {end['why']}", soft_wrap=True)
        raise typer.Exit(0 if ended else 3)
    waiting = asyncio.run(_waiting())
    if as_json:
        print_json(waiting)
        return
    rows = [(str(one.id), one.case, asker_of(one), change_of(one, SHOWN), one.reason) for one in waiting]
    screen().print(table(("no.", "case", "from", "change", "why"), rows) if rows else "nothing waits")


async def _waiting() -> tuple["Approval", ...]:
    from cli.wiring.store import open_reports
    from triage.config.settings import load

    async with open_reports(load()) as reports:
        return await reports.approvals()


async def _decide(number: int, *, reject: bool) -> tuple[dict[str, str], bool]:
    """The person's word, and what came of it: a worker that runs does it, else this process."""
    from cli.mail.process import end_of, worked
    from cli.wiring.app import open_app
    from triage.config.settings import load

    async with open_app(load()) as app:
        decided = await _decided(app.cases, number, reject=reject)
        await worked(app, decided.case)
        for older in await app.cases.superseded(number):
            await worked(app, older.case)
        report = await app.reports.report(decided.case)
        return end_of(report), report.case.outcome is not None


async def _decided(cases: "CaseService", number: int, *, reject: bool) -> "Approval":
    """As soon as no worker has the case: what one does with it takes seconds."""
    from triage.domain.errors import LeaseLost

    decide = cases.reject if reject else cases.approve
    for _ in range(TRIES):
        try:
            return await decide(number, getpass.getuser())
        except LeaseLost:
            await asyncio.sleep(PAUSE)
    return await decide(number, getpass.getuser())

"""`triage approve`: lists what waits for a person's decision, and records the decision."""

import asyncio
import getpass
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from cli.wiring.app import App
    from triage.domain.approvals import Approval, Approver

SHOWN = 2_000
"""Characters of a comment in the list; `triage show` prints all of it."""
TRIES = 40
PAUSE = 0.25
"""Seconds between tries."""


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
    """Record the decision and carry it out, here or by a running worker; return it and how the case ended."""
    from cli.mail.process import end_of
    from cli.wiring.app import open_app
    from triage.config.settings import load

    async with open_app(load()) as app:
        decide = app.approvals.ignore if reject else app.approvals.accept
        decided = await decide(number, operator())
        older = await app.approvals.superseded(number)
        for case in dict.fromkeys((decided.case, *(one.case for one in older))):
            await carried_out(app, case)
        report = await app.reports.report(decided.case)
        return end_of(report), report.case.outcome is not None


def operator() -> "Approver":
    """Return who runs this command."""
    from triage.domain.approvals import Approver, Proof

    return Approver(name=getpass.getuser(), proof=Proof.SHELL)


async def carried_out(app: "App", case: str) -> None:
    """Work the case here until it is settled, by this process or another worker; stop if it is in trouble."""
    from cli.mail.process import worked

    for _ in range(TRIES):
        await worked(app, case)
        if await app.cases.settled(case) or (await app.reports.report(case)).trouble:
            return
        await asyncio.sleep(PAUSE)

"""`triage approve`, `reject`, `respond` and `undo`: record a decision of whoever runs the command, and carry it out here or by a running worker."""

import asyncio
import getpass
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated

import typer

from cli.console import print_json, screen
from cli.verb import AsJson, CaseName, load

if TYPE_CHECKING:
    from cli.wiring.app import App
    from triage.domain.approvals import Approval, Approver
    from triage.services.approvals import ApprovalService

    Decide = Callable[[ApprovalService, Approver], Awaitable[Approval]]

TRIES = 40
PAUSE = 0.25
"""Seconds between tries."""


Number = Annotated[int, typer.Argument(help="Which one: triage approvals lists them.")]


def approve(
    number: Annotated[int | None, typer.Argument(help="Which one; without it they are listed.")] = None,
    reject: Annotated[bool, typer.Option("--reject", help="Leave it undone.")] = False,
    as_json: AsJson = False,
) -> None:
    """Accept what waits, exactly as shown; without a number, list it."""
    if number is None:
        from cli.approvals.listing import approvals

        approvals(as_json=as_json)
        return
    decide(lambda at, who: (at.ignore if reject else at.accept)(number, who), as_json=as_json)


def reject(number: Number, as_json: AsJson = False) -> None:
    """Reject what waits: nothing is written."""
    decide(lambda at, who: at.ignore(number, who), as_json=as_json)


def respond(
    number: Number,
    instruction: Annotated[str, typer.Argument(help="What the agent shall do instead, in words.")],
    as_json: AsJson = False,
) -> None:
    """Tell the agent what to do instead; it may propose again.

    `approvals.rework` says how often.
    """
    decide(lambda at, who: at.respond(number, instruction, who), as_json=as_json)


def undo(case: CaseName, as_json: AsJson = False) -> None:
    """Take back what a case wrote, where nobody has built on it.

    Its comments, tickets and links, and its letters that have not left.
    """
    decide(lambda at, who: at.undo(case, who), as_json=as_json)


def decide(how: "Decide", *, as_json: bool = False) -> None:
    """Decide, and print what became of the case. Exit codes: 0 it has ended; 3 it waits for something else."""
    end, ended = asyncio.run(_decided(how))
    if as_json:
        print_json(end)
    else:
        screen().print(f"{end['case']}: {end['action']}, {end['why']}", soft_wrap=True)
    raise typer.Exit(0 if ended else 3)


async def _decided(how: "Decide") -> tuple[dict[str, str], bool]:
    from cli.mail.process import end_of
    from cli.wiring.app import open_app
    from triage.domain.approvals import ApprovalState

    async with open_app(load()) as app:
        decision = await how(app.approvals, operator())
        if decision.state is ApprovalState.OPEN:
            why = f"{decision.votes[-1]} has accepted; one more person has to"
            return {**end_of(await app.reports.report(decision.case)), "why": why}, True
        older = await app.approvals.superseded(decision.id)
        for case in dict.fromkeys((decision.case, *(one.case for one in older))):
            await carried_out(app, case)
        report = await app.reports.report(decision.case)
        return end_of(report), report.case.outcome is not None


def operator() -> "Approver":
    """Return who runs this command."""
    from triage.domain.approvals import Approver, ApproverProof

    return Approver(name=getpass.getuser(), proof=ApproverProof.SHELL)


async def carried_out(app: "App", case: str) -> None:
    """Work on the case in this process until its decisions are carried out, here or by another worker; return early on trouble."""
    from cli.mail.process import worked
    from triage.policy.decision.run_record import is_settled

    for _ in range(TRIES):
        await worked(app, case)
        report = await app.reports.report(case)
        if is_settled(report) or report.trouble:
            return
        await asyncio.sleep(PAUSE)

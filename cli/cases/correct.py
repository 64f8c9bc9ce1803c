"""`triage correct`: says what becomes of a mail, or who has its ticket and what it is, carries it out, and remembers it."""

import asyncio
import getpass
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.approvals.deciding import carried_out, operator
from cli.console import print_json, screen
from cli.verb import AsJson, load

if TYPE_CHECKING:
    from cli.wiring.app import App
    from triage.domain.findings import Disposition
    from triage.policy.approvals.amendment import WantedChange

TICKET_KEY: Final = r"[A-Z][A-Z0-9_]{0,40}-[1-9][0-9]{0,9}"

Ticket = Annotated[bool, typer.Option("--ticket", help="It is for us: make a ticket of it.")]
Ignore = Annotated[bool, typer.Option("--ignore", help="It is not for us.")]
DispositionOption = Annotated[
    str, typer.Option(metavar="NAME", help="What it is: work, question, addition, status, not_for_us, spam, …")
]
DuplicateOf = Annotated[str, typer.Option(metavar="KEY", help="It belongs to this ticket.")]
Assignee = Annotated[str, typer.Option(metavar="NAME", help="Who shall have its ticket: name or e-mail.")]
IssueType = Annotated[str, typer.Option("--type", metavar="NAME", help="What type its ticket is.")]
Priority = Annotated[str, typer.Option(metavar="NAME", help="How urgent its ticket is.")]
Preview = Annotated[bool, typer.Option("--preview", help="Only say what would change on the ticket.")]


def correct(  # noqa: PLR0913, PLR0917 - each parameter is an option
    case: Annotated[str, typer.Argument(help="17 or case-17.")],
    ticket: Ticket = False,
    ignore: Ignore = False,
    disposition: DispositionOption = "",
    duplicate_of: DuplicateOf = "",
    assignee: Assignee = "",
    issue_type: IssueType = "",
    priority: Priority = "",
    preview: Preview = False,
    as_json: AsJson = False,
) -> None:
    """Decide a case again as you say; later mails of its sender follow.

    What the case has written stands and is not written a second time. With --assignee, --type and --priority the mail stays
    what it is, and its ticket is changed.
    """
    import re

    from triage.domain.findings import Disposition
    from triage.policy.approvals.amendment import WantedChange

    fields, words = (
        WantedChange(assignee=assignee, issue_type=issue_type, priority=priority),
        (ticket, ignore, disposition),
    )
    if sum(map(bool, (*words, duplicate_of, not fields.empty))) != 1:
        raise typer.BadParameter(
            "give one of --ticket, --ignore, --disposition and --duplicate-of, or some of --assignee, --type and --priority"
        )
    if preview and fields.empty:
        raise typer.BadParameter("--preview goes with --assignee, --type and --priority")
    if not fields.empty:
        printed(asyncio.run(_amend(case, fields, preview=preview)), as_json=as_json)
    if disposition and disposition not in [*Disposition]:
        raise typer.BadParameter(f"{disposition} is no disposition; there are {', '.join(Disposition)}")
    if duplicate_of and not re.fullmatch(TICKET_KEY, duplicate_of):
        raise typer.BadParameter(f"{duplicate_of} is no ticket's key; write it like HARB-12")
    wanted = Disposition(disposition) if disposition else Disposition.ADDITION if duplicate_of else None
    end = asyncio.run(_correct(case, Disposition.WORK if ticket else wanted, duplicate_of))
    printed(end, as_json=as_json)


def printed(end: dict[str, object], *, as_json: bool) -> None:
    """Print how it ended, and exit: 0 it is carried out; 3 it waits."""
    if as_json:
        print_json(end)
    elif "would" in end:
        screen().print(f"{end['case']}: {end['ticket']} would get {end['would']}", soft_wrap=True)
    else:
        became = " ".join(filter(None, (str(end["action"]), str(end["ticket"] or ""))))
        screen().print(", ".join(filter(None, (f"{end['case']}: {became}", str(end["why"] or "")))), soft_wrap=True)
    raise typer.Exit(0 if end["settled"] else 3)


async def _amend(case: str, fields: "WantedChange", *, preview: bool) -> dict[str, object]:
    """Change the ticket's fields, here or by a running worker; return how the case ended, or what would change."""
    from cli.wiring.app import open_app

    async with open_app(load()) as app:
        plan = await app.amending.plan(case, fields)
        if preview:
            would = ", ".join(one.text for one in plan.changes)
            return {"case": plan.case, "ticket": plan.ticket, "would": would, "settled": True}
        await app.amending.order(plan, operator())
        return await end(app, plan.case)


async def _correct(case: str, disposition: "Disposition | None", ticket: str) -> dict[str, object]:
    """Record the correction and carry it out, here or by a running worker; return how the case ended."""
    from cli.wiring.app import open_app

    async with open_app(load()) as app:
        corrected = await app.cases.correct(case, disposition, getpass.getuser(), ticket)
        return {**await end(app, corrected.case), "disposition": corrected.disposition}


async def end(app: "App", case: str) -> dict[str, object]:
    """Carry out what is recorded about a case; return how it ended."""
    from cli.mail.process import end_of
    from triage.policy.decision.run_record import is_settled

    await carried_out(app, case)
    report = await app.reports.report(case)
    return {**end_of(report), "settled": is_settled(report)}

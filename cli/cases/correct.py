"""`triage correct`: says what becomes of a mail, carries it out, and remembers it for later mails."""

import asyncio
import getpass
from typing import TYPE_CHECKING, Annotated, Final

import typer

if TYPE_CHECKING:
    from triage.domain.findings import Disposition

TICKET_KEY: Final = r"[A-Z][A-Z0-9_]{0,40}-[1-9][0-9]{0,9}"


def correct(
    case: Annotated[str, typer.Argument(help="17 or case-17.")],
    ticket: Annotated[bool, typer.Option("--ticket", help="It is for us: make a ticket of it.")] = False,
    ignore: Annotated[bool, typer.Option("--ignore", help="It is not for us.")] = False,
    disposition: Annotated[
        str, typer.Option(metavar="NAME", help="What it is: work, question, addition, status, not_for_us, spam, …")
    ] = "",
    duplicate_of: Annotated[str, typer.Option(metavar="KEY", help="It belongs to this ticket.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> None:
    """Say what becomes of a mail: the case is decided again with your word, and later mails of the sender are judged by it.

    What the case has written stands and is not written a second time.
    """
    import re

    from cli.console import print_json, screen
    from triage.domain.findings import Disposition

    if sum(map(bool, (ticket, ignore, disposition, duplicate_of))) != 1:
        raise typer.BadParameter("give one of --ticket, --ignore, --disposition and --duplicate-of")
    if disposition and disposition not in [*Disposition]:
        raise typer.BadParameter(f"{disposition} is no disposition; there are {', '.join(Disposition)}")
    if duplicate_of and not re.fullmatch(TICKET_KEY, duplicate_of):
        raise typer.BadParameter(f"{duplicate_of} is no ticket's key; write it like HARB-12")
    wanted = Disposition(disposition) if disposition else Disposition.ADDITION if duplicate_of else None
    end = asyncio.run(_correct(case, Disposition.WORK if ticket else wanted, duplicate_of))
    if as_json:
        print_json(end)
    else:
        screen().print(f"{end['case']}: {end['action']} {end['ticket']}, {end['why']}", soft_wrap=True)
    raise typer.Exit(0 if end["settled"] else 3)


async def _correct(case: str, disposition: "Disposition | None", ticket: str) -> dict[str, object]:
    """Record the correction and carry it out, here or by a running worker; return how the case ended."""
    from cli.approvals.deciding import carried_out
    from cli.mail.process import end_of
    from cli.wiring.app import open_app
    from triage.config.settings import load

    async with open_app(load()) as app:
        if ticket:
            await app.tracker.tickets.get(ticket)  # raises where there is no such ticket, before anything is recorded
        said = await app.cases.correct(case, disposition, getpass.getuser(), ticket)
        await carried_out(app, said.case)
        report = await app.reports.report(said.case)
        return {**end_of(report), "disposition": said.disposition, "settled": await app.cases.settled(said.case)}

"""Corrections of a case, and their undoing: each says first what would change, then a person confirms."""

from typing import Annotated, Final

from fastapi import APIRouter, Form, Response

from triage.domain.errors import ToolRefused
from triage.domain.findings import Disposition
from triage.domain.reports import Report
from triage.policy.case_lists.query import ticket_named
from triage.services.casework.merging import joined_ticket
from triage.services.casework.undo_plan import undo_plan
from web.console.console import Console
from web.console.guard import Approver
from web.console.pages.case.compare import compared
from web.console.pages.case.deeds import WORDS
from web.console.pages.case.forms import OTHERS, correct_page, of_form
from web.console.pages.case.view import worded
from web.console.pages.parameters import CaseNumber, TicketKey, deciding
from web.console.render import after

Becomes = Annotated[str, Form(max_length=60)]
NEW: Final = "new"
NOT_FOR_US: Final = "ignore"
BELONGS: Final = "belongs"

pages = APIRouter()


@pages.get("/{number}/correct")
async def ask(console: Console, _: Approver, number: CaseNumber) -> Response:
    """Ask what the mail is, or what is wrong with its ticket."""
    return await correct_page(console, number)


@pages.post("/{number}/correct/preview")
@of_form("correct")
async def preview(
    console: Console, who: Approver, number: CaseNumber, becomes: Becomes, ticket: TicketKey = ""
) -> Response:
    """Show what would change."""
    report, dry_runs = await console.services.reports.report(number), console.services.dry_runs
    wanted, key, apart = meant(report, becomes, ticket)
    preview = None
    if dry_runs is not None:
        would = await dry_runs.correct(number, wanted, key, apart=apart, by=who.approver.identity)
        preview = compared(report, would)
    correction = correction_text(wanted, key, apart)
    facts = {"report": report, "preview": preview, "becomes": becomes, "key": key, "correction": correction}
    return console.page("case/corrected.html", number=number, **facts)


@pages.post("/{number}/correct")
@of_form("correct")
async def correct(
    console: Console, who: Approver, number: CaseNumber, becomes: Becomes, ticket: TicketKey = ""
) -> Response:
    """Record it; a worker decides the case again."""
    wanted, key, apart = meant(await console.services.reports.report(number), becomes, ticket)
    await console.services.cases.correct(number, wanted, who.approver.identity, key, apart=apart)
    text = correction_text(wanted, key, apart)
    return after(f"/cases/{number}", f"Corrected: {text} It is being decided again.")


@pages.get("/{number}/undo")
async def plan(console: Console, _: Approver, number: CaseNumber) -> Response:
    """Show what would be taken back."""
    report = await console.services.reports.report(number)
    return console.page("case/undo.html", number=number, report=report, plan=undo_plan(report), words=WORDS)


@pages.post("/{number}/undo")
async def undo(console: Console, who: Approver, number: CaseNumber) -> Response:
    await deciding(console.services).undo(number, who.approver)
    return after(f"/cases/{number}", "It is being taken back; what somebody has built on stays, and is named below.")


def meant(report: Report, becomes: str, ticket: str) -> tuple[Disposition | None, str, str]:
    """Return disposition, ticket and the ticket that it does not belong to. Raises `ToolRefused` for what is neither."""
    named = becomes[3:] if becomes.startswith("is:") else ticket if becomes == BELONGS else None
    if named is not None:
        if not (key := ticket_named(named)):
            raise ToolRefused("write the key of the ticket that it belongs to, such as HARB-27")
        return Disposition.ADDITION, key, ""
    if becomes == NEW:
        return Disposition.WORK, "", joined_ticket(report)
    if becomes == NOT_FOR_US:
        return None, "", ""
    if becomes not in {one for one, _ in OTHERS}:
        raise ToolRefused("choose what the mail is")
    return Disposition(becomes), "", ""


def correction_text(wanted: Disposition | None, ticket: str, apart: str) -> str:
    if ticket:
        return f"it belongs to {ticket}."
    if wanted is Disposition.WORK:
        return f"it is a matter of its own, not {apart}." if apart else "it is work for us."
    return f"it is {worded(wanted) if wanted else 'not for us'}."

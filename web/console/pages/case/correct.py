"""Corrections of a case, and their undoing: each says first what would change, then a person confirms."""

from typing import Annotated, Final

from fastapi import APIRouter, Form, Request, Response
from starlette.exceptions import HTTPException

from triage.domain.errors import Permanent, Transient
from triage.domain.findings import Disposition
from triage.domain.reports import Report
from triage.services.casework.amending import Choices
from triage.services.casework.merging import joined_ticket, standing_merge
from triage.services.casework.undo_plan import undo_plan
from web.console.guard import Approver
from web.console.pages.case.compare import compared
from web.console.pages.case.deeds import WORDS
from web.console.pages.case.view import saw_of, worded
from web.console.pages.parameters import CaseNumber, deciding
from web.console.render import Render, after
from web.context import WebContext

Key = Annotated[str, Form(pattern=r"^\s*([A-Za-z][A-Za-z0-9_]{0,40}-[1-9][0-9]{0,9})?\s*$", max_length=60)]
Becomes = Annotated[str, Form(pattern=r"^[a-z_]{1,20}$|^is:[A-Z][A-Z0-9_]{0,40}-[1-9][0-9]{0,9}$")]
NEW: Final = "new"
NOT_FOR_US: Final = "ignore"
BELONGS: Final = "belongs"
OTHERS: Final = (
    (Disposition.QUESTION, "A question"),
    (Disposition.STATUS, "It says that something is done or works again"),
    (Disposition.NEWSLETTER, "A newsletter or a notice to many"),
    (Disposition.SPAM, "Spam or phishing"),
    (Disposition.AUTOMATIC, "An automatic answer"),
    (Disposition.SEVERAL, "Several matters in one mail"),
)


def correct_pages(at: WebContext, render: Render) -> APIRouter:
    """Return the pages by which people correct a case."""
    pages = APIRouter()

    def page(http: Request, number: str, report: Report, **facts: object) -> Response:
        chosen = {"preview": None, "becomes": "", "key": "", "told": "", **facts}
        return render.page(
            http, "case/correct.html", number=number, report=report, saw=saw_of(report.case), others=OTHERS, **chosen
        )

    @pages.get("/{number}/correct")
    async def ask(http: Request, _: Approver, number: CaseNumber) -> Response:
        """Ask what the mail is, or what is wrong with its ticket."""
        report = await at.reports.report(number)
        choices, trouble = await _choices(at, report)
        parts = await at.merging.parts(report.case.id) if at.merging and choices else ()
        merge = standing_merge(report)
        return page(http, number, report, choices=choices, trouble=trouble, merge=merge, parts=parts)

    @pages.post("/{number}/correct/preview")
    async def preview(http: Request, who: Approver, number: CaseNumber, becomes: Becomes, ticket: Key = "") -> Response:
        """Show what would change."""
        report = await at.reports.report(number)
        wanted, key, apart = meant(report, becomes, ticket)
        would = None
        if at.dry_runs is not None:
            would = await at.dry_runs.correct(number, wanted, key, apart=apart, by=who.approver.identity)
        return page(
            http,
            number,
            report,
            preview=compared(report, would) if would else None,
            becomes=becomes,
            key=key,
            told=correction_text(wanted, key, apart),
        )

    @pages.post("/{number}/correct")
    async def correct(who: Approver, number: CaseNumber, becomes: Becomes, ticket: Key = "") -> Response:
        """Record it; a worker decides the case again."""
        wanted, key, apart = meant(await at.reports.report(number), becomes, ticket)
        corrected = await at.cases.correct(number, wanted, who.approver.identity, key, apart=apart)
        await at.notify(corrected.case)
        return after(f"/cases/{number}", f"Corrected: {correction_text(wanted, key, apart)} It is being decided again.")

    @pages.get("/{number}/undo")
    async def plan(http: Request, _: Approver, number: CaseNumber) -> Response:
        """Show what would be taken back."""
        report = await at.reports.report(number)
        return render.page(http, "case/undo.html", number=number, report=report, plan=undo_plan(report), words=WORDS)

    @pages.post("/{number}/undo")
    async def undo(who: Approver, number: CaseNumber) -> Response:
        """Take it back."""
        await deciding(at).undo(number, who.approver)
        return after(
            f"/cases/{number}", "It is being taken back; what somebody has built on stays, and is named below."
        )

    return pages


async def _choices(at: WebContext, report: Report) -> tuple[Choices | None, str]:
    """Return what may be chosen for its ticket, or why that cannot be said: a tracker that is down keeps nobody from the rest."""
    if at.amending is None or not report.case.ticket or report.case.result is None:
        return None, ""
    try:
        return await at.amending.choices(report.case.id), ""
    except (Transient, Permanent) as e:
        return None, str(e)


def meant(report: Report, becomes: str, ticket: str) -> tuple[Disposition | None, str, str]:
    """Return disposition, ticket and the ticket that it does not belong to. Raises `HTTPException` 422 for what is neither."""
    if becomes.startswith("is:"):
        return Disposition.ADDITION, becomes[3:], ""
    if becomes == BELONGS:
        if not ticket.strip():
            raise HTTPException(422, "Say which ticket it belongs to.")
        return Disposition.ADDITION, ticket.strip().upper(), ""
    if becomes == NEW:
        return Disposition.WORK, "", joined_ticket(report)
    if becomes == NOT_FOR_US:
        return None, "", ""
    if becomes not in {one for one, _ in OTHERS}:
        raise HTTPException(422, f"{becomes} is nothing that a mail can be.")
    return Disposition(becomes), "", ""


def correction_text(wanted: Disposition | None, ticket: str, apart: str) -> str:
    """Return a correction as a sentence."""
    if ticket:
        return f"it belongs to {ticket}."
    if wanted is Disposition.WORK:
        return f"it is a matter of its own, not {apart}." if apart else "it is work for us."
    return f"it is {worded(wanted) if wanted else 'not for us'}."

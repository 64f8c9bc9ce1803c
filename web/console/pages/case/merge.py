"""Two tickets about one matter: shown what a merge writes first, then confirmed; and taken apart again."""

from fastapi import APIRouter, Request, Response
from starlette.exceptions import HTTPException

from triage.domain.errors import Refused
from triage.services.casework.merging import MergePlan, MergeService
from web.console.guard import Approver
from web.console.pages.parameters import NO_JIRA, CaseNumber, TicketKey
from web.console.render import Render, after
from web.context import WebContext


def merge_pages(at: WebContext, render: Render) -> APIRouter:
    """Return the pages by which people merge and split tickets."""
    pages = APIRouter()

    def desk() -> MergeService:
        if at.merging is None:
            raise HTTPException(409, NO_JIRA)
        return at.merging

    async def planned(number: str, into: str, who: Approver) -> MergePlan:
        try:
            return await desk().plan(number, into, who.approver)
        except Refused as e:
            raise HTTPException(422, str(e)) from None

    @pages.post("/{number}/merge/preview")
    async def preview(http: Request, who: Approver, number: CaseNumber, into: TicketKey) -> Response:
        """Show what would be written to both tickets."""
        return render.page(http, "case/merge.html", number=number, plan=await planned(number, into, who))

    @pages.post("/{number}/merge")
    async def merge(who: Approver, number: CaseNumber, into: TicketKey) -> Response:
        """Record it."""
        plan = await planned(number, into, who)
        await desk().merge(plan, who.approver)
        return after(f"/cases/{number}", f"{plan.gone.key} is being merged into {plan.stays.key}.")

    @pages.post("/{number}/split")
    async def split(who: Approver, number: CaseNumber) -> Response:
        """Take a merge back."""
        try:
            told = await desk().split(number, who.approver)
        except Refused as e:
            raise HTTPException(422, str(e)) from None
        return after(f"/cases/{number}", told)

    return pages

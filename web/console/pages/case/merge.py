"""Two tickets about one matter: shown what a merge writes first, then confirmed; and taken apart again."""

from fastapi import APIRouter, Request, Response

from triage.services.casework.merging import MergePlan
from web.console.guard import Approver
from web.console.pages.parameters import CaseNumber, TicketKey, connected, refused_as_unfit
from web.console.render import Render, after
from web.context import WebContext


def merge_pages(at: WebContext, render: Render) -> APIRouter:
    """Return the pages by which people merge and split tickets."""
    pages = APIRouter()

    async def planned(number: str, into: str, who: Approver) -> MergePlan:
        with refused_as_unfit():
            return await connected(at.merging).plan(number, into, who.approver)

    @pages.post("/{number}/merge/preview")
    async def preview(http: Request, who: Approver, number: CaseNumber, into: TicketKey) -> Response:
        """Show what would be written to both tickets."""
        return render.page(http, "case/merge.html", number=number, plan=await planned(number, into, who))

    @pages.post("/{number}/merge")
    async def merge(who: Approver, number: CaseNumber, into: TicketKey) -> Response:
        """Record it."""
        plan = await planned(number, into, who)
        await connected(at.merging).merge(plan, who.approver)
        return after(f"/cases/{number}", f"{plan.gone.key} is being merged into {plan.stays.key}.")

    @pages.post("/{number}/split")
    async def split(who: Approver, number: CaseNumber) -> Response:
        """Take a merge back."""
        with refused_as_unfit():
            result = await connected(at.merging).split(number, who.approver)
        return after(f"/cases/{number}", result)

    return pages

"""Two tickets about one matter: shown what a merge writes first, then confirmed; and taken apart again."""

from fastapi import APIRouter, Request, Response

from web.console.guard import Approver
from web.console.pages.case.forms import CorrectForms
from web.console.pages.parameters import CaseNumber, TicketKey, connected
from web.console.render import Render, after
from web.context import WebContext


def merge_pages(at: WebContext, render: Render) -> APIRouter:
    """Return the pages by which people merge and split tickets."""
    pages, forms = APIRouter(), CorrectForms(at, render)

    @pages.post("/{number}/merge/preview")
    async def preview(http: Request, who: Approver, number: CaseNumber, into: TicketKey = "") -> Response:
        """Show what would be written to both tickets."""

        async def shown() -> Response:
            plan = await connected(at.merging).plan(number, into, who.approver)
            return render.page(http, "case/merge.html", number=number, plan=plan)

        return await forms.answer(http, number, "merge", shown())

    @pages.post("/{number}/merge")
    async def merge(http: Request, who: Approver, number: CaseNumber, into: TicketKey = "") -> Response:
        """Record it."""

        async def recorded() -> Response:
            merging = connected(at.merging)
            plan = await merging.plan(number, into, who.approver)
            await merging.merge(plan, who.approver)
            return after(f"/cases/{number}", f"{plan.gone.key} is being merged into {plan.stays.key}.")

        return await forms.answer(http, number, "merge", recorded())

    @pages.post("/{number}/split")
    async def split(http: Request, who: Approver, number: CaseNumber) -> Response:
        """Take a merge back."""

        async def recorded() -> Response:
            return after(f"/cases/{number}", await connected(at.merging).split(number, who.approver))

        return await forms.answer(http, number, "merge", recorded())

    return pages

"""Two tickets about one matter are merged, one about several is taken apart: shown first, then confirmed."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response

from web.console.guard import Approver
from web.console.pages.case.forms import CorrectForms
from web.console.pages.parameters import CaseNumber, TicketKey, connected
from web.console.render import Render, after
from web.context import WebContext


def merge_pages(at: WebContext, render: Render) -> APIRouter:
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


Parts = Annotated[Sequence[int], Form(max_length=20)]


def parting_pages(at: WebContext, render: Render) -> APIRouter:
    """Return the pages by which parts of a checklist become tickets."""
    pages, forms = APIRouter(), CorrectForms(at, render)

    @pages.post("/{number}/parts/preview")
    async def parts(http: Request, _: Approver, number: CaseNumber, part: Parts = ()) -> Response:
        """Show the tickets that would be created."""

        async def shown() -> Response:
            plan = await connected(at.merging).plan_parts(number, part)
            return render.page(http, "case/parting.html", number=number, plan=plan)

        return await forms.answer(http, number, "parts", shown())

    @pages.post("/{number}/parts")
    async def move(http: Request, who: Approver, number: CaseNumber, part: Parts = ()) -> Response:
        async def recorded() -> Response:
            merging = connected(at.merging)
            plan = await merging.plan_parts(number, part)
            await merging.part(plan, who.approver)
            text = "A ticket is" if len(plan.parts) == 1 else f"{len(plan.parts)} tickets are"
            return after(f"/cases/{number}", f"{text} being created beside {plan.ticket.key}.")

        return await forms.answer(http, number, "parts", recorded())

    return pages

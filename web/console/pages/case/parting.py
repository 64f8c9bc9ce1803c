"""One ticket about several matters: which of them get tickets of their own, shown first, then confirmed."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response

from web.console.guard import Approver
from web.console.pages.case.forms import CorrectForms
from web.console.pages.parameters import CaseNumber, connected
from web.console.render import Render, after
from web.context import WebContext

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
        """Record it."""

        async def recorded() -> Response:
            merging = connected(at.merging)
            plan = await merging.plan_parts(number, part)
            await merging.part(plan, who.approver)
            text = "A ticket is" if len(plan.parts) == 1 else f"{len(plan.parts)} tickets are"
            return after(f"/cases/{number}", f"{text} being created beside {plan.ticket.key}.")

        return await forms.answer(http, number, "parts", recorded())

    return pages

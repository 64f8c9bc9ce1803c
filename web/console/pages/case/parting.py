"""One ticket about several matters: which of them get tickets of their own, shown first, then confirmed."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response

from triage.services.casework.parting import PartPlan
from web.console.guard import Approver
from web.console.pages.parameters import CaseNumber, connected, refused_as_unfit
from web.console.render import Render, after
from web.context import WebContext

Parts = Annotated[Sequence[int], Form(max_length=20)]


def parting_pages(at: WebContext, render: Render) -> APIRouter:
    """Return the pages by which parts of a checklist become tickets."""
    pages = APIRouter()

    async def parted(number: str, part: Sequence[int]) -> PartPlan:
        with refused_as_unfit():
            return await connected(at.merging).plan_parts(number, part)

    @pages.post("/{number}/parts/preview")
    async def parts(http: Request, _: Approver, number: CaseNumber, part: Parts = ()) -> Response:
        """Show the tickets that would be created."""
        return render.page(http, "case/parting.html", number=number, plan=await parted(number, part))

    @pages.post("/{number}/parts")
    async def move(who: Approver, number: CaseNumber, part: Parts = ()) -> Response:
        """Record it."""
        plan = await parted(number, part)
        await connected(at.merging).part(plan, who.approver)
        text = "A ticket is" if len(plan.parts) == 1 else f"{len(plan.parts)} tickets are"
        return after(f"/cases/{number}", f"{text} being created beside {plan.ticket.key}.")

    return pages

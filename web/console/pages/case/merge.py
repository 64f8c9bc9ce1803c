"""Two tickets about one matter are merged, one about several is taken apart: shown first, then confirmed."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Form, Response

from web.console.console import Console
from web.console.guard import Approver
from web.console.pages.case.forms import of_form
from web.console.pages.parameters import CaseNumber, TicketKey, connected
from web.console.render import after

pages = APIRouter()


@pages.post("/{number}/merge/preview")
@of_form("merge")
async def preview(console: Console, who: Approver, number: CaseNumber, into: TicketKey = "") -> Response:
    """Show what would be written to both tickets."""
    plan = await connected(console.services.merging).plan(number, into, who.approver)
    return console.page("case/merge.html", number=number, plan=plan)


@pages.post("/{number}/merge")
@of_form("merge")
async def merge(console: Console, who: Approver, number: CaseNumber, into: TicketKey = "") -> Response:
    merging = connected(console.services.merging)
    plan = await merging.plan(number, into, who.approver)
    await merging.merge(plan, who.approver)
    return after(f"/cases/{number}", f"{plan.gone.key} is being merged into {plan.stays.key}.")


@pages.post("/{number}/split")
@of_form("merge")
async def split(console: Console, who: Approver, number: CaseNumber) -> Response:
    """Take a merge back."""
    return after(f"/cases/{number}", await connected(console.services.merging).split(number, who.approver))


Parts = Annotated[Sequence[int], Form(max_length=20)]


@pages.post("/{number}/parts/preview")
@of_form("parts")
async def parts(console: Console, _: Approver, number: CaseNumber, part: Parts = ()) -> Response:
    """Show the tickets that would be created."""
    plan = await connected(console.services.merging).plan_parts(number, part)
    return console.page("case/parting.html", number=number, plan=plan)


@pages.post("/{number}/parts")
@of_form("parts")
async def move(console: Console, who: Approver, number: CaseNumber, part: Parts = ()) -> Response:
    merging = connected(console.services.merging)
    plan = await merging.plan_parts(number, part)
    await merging.part(plan, who.approver)
    text = "A ticket is" if len(plan.parts) == 1 else f"{len(plan.parts)} tickets are"
    return after(f"/cases/{number}", f"{text} being created beside {plan.ticket.key}.")

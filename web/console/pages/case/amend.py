"""Another person, type or priority for a case's ticket: shown as a change first, then confirmed."""

from typing import Annotated

from fastapi import APIRouter, Form, Response
from pydantic import BaseModel, Field

from triage.policy.approvals.amendment import WantedChange
from triage.services.casework.amending import AmendPlan
from web.console.console import Console
from web.console.guard import Approver
from web.console.pages.case.forms import of_form
from web.console.pages.parameters import CaseNumber, connected
from web.console.render import after

pages = APIRouter()


class AmendForm(BaseModel):
    """The fields of the ticket that somebody may change; empty: as it is."""

    assignee: str = Field("", max_length=200)
    kind: str = Field("", max_length=200)
    priority: str = Field("", max_length=200)

    @property
    def wanted(self) -> WantedChange:
        return WantedChange(assignee=self.assignee.strip(), issue_type=self.kind, priority=self.priority)


class AmendOrder(AmendForm):
    """The change, once more, as it was shown."""

    shown: str = Field(pattern=r"^[0-9a-f]{64}$")


@pages.post("/{number}/ticket/preview")
@of_form("ticket")
async def preview(console: Console, _: Approver, number: CaseNumber, form: Annotated[AmendForm, Form()]) -> Response:
    """Show what would change on the ticket."""
    return _page(console, number, form.wanted, await connected(console.services.amending).plan(number, form.wanted))


@pages.post("/{number}/ticket")
@of_form("ticket")
async def amend(console: Console, who: Approver, number: CaseNumber, order: Annotated[AmendOrder, Form()]) -> Response:
    """Record it, if it is still what was shown; a worker writes it."""
    amending = connected(console.services.amending)
    plan = await amending.plan(number, order.wanted)
    if plan.hash != order.shown:
        return _page(console, number, order.wanted, plan, moved=True)
    await amending.order(plan, who.approver)
    lines = "; ".join(one.text for one in plan.changes)
    return after(f"/cases/{number}", f"Corrected: {plan.ticket} {lines}. It is being written.")


def _page(console: Console, number: str, wanted: WantedChange, plan: AmendPlan, *, moved: bool = False) -> Response:
    return console.page("case/amend.html", number=number, wanted=wanted, plan=plan, moved=moved)

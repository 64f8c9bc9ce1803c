"""Another person, type or priority for a case's ticket: shown as a change first, then confirmed."""

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response

from triage.policy.approvals.amendment import WantedChange
from triage.services.casework.amending import AmendPlan
from web.console.guard import Approver
from web.console.pages.case.forms import CorrectForms
from web.console.pages.parameters import CaseNumber, connected
from web.console.render import Render, after
from web.context import WebContext

Name = Annotated[str, Form(max_length=200)]
Hash = Annotated[str, Form(pattern=r"^[0-9a-f]{64}$")]


def amend_pages(at: WebContext, render: Render) -> APIRouter:
    pages, forms = APIRouter(), CorrectForms(at, render)

    def page(http: Request, number: str, wanted: WantedChange, plan: AmendPlan, *, moved: bool = False) -> Response:
        return render.page(http, "case/amend.html", number=number, wanted=wanted, plan=plan, moved=moved)

    @pages.post("/{number}/ticket/preview")
    async def preview(
        http: Request, _: Approver, number: CaseNumber, assignee: Name = "", kind: Name = "", priority: Name = ""
    ) -> Response:
        """Show what would change on the ticket."""
        wanted = WantedChange(assignee=assignee.strip(), issue_type=kind, priority=priority)

        async def shown() -> Response:
            return page(http, number, wanted, await connected(at.amending).plan(number, wanted))

        return await forms.answer(http, number, "ticket", shown())

    @pages.post("/{number}/ticket")
    async def amend(  # noqa: PLR0917 - fields of a form
        http: Request,
        who: Approver,
        number: CaseNumber,
        shown: Hash,
        assignee: Name = "",
        kind: Name = "",
        priority: Name = "",
    ) -> Response:
        """Record it, if it is still what was shown; a worker writes it."""
        wanted = WantedChange(assignee=assignee.strip(), issue_type=kind, priority=priority)

        async def recorded() -> Response:
            amending = connected(at.amending)
            plan = await amending.plan(number, wanted)
            if plan.hash != shown:
                return page(http, number, wanted, plan, moved=True)
            await amending.order(plan, who.approver)
            lines = "; ".join(one.text for one in plan.changes)
            return after(f"/cases/{number}", f"Corrected: {plan.ticket} {lines}. It is being written.")

        return await forms.answer(http, number, "ticket", recorded())

    return pages

"""A case decided again without effects: with another model, agent or the rules of now, beside what was decided."""

from typing import Annotated, Final

from fastapi import APIRouter, Form, Request, Response

from triage.services.casework.dry_runs import Otherwise
from web.console.guard import Approver
from web.console.pages.case.compare import compared
from web.console.pages.parameters import CaseNumber
from web.console.render import Render
from web.context import WebContext

Model = Annotated[str, Form(pattern=r"^[A-Za-z0-9._:/@ -]{0,100}$")]
Agent = Annotated[str, Form(pattern=r"^[A-Za-z0-9_-]{0,60}$")]
AS_NOW: Final = Otherwise()


def replay_pages(at: WebContext, render: Render) -> APIRouter:
    """Return the pages of replays."""
    pages = APIRouter()

    def agents() -> list[str]:
        return sorted({one.agent for one in at.permissions()})

    @pages.get("/{number}/replay")
    async def ask(http: Request, _: Approver, number: CaseNumber) -> Response:
        """Ask what should be different."""
        report = await at.reports.report(number)
        return render.page(
            http, "case/replay.html", number=number, report=report, agents=agents(), chosen=AS_NOW, comparison=None,
            ready=at.dry_runs is not None,
        )  # fmt: skip

    @pages.post("/{number}/replay")
    async def replay(http: Request, _: Approver, number: CaseNumber, model: Model = "", agent: Agent = "") -> Response:
        """Decide it again on a copy of the store, and show both sides."""
        chosen = Otherwise(model=model.strip(), profile=agent)
        report = await at.reports.report(number)
        would = await at.dry_runs.replay(number, chosen) if at.dry_runs is not None else None
        return render.page(
            http, "case/replay.html", number=number, report=report, agents=agents(), chosen=chosen,
            comparison=compared(report, would) if would else None, ready=at.dry_runs is not None,
        )  # fmt: skip

    return pages

"""Health: whether mail can be accepted, what waits, what needs a person; and the pause of all writing."""

from typing import Annotated, Final

from fastapi import APIRouter, Form, Request, Response
from starlette.exceptions import HTTPException

from triage.services.approvals import ApprovalService
from web.console.guard import Admin, Viewer
from web.console.pages.work.approvals import NO_JIRA
from web.console.render import Render, after
from web.context import WebContext

HERE: Final = "/operations"
Why = Annotated[str, Form(max_length=300)]


def operation_pages(at: WebContext, render: Render) -> APIRouter:
    """Return the page of health, and the two buttons on it."""
    pages = APIRouter(prefix=HERE)

    def switch() -> ApprovalService:
        if at.approvals is None:
            raise HTTPException(409, NO_JIRA)
        return at.approvals

    @pages.get("")
    async def health(http: Request, _: Viewer) -> Response:
        """Show the state of this moment."""
        facts = {"parts": await at.health.parts(), "now": await at.system.status.now(), "machine": at.system.machine()}
        return render.page(http, "operations/page.html", can_pause=at.approvals is not None, **facts)

    @pages.post("/pause")
    async def pause(visitor: Admin, why: Why = "") -> Response:
        """Stop all writing to other systems; mail is still accepted and read."""
        await switch().pause(visitor.approver, " ".join(why.split()))
        return after(HERE, "Nothing is written to other systems any more, until somebody resumes.")

    @pages.post("/resume")
    async def resume(visitor: Admin) -> Response:
        """Go on writing."""
        ended = await switch().resume(visitor.approver)
        return after(HERE, "Triage writes again." if ended else "It was not paused.")

    return pages

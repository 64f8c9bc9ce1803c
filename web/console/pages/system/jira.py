"""Jira: what `triage doctor` finds there, each with its cure."""

from typing import Annotated, Final

from fastapi import APIRouter, Form, Request, Response

from triage.services.installation.self_check import CheckScope
from web.console.guard import Approver
from web.console.render import Render, after
from web.context import WebContext

HERE: Final = "/jira"


def jira_pages(at: WebContext, render: Render) -> APIRouter:
    """Return the page of findings, and the buttons that look again."""
    pages = APIRouter(prefix=HERE)

    @pages.get("")
    async def findings(http: Request, _: Approver) -> Response:
        """Show the last look of this process, as far as it is."""
        return render.page(http, "jira/page.html", run=at.system.check.last)

    @pages.post("")
    async def look(visitor: Approver, looks: Annotated[CheckScope, Form()]) -> Response:
        """Begin to look, unless somebody's look goes on."""
        at.system.check.begin(looks, visitor.name)
        return after(HERE)

    return pages

"""One case: the mail, what was found, what was written."""

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from web.console.guard import Viewer
from web.console.render import Render
from web.context import WebContext

CaseId = Annotated[str, Path(pattern=r"^[1-9][0-9]{0,8}$")]


def case_pages(at: WebContext, render: Render) -> APIRouter:
    """Return the pages about one case."""
    pages = APIRouter(prefix="/cases")

    @pages.get("/{number}")
    async def case(http: Request, visitor: Viewer, number: CaseId) -> Response:
        """Show what became of a mail; its words only to approvers."""
        report = await at.reports.report(number)
        return render.page(http, "case/page.html", report=report, case=report.case, words=visitor.may("approver"))

    return pages

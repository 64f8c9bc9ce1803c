"""The inbox: cases, newest first."""

from fastapi import APIRouter, Request, Response

from web.console.guard import Viewer
from web.console.render import Render
from web.context import WebContext

SHOWN = 50


def inbox_pages(at: WebContext, render: Render) -> APIRouter:
    """Return the inbox."""
    pages = APIRouter()

    @pages.get("/")
    async def inbox(http: Request, _: Viewer) -> Response:
        """List the newest cases."""
        return render.page(http, "inbox/page.html", page=await at.reports.page(SHOWN))

    return pages

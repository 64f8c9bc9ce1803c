"""Shows how Markdown will read while somebody writes it."""

from fastapi import APIRouter, Request, Response

from web.console.guard import FORM_KEY, Viewer
from web.console.places import PREVIEW
from web.console.render import Render
from web.context import WebContext


def preview_pages(_: WebContext, render: Render) -> APIRouter:
    """Return the one address that every form with Markdown asks."""
    pages = APIRouter(prefix=PREVIEW)

    @pages.post("")
    async def preview(http: Request, _: Viewer, article: bool = False) -> Response:  # noqa: FBT001, FBT002 - a query
        """Return the text of the one field that was sent, rendered; nothing is kept."""
        sent = await http.form()
        texts = [value for name, value in sent.items() if name != FORM_KEY and isinstance(value, str)]
        return render.page(http, "preview.fragment.html", text=texts[0] if texts else "", article=article)

    return pages

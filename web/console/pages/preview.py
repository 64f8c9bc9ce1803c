"""Shows how Markdown will read while somebody writes it."""

from fastapi import APIRouter, Response

from web.console.console import Console
from web.console.guard import FORM_KEY, Viewer
from web.console.places import PREVIEW

pages = APIRouter(prefix=PREVIEW)


@pages.post("")
async def preview(console: Console, _: Viewer, article: bool = False) -> Response:  # noqa: FBT001, FBT002 - a query
    """Return the text of the one field that was sent, rendered; nothing is kept."""
    sent = await console.http.form()
    texts = [value for name, value in sent.items() if name != FORM_KEY and isinstance(value, str)]
    return console.page("preview.fragment.html", text=texts[0] if texts else "", article=article)

"""Serves the HTML pages and the event stream that refreshes them; all are read-only."""

import secrets
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from fastapi.sse import EventSourceResponse, ServerSentEvent
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from triage_sandbox.jira.board.cards import BACKLOG, NOBODY, Shown, board
from triage_sandbox.jira.board.tickets import ticket
from triage_sandbox.jira.ground.site import Site

_TEMPLATES: Final = Path(__file__).with_name("templates")
_POLICY: Final = (
    "default-src 'none'; script-src 'nonce-{0}'; style-src 'nonce-{0}'; connect-src 'self'; img-src data:;"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def router(site: Site) -> APIRouter:
    pages = APIRouter()
    show = _Pages(site)

    @pages.get("/", response_class=HTMLResponse)
    async def columns(
        request: Request, project: str = "", q: str = "", assignee: str = "", sprint: str = ""
    ) -> HTMLResponse:
        shown = board(site, Shown(project, q.strip()[:200], assignee, sprint))
        return show.page(request, "board.html", board=shown, nobody=NOBODY, backlog=BACKLOG)

    @pages.get("/browse/{key}", response_class=HTMLResponse)
    async def one(request: Request, key: str) -> HTMLResponse:
        found = ticket(site, key)
        return show.page(request, "ticket.html", 404 if found is None else 200, ticket=found, key=key)

    @pages.get("/reports/{case}", response_class=HTMLResponse)
    async def reported(request: Request, case: str) -> HTMLResponse:
        case_report = await site.report(case) if site.report else None
        return show.page(request, "report.html", 404 if case_report is None else 200, report=case_report, case=case)

    @pages.get("/events", response_class=EventSourceResponse)
    async def events() -> AsyncIterator[ServerSentEvent]:
        async for changes in site.feed.follow():
            yield ServerSentEvent(data=changes)

    return pages


class _Pages:
    """Templates with everything escaped, each page with a nonce of its own."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._templates = Environment(
            loader=FileSystemLoader(_TEMPLATES),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )

    def page(self, request: Request, name: str, status: int = 200, **facts: Any) -> HTMLResponse:
        nonce, root = secrets.token_urlsafe(16), request.scope.get("root_path", "")
        html = self._templates.get_template(name).render(
            nonce=nonce,
            site=self._site,
            root=root,
            reports=f"{root}/reports/" if self._site.report else "",
            frame="part.html" if "x-part" in request.headers else "page.html",
            **facts,
        )
        return HTMLResponse(html, status, {**_HEADERS, "Content-Security-Policy": _POLICY.format(nonce)})

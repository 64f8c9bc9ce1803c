"""The application of the console: its pages, its errors, its static files."""

from functools import partial
from typing import Final

from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig
from starlette.types import ASGIApp

from web.console.assets import Assets
from web.console.console import ConsoleRequest
from web.console.errors import ErrorPages
from web.console.guard import Sessions
from web.console.inbox.live import LiveInbox
from web.console.pages import bulk, inbox, insights, preview
from web.console.pages.case import pages as case
from web.console.pages.knowledge import pages as knowledge
from web.console.pages.memory import ask, board, graph, notes
from web.console.pages.people import accounts, first, provider, sign_in
from web.console.pages.support import chat, conversations
from web.console.pages.system import agents, audit, jira, mailboxes, operations, rules
from web.console.pages.work import approvals, letters, try_it
from web.console.render import Render
from web.console.way_in import WayIn
from web.context import WebContext
from web.frame import FormLimit
from web.live.stream import Streams

QUIET: Final[TelemetryConfig] = {"tracing": False, "metrics": False, "logs": False}
"""FastAPI would look for telemetry exporters at every request and send them the text of our errors."""
PAGES: Final = (
    inbox,
    bulk,
    case,
    approvals,
    letters,
    preview,
    knowledge,
    insights,
    try_it,
    rules,
    agents,
    mailboxes,
    jira,
    operations,
    audit,
    first,
    sign_in,
    provider,
    accounts,
)
"""A row for each subject; the last four ask who somebody is."""
MEMORY: Final = (board, notes, graph, ask)
SUPPORT: Final = (chat, conversations)


def console_app(at: WebContext, way_in: WayIn) -> ASGIApp:
    assets = Assets()
    optional = {"memory": at.memory, "support": at.support}
    render = Render(assets, at.tracker_url, frozenset(name for name, services in optional.items() if services))
    app = FastAPI(
        title="Triage", docs_url=None, redoc_url=None, openapi_url=None, redirect_slashes=False, telemetry=QUIET
    )
    app.state.sessions = Sessions(way_in)
    app.state.console = partial(
        ConsoleRequest,
        services=at,
        way_in=way_in,
        render=render,
        live=LiveInbox(at.inbox, render),
        streams=Streams(at.stop),
    )
    app.add_route("/static/{digest}/{name}", assets.answer)
    for subject in (*PAGES, *(MEMORY if at.memory else ()), *(SUPPORT if at.support else ())):
        app.include_router(subject.pages)
    ErrorPages(render).add_to(app)
    return FormLimit(app, at.max_mail_bytes)

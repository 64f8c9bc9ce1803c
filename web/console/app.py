"""The application of the console: its pages, its errors, its static files."""

from collections.abc import Callable
from typing import Final

from fastapi import APIRouter, FastAPI
from fastapi.telemetry import TelemetryConfig
from starlette.types import ASGIApp

from web.console.assets import Assets
from web.console.errors import add_handlers
from web.console.guard import Sessions
from web.console.pages.bulk import bulk_pages
from web.console.pages.case.pages import case_pages
from web.console.pages.inbox import inbox_pages
from web.console.pages.insights import insight_pages
from web.console.pages.knowledge.pages import knowledge_pages
from web.console.pages.memory.ask import ask_pages
from web.console.pages.memory.board import board_pages
from web.console.pages.memory.graph import graph_pages
from web.console.pages.memory.notes import note_pages
from web.console.pages.people.accounts import account_pages
from web.console.pages.people.first import first_pages
from web.console.pages.people.provider import provider_pages
from web.console.pages.people.sign_in import sign_in_pages
from web.console.pages.preview import preview_pages
from web.console.pages.support.chat import chat_pages
from web.console.pages.support.conversations import conversation_pages
from web.console.pages.system.agents import agent_pages
from web.console.pages.system.audit import audit_pages
from web.console.pages.system.jira import jira_pages
from web.console.pages.system.mailboxes import mailbox_pages
from web.console.pages.system.operations import operation_pages
from web.console.pages.system.rules import rule_pages
from web.console.pages.work.approvals import approval_pages
from web.console.pages.work.letters import letter_pages
from web.console.pages.work.try_it import try_pages
from web.console.render import Render
from web.console.way_in import WayIn
from web.context import WebContext
from web.frame import FormLimit

QUIET: Final[TelemetryConfig] = {"tracing": False, "metrics": False, "logs": False}
"""FastAPI would look for telemetry exporters at every request and send them the text of our errors."""
Pages = Callable[[WebContext, Render], APIRouter]
PAGES: Final[tuple[Pages, ...]] = (
    inbox_pages,
    bulk_pages,
    case_pages,
    approval_pages,
    letter_pages,
    preview_pages,
    knowledge_pages,
    insight_pages,
    try_pages,
    rule_pages,
    agent_pages,
    mailbox_pages,
    jira_pages,
    operation_pages,
    audit_pages,
)
"""A row for each subject."""
PEOPLE: Final = (first_pages, sign_in_pages, provider_pages, account_pages)
"""Those that ask who somebody is."""


def console_app(at: WebContext, way_in: WayIn) -> ASGIApp:
    assets = Assets()
    optional = {"memory": at.memory, "support": at.support}
    render = Render(assets, at.tracker_url, frozenset(name for name, services in optional.items() if services))
    app = FastAPI(
        title="Triage", docs_url=None, redoc_url=None, openapi_url=None, redirect_slashes=False, telemetry=QUIET
    )
    app.state.sessions = Sessions(way_in)
    app.add_route("/static/{digest}/{name}", assets.answer)
    for pages in PAGES:
        app.include_router(pages(at, render))
    if at.memory is not None:
        for of_memory in (board_pages, note_pages, graph_pages, ask_pages):
            app.include_router(of_memory(at.memory, render))
    if at.support is not None:
        for of_support in (chat_pages, conversation_pages):
            app.include_router(of_support(at, at.support, render))
    for people in PEOPLE:
        app.include_router(people(way_in, render))
    add_handlers(app, render)
    return FormLimit(app, at.max_mail_bytes)

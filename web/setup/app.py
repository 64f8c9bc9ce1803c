"""The page of `triage init --browser`: a form for the token, then one question after the other; needs no script."""

import hmac
from dataclasses import dataclass
from typing import Annotated, Final
from urllib.parse import urlsplit

from fastapi import APIRouter, FastAPI, Form, Request, Response
from fastapi.telemetry import TelemetryConfig
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from triage.domain.errors import Refused
from triage.domain.operations.errors import TooManyTries
from triage.services.setup.page_access import SetupAccess
from web.console.assets import Assets
from web.console.errors import ErrorPages
from web.console.guard import FORM_KEY, form_key_of, is_foreign
from web.console.pages.people.sign_in import words_of
from web.console.render import Render, after
from web.console.way_in import peer_of
from web.frame import FormLimit, held
from web.setup.dialogue import SetupDialogue

COOKIE: Final = "triage_setup"
HERE: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""Names of this machine: a page of another name that leads here (DNS rebinding) is refused."""
QUIET: Final[TelemetryConfig] = {"tracing": False, "metrics": False, "logs": False}
SOON: Final = 8.0
"""Seconds that an answer waits for what comes of it, before the page says that something is tried out."""
STEPS: Final = (
    ("Jira", "Jira"),
    ("Mailbox", "Mailbox"),
    ("Model", "Model"),
    ("Letters (optional)", "Letters"),
    ("What will be written", "Files"),
    ("triage doctor", "Doctor"),
    ("Your first mail", "First mail"),
)
"""Heading of each part, and its short name."""


class AccessForm(BaseModel):
    """The form that asks for the token and, if there are accounts, for an admin's login."""

    token: str = Field(max_length=200)
    address: str = Field("", max_length=300)
    password: str = Field("", max_length=2_000)


class AnswerForm(BaseModel):
    """The form of a question."""

    key: str = Field("", alias=FORM_KEY, max_length=200)
    number: int
    text: str = Field("", max_length=4_000)
    other: str = Field("", max_length=4_000)
    """Another word than those of the list."""
    turn: str = Field("", max_length=10)


@dataclass(frozen=True, slots=True)
class SetupPages:
    """The pages over one set-up; held by the application as `state.setup`."""

    access: SetupAccess
    dialogue: SetupDialogue
    render: Render

    def entrance(self, http: Request, status: int = 200, wrong: str = "") -> Response:
        """Return the form for the token, or say that the set-up is over."""
        access = self.access
        facts = {"wrong": wrong, "open": access.is_open, "admin": access.admin is not None}
        return self.render.page(http, "setup/enter.html", status if access.is_open else 403, **facts)

    async def question(self, http: Request, session: str) -> Response:
        """Return the question that waits, or what was found out meanwhile."""
        dialogue = self.dialogue
        await dialogue.settled(1.0)
        facts = {"at": dialogue, "steps": STEPS, "key": form_key_of(session)}
        page = self.render.page(http, "setup/page.html", **facts)
        if dialogue.ended:
            dialogue.seen.set()
        elif dialogue.question is None:
            page.headers["refresh"] = "2"
        return page


Setup = Annotated[SetupPages, held("setup")]
pages = APIRouter()


@pages.get("/")
async def show(setup: Setup, http: Request) -> Response:
    session = http.cookies.get(COOKIE, "")
    return await setup.question(http, session) if setup.access.holds(session) else setup.entrance(http)


@pages.post("/enter")
async def enter(setup: Setup, http: Request, given: Annotated[AccessForm, Form()]) -> Response:
    """Let in whoever has the token."""
    _refuse_foreign(http)
    try:
        session = await setup.access.enter(given.token, given.address, given.password, peer_of(http).host)
    except Refused as e:
        return setup.entrance(http, 429 if isinstance(e, TooManyTries) else 400, words_of(e))
    await setup.dialogue.settled(SOON)
    answer = after("/")
    answer.set_cookie(COOKIE, session, path="/", httponly=True, samesite="strict")
    return answer


@pages.post("/answer")
async def answer(setup: Setup, http: Request, given: Annotated[AnswerForm, Form()]) -> Response:
    """Take an answer, and wait a little for what comes of it."""
    _refuse_foreign(http)
    session = http.cookies.get(COOKIE, "")
    if not setup.access.holds(session) or not hmac.compare_digest(given.key.encode(), form_key_of(session).encode()):
        raise HTTPException(403, "The form is not of this set-up.")
    setup.dialogue.answered(given.number, given.other.strip() or given.text, given.turn)
    await setup.dialogue.settled(SOON)
    return after("/")


def setup_app(access: SetupAccess, dialogue: SetupDialogue) -> ASGIApp:
    """Build the page over one set-up."""
    assets = Assets()
    render = Render(assets)
    app = FastAPI(
        title="Triage", docs_url=None, redoc_url=None, openapi_url=None, redirect_slashes=False, telemetry=QUIET
    )
    app.state.setup = SetupPages(access, dialogue, render)
    app.add_route("/static/{digest}/{name}", assets.answer)
    app.include_router(pages)
    ErrorPages(render).add_to(app)
    return OnThisMachine(FormLimit(app, 0))


def _refuse_foreign(http: Request) -> None:
    if is_foreign(http, ""):
        raise HTTPException(403, "The form was sent from another site.")


class OnThisMachine:
    """Middleware that answers to names of this machine alone."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, unless its host is another one."""
        host = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
        name = urlsplit(f"//{host}").netloc.rpartition("@")[2]
        name = name.partition("]")[0] + "]" if name.startswith("[") else name.partition(":")[0]
        if name not in HERE:
            await PlainTextResponse("This page answers on this machine alone.", 421)(scope, receive, send)
            return
        await self._app(scope, receive, send)

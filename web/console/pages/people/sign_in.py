"""Sign-in and sign-out."""

from typing import Annotated, Final

from fastapi import APIRouter, Form, Query, Request, Response
from pydantic import BaseModel, Field

from triage.domain.errors import Refused
from triage.domain.operations.accounts import SignedIn
from triage.domain.operations.errors import TooManyTries
from triage.domain.text.counts import many
from triage.policy.operations.sign_in import safe_path
from web.console.guard import Viewer, Visitor, form_key_of, refuse_foreign
from web.console.kept import kept_in
from web.console.render import Render, after
from web.console.way_in import DEVICE, WayIn, peer_of

Place = Annotated[str, Query(alias="next", max_length=4_000)]


class SignInForm(BaseModel):
    """The form of the sign-in: address and password, or an access token."""

    address: str = Field("", max_length=300)
    password: str = Field("", max_length=2_000)
    token: str = Field("", max_length=200)
    to: str = Field("/", alias="next", max_length=4_000)
    kept: str = ""
    """A form whose session had ended, as `kept.py` writes it."""


NOTHING_TYPED: Final = {"wrong": "", "kept": "", "address": ""}
"""What the page has before anybody has tried to sign in."""


def sign_in_pages(at: WayIn, render: Render) -> APIRouter:
    pages = APIRouter()

    async def form(http: Request, to: str, status: int = 200, **typed: str) -> Response:
        provider = at.provider.name if at.provider else ""
        facts = {"to": safe_path(to), "provider": provider, "first": await at.is_new(), **NOTHING_TYPED, **typed}
        return render.page(http, "sign_in/page.html", status, **facts)

    @pages.get("/sign-in")
    async def show(http: Request, to: Place = "/") -> Response:
        return await form(http, to)

    @pages.post("/sign-in")
    async def enter(http: Request, given: Annotated[SignInForm, Form()]) -> Response:
        """Begin a session; the one that the browser had ends."""
        refuse_foreign(http)
        try:
            text, who = await _entered(at, http, given)
        except Refused as e:
            status = 429 if isinstance(e, TooManyTries) else 401
            return await form(http, given.to, status, wrong=words_of(e), kept=given.kept, address=given.address)
        await at.sessions.sign_out(http.cookies.get(at.cookie, ""))
        if kept := kept_in(given.kept):
            http.state.visitor = Visitor(who=who, form_key=form_key_of(text))
            answer: Response = render.page(http, "sign_in/kept.html", kept=kept)
        else:
            answer = after(safe_path(given.to))
        return let_in(at, http, answer, text, who)

    @pages.post("/sign-out")
    async def leave(http: Request, _: Viewer) -> Response:
        await at.sessions.sign_out(http.cookies.get(at.cookie, ""))
        answer = after("/sign-in", "You are signed out.")
        at.drop(answer)
        return answer

    return pages


async def _entered(at: WayIn, http: Request, given: SignInForm) -> tuple[str, SignedIn]:
    if given.token:
        return await at.sessions.by_token(given.token, peer_of(http))
    mark = http.cookies.get(DEVICE, "")
    return await at.sessions.by_password(given.address, given.password, peer_of(http), mark)


def let_in(at: WayIn, http: Request, answer: Response, text: str, who: SignedIn) -> Response:
    """Give the browser its session, and remember it as one of this person's."""
    at.keep(answer, http, text)
    if who.account:
        at.know(answer, http, who.account.address)
    return answer


def words_of(e: Refused) -> str:
    """Return the error's sentence, and how long to wait where it says so."""
    return f"{e.sentence()} Wait {many(e.seconds, 'second')}." if isinstance(e, TooManyTries) else e.sentence()

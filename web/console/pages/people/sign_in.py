"""Sign-in and sign-out."""

from typing import Annotated, Final

from fastapi import APIRouter, Form, Query, Response
from pydantic import BaseModel, Field

from triage.domain.errors import Refused
from triage.domain.operations.accounts import SignedIn
from triage.domain.operations.errors import TooManyTries
from triage.domain.text.counts import many
from triage.policy.operations.sign_in import safe_path
from web.console.console import Console
from web.console.guard import Viewer, Visitor, form_key_of, refuse_foreign
from web.console.kept import kept_in
from web.console.render import after
from web.console.way_in import DEVICE, peer_of

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

pages = APIRouter()


async def _form(console: Console, to: str, status: int = 200, **typed: str) -> Response:
    facts = {"provider": console.way_in.provider_name, "first": await console.way_in.is_new(), **NOTHING_TYPED, **typed}
    return console.page("sign_in/page.html", status, to=safe_path(to), **facts)


@pages.get("/sign-in")
async def show(console: Console, to: Place = "/") -> Response:
    return await _form(console, to)


@pages.post("/sign-in")
async def enter(console: Console, given: Annotated[SignInForm, Form()]) -> Response:
    """Begin a session; the one that the browser had ends."""
    refuse_foreign(console.http)
    try:
        text, who = await _entered(console, given)
    except Refused as e:
        status = 429 if isinstance(e, TooManyTries) else 401
        return await _form(console, given.to, status, wrong=words_of(e), kept=given.kept, address=given.address)
    await console.way_in.sign_out(console.http)
    if kept := kept_in(given.kept):
        console.http.state.visitor = Visitor(who=who, form_key=form_key_of(text))
        answer: Response = console.page("sign_in/kept.html", kept=kept)
    else:
        answer = after(safe_path(given.to))
    return let_in(console, answer, text, who)


@pages.post("/sign-out")
async def leave(console: Console, _: Viewer) -> Response:
    await console.way_in.sign_out(console.http)
    answer = after("/sign-in", "You are signed out.")
    console.way_in.drop(answer)
    return answer


async def _entered(console: Console, given: SignInForm) -> tuple[str, SignedIn]:
    sessions, peer = console.way_in.sessions, peer_of(console.http)
    if given.token:
        return await sessions.by_token(given.token, peer)
    return await sessions.by_password(given.address, given.password, peer, console.http.cookies.get(DEVICE, ""))


def let_in(console: Console, answer: Response, text: str, who: SignedIn) -> Response:
    """Give the browser its session, and remember it as one of this person's."""
    console.way_in.keep(answer, console.http, text)
    if who.account:
        console.way_in.know(answer, console.http, who.account.address)
    return answer


def words_of(e: Refused) -> str:
    """Return the error's sentence, and how long to wait where it says so."""
    return f"{e.sentence()} Wait {many(e.seconds, 'second')}." if isinstance(e, TooManyTries) else e.sentence()

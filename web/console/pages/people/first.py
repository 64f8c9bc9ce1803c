"""The first account: made by whoever reads what `triage serve` prints at its start."""

from typing import Annotated

from fastapi import APIRouter, Form, Response
from pydantic import BaseModel, Field

from triage.domain.errors import Refused
from triage.domain.operations.errors import TooManyTries
from web.console.console import Console
from web.console.guard import refuse_foreign
from web.console.pages.people.accounts import strength_hint
from web.console.pages.people.sign_in import let_in, words_of
from web.console.render import after
from web.console.way_in import peer_of

WELCOME = "You are the first admin. More accounts: Accounts, in the menu."


class FirstAccountForm(BaseModel):
    """The form."""

    token: str = Field(max_length=200)
    address: str = Field(max_length=300)
    name: str = Field("", max_length=300)
    password: str = Field(max_length=2_000)


class PasswordForm(BaseModel):
    """What of the form says how strong its password is."""

    address: str = Field("", max_length=300)
    name: str = Field("", max_length=300)
    password: str = Field("", max_length=2_000)


pages = APIRouter(prefix="/first")


@pages.get("")
async def show(console: Console) -> Response:
    if not await console.way_in.is_new():
        return after("/sign-in")
    return console.page("sign_in/first.html", wrong="", address="", name="")


@pages.post("")
async def make(console: Console, given: Annotated[FirstAccountForm, Form()]) -> Response:
    refuse_foreign(console.http)
    at, peer = console.way_in, peer_of(console.http)
    try:
        at.sessions.limits.take("first account", peer.host, "", at.sessions.clock.now())
        made = await at.first.use(given.token, given.address, given.name, given.password, at.accounts)
    except Refused as e:
        status = 429 if isinstance(e, TooManyTries) else 400
        facts = {"wrong": words_of(e), "address": given.address, "name": given.name}
        return console.page("sign_in/first.html", status, **facts)
    text, who = await at.sessions.of_account(made, peer)
    return let_in(console, after("/", WELCOME), text, who)


@pages.post("/strength")
async def strength(console: Console, given: Annotated[PasswordForm, Form()]) -> Response:
    """Say how strong a password is while somebody types it; to nobody once there is an account."""
    refuse_foreign(console.http)
    if not await console.way_in.is_new():
        return after("/sign-in")
    return await strength_hint(console, given.password, given.address, given.name)

"""Accounts: who may sign in, with which role, and where they are signed in; and one's own password."""

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import APIRouter, Form, Path, Response

from triage.domain.errors import Refused
from triage.domain.operations.accounts import Account
from triage.domain.operations.errors import AccountNotFound, PasswordWeak, SignInRefused
from triage.domain.operations.tokens import AccessScope
from web.console.console import Console
from web.console.guard import Admin, Viewer, Visitor
from web.console.pages.people.sign_in import words_of
from web.console.render import after
from web.console.way_in import peer_of

BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
"""Part of a `User-Agent` and the name; the first that is there, since most also claim to be those below."""
SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)
LONGEST: Final = 60

Number = Annotated[str, Path(pattern=r"^[1-9][0-9]{0,8}$")]
Text = Annotated[str, Form(max_length=300)]
Password = Annotated[str, Form(max_length=2_000)]
HERE = "/accounts"


@dataclass(frozen=True, slots=True, kw_only=True)
class FormProblem:
    """Why a form of the page was refused, beside which it is told, and what was typed."""

    new: str = ""
    password: str = ""
    address: str = ""
    name: str = ""
    role: str = ""


NO_PROBLEM: Final = FormProblem()

pages = APIRouter(prefix=HERE)


@pages.get("")
async def show(console: Console, visitor: Viewer) -> Response:
    """Show all accounts to admins, and to everybody his own."""
    return await _page(console, visitor)


@pages.post("")
async def add(console: Console, visitor: Admin, address: Text, role: Annotated[AccessScope, Form()], name: Text = "", password: Password = "") -> Response:  # fmt: skip
    """Make an account; without a password only where there is a provider to sign in with."""
    given = None if console.way_in.provider and not password else password
    try:
        return await _done(
            console.way_in.accounts.add(address, name, role, given, by=_who(visitor)), "{} may sign in now."
        )
    except Refused as e:
        return await _page(console, visitor, FormProblem(new=words_of(e), address=address, name=name, role=role))


@pages.post("/{number}/role")
async def role(
    console: Console, visitor: Admin, number: Number, to: Annotated[AccessScope, Form(alias="role")]
) -> Response:
    return await _done(console.way_in.accounts.set_role(number, to, by=_who(visitor)), f"{{}} is {to} now.")


@pages.post("/strength")
async def strength(console: Console, visitor: Viewer, password: Password = "", new_password: Password = "", address: Text = "", name: Text = "") -> Response:  # fmt: skip
    """Say how strong a password is while somebody types it: his own, or that of an account that he adds."""
    own = visitor.who.account
    if new_password and own:
        return await strength_hint(console, new_password, own.address, own.name)
    return await strength_hint(console, password, address, name)


@pages.post("/password")
async def password(console: Console, visitor: Viewer, old_password: Password, new_password: Password) -> Response:
    """Change one's own password; other browsers are signed out."""
    own = visitor.who.account
    if own is None:
        raise AccountNotFound("you are signed in by an access token")
    if await _wrong(console, own, old_password):
        return await _page(console, visitor, FormProblem(password=words_of(SignInRefused())))
    changed = console.way_in.accounts.set_password(
        str(own.id), new_password, by=own.address, keep=visitor.who.session.id
    )
    try:
        return await _done(changed, "The password is changed; your other browsers are signed out.")
    except PasswordWeak as e:
        return await _page(console, visitor, FormProblem(password=words_of(e)))


async def _page(console: Console, visitor: Visitor, problem: FormProblem = NO_PROBLEM) -> Response:
    """Return the page, with what one of its forms could not do."""
    accounts = await console.way_in.accounts.all()
    mine = [one for one in accounts if one == visitor.who.account or one.id == visitor.who.session.account]
    sessions = await console.way_in.accounts.open_sessions()
    return console.page(
        "accounts/page.html",
        200 if problem is NO_PROBLEM else 409,
        accounts=accounts if visitor.may("admin") else (),
        mine=mine[0] if mine else None,
        sessions=[one for one in sessions if visitor.may("admin") or one.account == visitor.who.session.account],
        names={one.id: one.address for one in accounts},
        browser_of=browser_of,
        here_now=visitor.who.session.id,
        roles=list(AccessScope),
        provider=console.way_in.provider_name,
        problem=problem,
    )


@pages.post("/{number}/disable")
async def disable(console: Console, visitor: Admin, number: Number) -> Response:
    """Let somebody sign in no more."""
    return await _done(
        console.way_in.accounts.disable(number, by=_who(visitor)), "{} is disabled and signed out everywhere."
    )


@pages.post("/{number}/enable")
async def enable(console: Console, visitor: Admin, number: Number) -> Response:
    """Let somebody sign in again."""
    return await _done(console.way_in.accounts.enable(number, by=_who(visitor)), "{} may sign in again.")


@pages.post("/{number}/erase")
async def erase(console: Console, visitor: Admin, number: Number) -> Response:
    return await _done(console.way_in.accounts.erase(number, by=_who(visitor)), "The account of {} is erased.")


@pages.post("/{number}/sessions")
async def end(console: Console, visitor: Admin, number: Number) -> Response:
    """Sign somebody out everywhere."""
    return await _done(console.way_in.accounts.end_sessions(number, by=_who(visitor)), "{} is signed out everywhere.")


async def strength_hint(console: Console, password: str, address: str, name: str) -> Response:
    """Return the line below a field; an empty one as long as nothing is typed."""
    strength = await console.way_in.accounts.strength(password, address, name) if password else ""
    return console.page("accounts/strength.fragment.html", strength=strength)


async def _wrong(console: Console, own: Account, old_password: str) -> bool:
    """Whether the old password is wrong; guessing it is as slow as at the sign-in. Raises `TooManyTries`."""
    at, host = console.way_in, peer_of(console.http).host
    at.sessions.limits.take(own.address, host, "", at.sessions.clock.now())
    try:
        await at.accounts.with_password(own.address, old_password)
    except SignInRefused:
        return True
    at.sessions.limits.give_back(own.address, host, "")
    return False


async def _done(change: Awaitable[Account], message: str) -> Response:
    return after(HERE, message.format((await change).address))


def _who(visitor: Visitor) -> str:
    return visitor.address or visitor.name


def browser_of(agent: str) -> str:
    """Return `Firefox on Windows`, or the beginning of what the browser says where nobody knows it."""
    browser = next((name for part, name in BROWSERS if part in agent), "")
    system = next((name for part, name in SYSTEMS if part in agent), "")
    known = " on ".join(filter(None, (browser, system))) if browser else ""
    return known or agent[:LONGEST] or "a browser that does not say which"

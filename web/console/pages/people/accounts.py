"""Accounts: who may sign in, with which role, and where they are signed in; and one's own password."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Final

from fastapi import APIRouter, Form, Path, Request, Response

from triage.domain.errors import Refused
from triage.domain.operations.accounts import Account
from triage.domain.operations.errors import AccountNotFound, PasswordWeak, SignInRefused
from triage.domain.operations.tokens import AccessScope
from web.console.guard import Admin, Viewer, Visitor
from web.console.pages.people.sign_in import words_of
from web.console.render import Render, after
from web.console.way_in import WayIn, peer_of

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


def account_pages(at: WayIn, render: Render) -> APIRouter:
    pages = APIRouter(prefix=HERE)
    page = partial(_page, at, render)

    @pages.get("")
    async def show(http: Request, visitor: Viewer) -> Response:
        """Show all accounts to admins, and to everybody his own."""
        return await page(http, visitor)

    @pages.post("")
    async def add(http: Request, visitor: Admin, address: Text, role: Annotated[AccessScope, Form()], name: Text = "", password: Password = "") -> Response:  # fmt: skip
        """Make an account; without a password only where there is a provider to sign in with."""
        given = None if at.provider and not password else password
        try:
            return await _done(at.accounts.add(address, name, role, given, by=_who(visitor)), "{} may sign in now.")
        except Refused as e:
            return await page(http, visitor, FormProblem(new=words_of(e), address=address, name=name, role=role))

    @pages.post("/{number}/role")
    async def role(visitor: Admin, number: Number, to: Annotated[AccessScope, Form(alias="role")]) -> Response:
        return await _done(at.accounts.set_role(number, to, by=_who(visitor)), f"{{}} is {to} now.")

    @pages.post("/strength")
    async def strength(http: Request, visitor: Viewer, password: Password = "", new_password: Password = "", address: Text = "", name: Text = "") -> Response:  # fmt: skip
        """Say how strong a password is while somebody types it: his own, or that of an account that he adds."""
        own = visitor.who.account
        if new_password and own:
            return await strength_hint(at, render, http, new_password, own.address, own.name)
        return await strength_hint(at, render, http, password, address, name)

    _add_ends(pages, at)
    _add_password(pages, at, page)
    return pages


def _add_password(pages: APIRouter, at: WayIn, page: Callable[..., Awaitable[Response]]) -> None:
    """Add the change of one's own password."""

    @pages.post("/password")
    async def password(http: Request, visitor: Viewer, old_password: Password, new_password: Password) -> Response:
        """Change one's own password; other browsers are signed out."""
        own = visitor.who.account
        if own is None:
            raise AccountNotFound("you are signed in by an access token")
        if await _wrong(at, http, own, old_password):
            return await page(http, visitor, FormProblem(password=words_of(SignInRefused())))
        changed = at.accounts.set_password(str(own.id), new_password, by=own.address, keep=visitor.who.session.id)
        try:
            return await _done(changed, "The password is changed; your other browsers are signed out.")
        except PasswordWeak as e:
            return await page(http, visitor, FormProblem(password=words_of(e)))


async def _page(
    at: WayIn, render: Render, http: Request, visitor: Visitor, problem: FormProblem = NO_PROBLEM
) -> Response:
    """Return the page, with what one of its forms could not do."""
    accounts = await at.accounts.all()
    mine = [one for one in accounts if one == visitor.who.account or one.id == visitor.who.session.account]
    sessions = await at.accounts.open_sessions()
    return render.page(
        http,
        "accounts/page.html",
        200 if problem is NO_PROBLEM else 409,
        accounts=accounts if visitor.may("admin") else (),
        mine=mine[0] if mine else None,
        sessions=[one for one in sessions if visitor.may("admin") or one.account == visitor.who.session.account],
        names={one.id: one.address for one in accounts},
        browser_of=browser_of,
        here_now=visitor.who.session.id,
        roles=list(AccessScope),
        provider=at.provider.name if at.provider else "",
        problem=problem,
    )


def _add_ends(pages: APIRouter, at: WayIn) -> None:
    """Add what ends an account, for a time or for ever, and its sessions."""

    @pages.post("/{number}/disable")
    async def disable(visitor: Admin, number: Number) -> Response:
        """Let somebody sign in no more."""
        return await _done(at.accounts.disable(number, by=_who(visitor)), "{} is disabled and signed out everywhere.")

    @pages.post("/{number}/enable")
    async def enable(visitor: Admin, number: Number) -> Response:
        """Let somebody sign in again."""
        return await _done(at.accounts.enable(number, by=_who(visitor)), "{} may sign in again.")

    @pages.post("/{number}/erase")
    async def erase(visitor: Admin, number: Number) -> Response:
        return await _done(at.accounts.erase(number, by=_who(visitor)), "The account of {} is erased.")

    @pages.post("/{number}/sessions")
    async def end(visitor: Admin, number: Number) -> Response:
        """Sign somebody out everywhere."""
        return await _done(at.accounts.end_sessions(number, by=_who(visitor)), "{} is signed out everywhere.")


async def strength_hint(at: WayIn, render: Render, http: Request, password: str, address: str, name: str) -> Response:
    """Return the line below a field; an empty one as long as nothing is typed."""
    strength = await at.accounts.strength(password, address, name) if password else ""
    return render.page(http, "accounts/strength.fragment.html", strength=strength)


async def _wrong(at: WayIn, http: Request, own: Account, old_password: str) -> bool:
    """Whether the old password is wrong; guessing it is as slow as at the sign-in. Raises `TooManyTries`."""
    host = peer_of(http).host
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

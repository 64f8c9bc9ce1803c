"""Admits visitors: by the session, its role, and a check that a form was sent from one of our pages."""

import hashlib
import hmac
from dataclasses import dataclass
from typing import Annotated, Final
from urllib.parse import urlsplit

from fastapi import Depends, Request
from starlette.exceptions import HTTPException

from triage.domain.approvals import Approver as Person
from triage.domain.operations.accounts import SignedIn
from triage.domain.operations.errors import NotSignedIn
from triage.domain.operations.tokens import AccessScope
from web.console.way_in import WayIn

FORM_KEY: Final = "form_key"
"""Name of the field, and in small letters with `x-` of the header, that a page of ours sends with each change."""
HEADER: Final = "x-form-key"
BY_ITSELF: Final = "x-by-itself"
"""Header of what a page asks without anybody touching it: that keeps no session awake."""
SAFE_METHODS: Final = frozenset({"GET", "HEAD"})


class SignedOut(Exception):  # noqa: N818  # not an error: the page of sign-in answers it
    """The request has no valid session."""


class FormStale(Exception):  # noqa: N818  # not an error: the page of kept text answers it
    """A page of ours sent the form, in an older session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """The person of a session."""

    who: SignedIn
    form_key: str
    """What proves that a change comes from a page of this session."""

    @property
    def name(self) -> str:
        """As pages show him."""
        return self.who.name

    @property
    def scope(self) -> AccessScope:
        return self.who.scope

    @property
    def address(self) -> str:
        """Proven address; empty: a program's token."""
        return self.who.address

    @property
    def approver(self) -> Person:
        """Himself, as services want whoever decides."""
        return self.who.approver

    def may(self, scope: str) -> bool:
        """Whether he may do what the scope `viewer`, `reader`, `approver` or `admin` may; asked by templates."""
        return self.scope.covers(AccessScope(scope))


@dataclass(frozen=True, slots=True)
class Sessions:
    """Finds the visitor of a request; held by the application."""

    way_in: WayIn

    async def visitor(self, http: Request) -> Visitor:
        """Return who holds the session. Raises `SignedOut`."""
        session = http.cookies.get(self.way_in.cookie, "")
        try:
            who = await self.way_in.sessions.holder(session, used=not _by_itself(http))
        except NotSignedIn as e:
            raise SignedOut(e.why) from None
        return Visitor(who=who, form_key=form_key_of(session))

    def foreign(self, http: Request) -> bool:
        """Whether a page of another site sent the request: browsers say so, older ones by `Origin` alone."""
        return is_foreign(http, self.way_in.public_url)


def is_foreign(http: Request, public_url: str) -> bool:
    """Whether a page of another site sent the request; `public_url` is our own address, if it is known."""
    origin = http.headers.get("origin")
    if origin == "null":
        return True
    if (site := http.headers.get("sec-fetch-site")) is not None:
        return site != "same-origin"
    own = {http.headers.get("host", ""), urlsplit(public_url).netloc} - {""}
    return origin is not None and origin.partition("://")[2] not in own


def _by_itself(http: Request) -> bool:
    """Whether nobody touched anything: a script says so, and a stream is opened again every ten minutes."""
    return BY_ITSELF in http.headers or http.headers.get("accept") == "text/event-stream"


def form_key_of(session: str) -> str:
    """Return the key of the session's forms: who cannot read the cookie cannot make it."""
    return hmac.digest(session.encode(errors="replace"), b"form", hashlib.sha256).hex()


@dataclass(frozen=True, slots=True)
class NeedsSession:
    """The dependency of a route: a session of at least this scope, and for a change a form of ours."""

    scope: AccessScope

    async def __call__(self, http: Request) -> Visitor:
        """Return the visitor. Raises `SignedOut`, `FormStale`, and `HTTPException` 403 for scope and foreign forms."""
        sessions: Sessions = http.app.state.sessions
        visitor = await sessions.visitor(http)
        http.state.visitor = visitor
        if not visitor.scope.covers(self.scope):
            raise HTTPException(403, f"This needs the role {self.scope}; you are {visitor.scope}.")
        if http.method not in SAFE_METHODS:
            await check_form(http, visitor.form_key)
        return visitor


async def check_form(http: Request, key: str) -> None:
    """Raise unless a page of this session sent the request: `HTTPException` 403 another site, `FormStale` an older one."""
    refuse_foreign(http)
    sent = http.headers.get(HEADER) or (await http.form()).get(FORM_KEY, "")
    if not isinstance(sent, str) or not hmac.compare_digest(sent.encode(errors="replace"), key.encode()):
        raise FormStale


def refuse_foreign(http: Request) -> None:
    """Raise `HTTPException` 403 for a request that a page of another site sent."""
    sessions: Sessions = http.app.state.sessions
    if sessions.foreign(http):
        raise HTTPException(403, "The form was sent from another site.")


Viewer = Annotated[Visitor, Depends(NeedsSession(AccessScope.VIEWER))]
Reader = Annotated[Visitor, Depends(NeedsSession(AccessScope.READER))]
Approver = Annotated[Visitor, Depends(NeedsSession(AccessScope.APPROVER))]
Admin = Annotated[Visitor, Depends(NeedsSession(AccessScope.ADMIN))]

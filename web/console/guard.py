"""Who looks at a page: the session of a request, its role, and whether a form was sent from a page of ours."""

import hashlib
import hmac
from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import Depends, Request
from starlette.exceptions import HTTPException

from triage.domain.operations.errors import TokenInvalid
from triage.domain.operations.tokens import Scope
from triage.services.operations.tokens import TokenService

COOKIE: Final = "triage_session"
FORM_KEY: Final = "form_key"
"""Name of the field, and in small letters with `x-` of the header, that a page of ours sends with each change."""
HEADER: Final = "x-form-key"
SAFE_METHODS: Final = frozenset({"GET", "HEAD"})


class SignedOut(Exception):  # noqa: N818  # not an error: the page of sign-in answers it
    """The request has no valid session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """The person of a session."""

    name: str
    scope: Scope
    address: str = ""
    """Proven address; empty: a program's token."""
    form_key: str
    """What proves that a change comes from a page of this session."""

    def may(self, scope: str) -> bool:
        """Whether he may do what the scope `viewer`, `approver` or `admin` may; asked by templates."""
        return self.scope.covers(Scope(scope))


@dataclass(frozen=True, slots=True)
class Sessions:
    """Finds the visitor of a request; held by the application."""

    tokens: TokenService

    async def visitor(self, session: str) -> Visitor:
        """Return who holds the session. Raises `SignedOut`."""
        try:
            token = await self.tokens.holder(session)
        except TokenInvalid as e:
            raise SignedOut(str(e)) from None
        return Visitor(
            name=token.person or token.name, scope=token.scope, address=token.person, form_key=form_key_of(session)
        )


def form_key_of(session: str) -> str:
    """Return the key of the session's forms: who cannot read the cookie cannot make it."""
    return hmac.digest(session.encode(), b"form", hashlib.sha256).hex()


@dataclass(frozen=True, slots=True)
class Needs:
    """The dependency of a route: a session of at least this scope, and for a change a form of ours."""

    scope: Scope

    async def __call__(self, http: Request) -> Visitor:
        """Return the visitor. Raises `SignedOut`, and `HTTPException` 403 for scope and foreign forms."""
        sessions: Sessions = http.app.state.sessions
        visitor = await sessions.visitor(http.cookies.get(COOKIE, ""))
        http.state.visitor = visitor
        if not visitor.scope.covers(self.scope):
            raise HTTPException(403, f"This needs the role {self.scope}; you are {visitor.scope}.")
        if http.method not in SAFE_METHODS:
            await check_form(http, visitor.form_key)
        return visitor


async def check_form(http: Request, key: str) -> None:
    """Raise `HTTPException` 403 unless a page of this session sent the request."""
    if http.headers.get("sec-fetch-site", "same-origin") != "same-origin":
        raise HTTPException(403, "The form was sent from another site.")
    sent = http.headers.get(HEADER) or (await http.form()).get(FORM_KEY, "")
    if not isinstance(sent, str) or not hmac.compare_digest(sent.encode(), key.encode()):
        raise HTTPException(403, "The form is of an older session: load the page again.")


Viewer = Annotated[Visitor, Depends(Needs(Scope.VIEWER))]
Approver = Annotated[Visitor, Depends(Needs(Scope.APPROVER))]
Admin = Annotated[Visitor, Depends(Needs(Scope.ADMIN))]

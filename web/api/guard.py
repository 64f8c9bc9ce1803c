"""Admits requests: by the token, its scope, and its rate limit."""

from dataclasses import dataclass, field
from math import ceil
from typing import Annotated, Final

from fastapi import Depends, Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.exceptions import HTTPException

from triage.domain.approvals import Approver as Person
from triage.domain.approvals import ApproverProof
from triage.domain.operations.errors import TokenInvalid
from triage.domain.operations.tokens import AccessScope, ApiToken
from triage.policy.operations.token_bucket import Bucket, Rate
from triage.services.operations.tokens import TokenService

BEARER: Final = HTTPBearer(
    auto_error=False, scheme_name="token", description="`triage token create NAME --scope viewer|reader|approver|admin`"
)


@dataclass(slots=True)
class TokenGuard:
    """Checks the token of every request; held by the application."""

    tokens: TokenService
    per_minute: int
    buckets: dict[int, Bucket] = field(default_factory=dict)
    """By token; there are as many as tokens."""

    async def admit(self, text: str, wanted: AccessScope) -> ApiToken:
        """Return the token. Raises `TokenInvalid`, and `HTTPException` 403 for its scope, 429 for its rate."""
        token = await self.tokens.holder(text)
        self._count(token)
        if not token.scope.covers(wanted):
            raise HTTPException(403, f"this needs the scope {wanted}; the token has {token.scope}")
        return token

    def _count(self, token: ApiToken) -> None:
        now = self.tokens.clock.now()
        bucket = (self.buckets.get(token.id) or Bucket.full(Rate.per_minute(self.per_minute), now)).filled(now)
        taken = bucket if bucket.wait > 0 else bucket.plus(-1)
        self.buckets[token.id] = taken
        if taken is bucket:
            wait = str(ceil(bucket.wait))
            raise HTTPException(429, f"{self.per_minute} requests a minute are the limit", {"retry-after": wait})


@dataclass(frozen=True, slots=True)
class Needs:
    """The dependency of a route: a token of at least this scope."""

    scope: AccessScope

    async def __call__(
        self, http: Request, given: Annotated[HTTPAuthorizationCredentials | None, Security(BEARER)] = None
    ) -> ApiToken:
        """Return the token. Raises what `Guard.admit` raises."""
        guard: TokenGuard = http.app.state.guard
        if given is None:
            raise TokenInvalid("the request has none")
        return await guard.admit(given.credentials, self.scope)


Viewer = Annotated[ApiToken, Depends(Needs(AccessScope.VIEWER))]
Reader = Annotated[ApiToken, Depends(Needs(AccessScope.READER))]
Approver = Annotated[ApiToken, Depends(Needs(AccessScope.APPROVER))]
Admin = Annotated[ApiToken, Depends(Needs(AccessScope.ADMIN))]


def decider(token: ApiToken) -> str:
    """Return who decides with this token, as reports name him."""
    return token.person or f"token {token.name}"


def person(token: ApiToken) -> Person:
    """Return who decides with this token, as services that ask for rights want him."""
    return Person(name=f"token {token.name}", proof=ApproverProof.API, address=token.person, token=token.id)

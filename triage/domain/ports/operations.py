"""The store, as those who run Triage and connect programs to it need it: tokens."""

from datetime import datetime
from typing import Protocol

from triage.domain.operations.tokens import ApiToken


class TokenStore(Protocol):
    """Access tokens of the HTTP API, by their hash; called by the token service alone. Raises `StoreDown`."""

    async def add(self, token: ApiToken, digest: str) -> ApiToken:
        """Store a new token by the hex SHA-256 of its text; return it with its id."""

    async def find(self, digest: str) -> ApiToken | None:
        """The token with this hash, valid or not."""

    async def tokens(self) -> tuple[ApiToken, ...]:
        """All tokens, in the order in which they were made."""

    async def usable(self, now: datetime) -> bool:
        """Whether there is a token that is neither revoked nor expired."""

    async def revoke(self, token: int, at: datetime) -> ApiToken | None:
        """Revoke a token and return it; one that is revoked already stays as it is. None: there is none."""

    async def used(self, token: int, at: datetime) -> None:
        """Record when it was last used."""

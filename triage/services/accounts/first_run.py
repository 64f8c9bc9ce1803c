"""The first account of an installation: created with the token that `triage serve` prints at its start."""

import asyncio
import hashlib
import hmac
import secrets
from dataclasses import dataclass, field

from triage.domain.operations.accounts import Account
from triage.domain.operations.errors import TokenInvalid
from triage.domain.operations.tokens import AccessScope
from triage.services.accounts.accounts import AccountService


@dataclass(slots=True)
class FirstRun:
    """Makes the first account for whoever has the token that this process has printed; its hash is kept in memory alone."""

    _digest: bytes = b""
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    def offer(self) -> str:
        """Return a new token; an older one counts no longer."""
        text = secrets.token_urlsafe(24)
        self._digest = _digest(text)
        return text

    @property
    def offered(self) -> bool:
        """Whether a token is out."""
        return bool(self._digest)

    async def use(self, text: str, address: str, name: str, password: str, accounts: AccountService) -> Account:
        """Make the first account, an admin's; the token is worth no second one.

        Raises `TokenInvalid`, and what `AccountService.add` raises, after which it still counts.
        """
        async with self._turn:
            if not self._digest or not hmac.compare_digest(self._digest, _digest(text.strip())):
                raise TokenInvalid("it is not the one that this start of `triage serve` printed")
            made = await accounts.add(address, name, AccessScope.ADMIN, password, by="first run", alone=True)
            self._digest = b""
            return made


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode(errors="replace")).digest()

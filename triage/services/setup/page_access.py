"""Controls access to the set-up page: one browser with the printed token, and an admin if there are accounts."""

import asyncio
import hashlib
import hmac
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from triage.domain.operations.errors import TokenInvalid
from triage.domain.ports import Clock
from triage.services.accounts.login_limits import LoginLimits


@dataclass(slots=True)
class SetupAccess:
    """Lets one browser in, by the token that this process has printed; token and session are kept as hashes, in memory alone."""

    clock: Clock
    admin: Callable[[str, str], Awaitable[None]] | None = None
    """Checks address and password. Raises `SignInRefused`. None: there is no account yet."""
    opened: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a browser has signed in."""
    limits: LoginLimits = field(default_factory=LoginLimits)
    _token: bytes = b""
    _session: bytes = b""

    def offer(self) -> str:
        """Make and return the token; it lets in once."""
        text = secrets.token_urlsafe(24)
        self._token = _digest(text)
        return text

    @property
    def is_open(self) -> bool:
        """Whether the token still counts."""
        return bool(self._token)

    def holds(self, session: str) -> bool:
        """Tell whether this is the session of the signed-in browser."""
        return bool(self._session) and hmac.compare_digest(self._session, _digest(session))

    async def enter(self, token: str, address: str, password: str, host: str) -> str:
        """Return a session for the token. Raises `TooManyTries`, `TokenInvalid`, and `SignInRefused` where an admin is asked for."""
        self.limits.take("set-up", host, "", self.clock.now())
        if not self._token or not hmac.compare_digest(self._token, _digest(token.strip())):
            raise TokenInvalid("it is not the one that this `triage init --browser` has printed")
        if self.admin:
            await self.admin(address, password)
        if not self._token:  # somebody else was quicker
            raise TokenInvalid("it has been used")
        text = secrets.token_urlsafe(32)
        self._token, self._session = b"", _digest(text)
        self.opened.set()
        return text


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode(errors="replace")).digest()

"""Sign-in through an identity provider; a browser returns only to the page where it began."""

import base64
import hashlib
import hmac
import json
import secrets
from dataclasses import dataclass
from typing import Any, Final

from triage.domain.operations.accounts import ProvenIdentity
from triage.domain.operations.errors import IdentityRefused
from triage.domain.ports import Clock, IdentityProvider

MINUTES: Final = 10
"""How long a person may take at the provider."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderSignIn:
    """Called by the pages `/oidc/…`; what has begun is kept in a signed cookie, so that no process has to remember it."""

    provider: IdentityProvider
    name: str
    """The provider's host, as the sign-in page shows it."""
    clock: Clock
    key: bytes

    async def begin(self, then: str) -> tuple[str, str]:
        """Return the URL at the provider, and the cookie that brings the person back to `then`. Raises `IdentityProviderDown`."""
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        until = self.clock.now().timestamp() + MINUTES * 60
        begun = {"state": state, "nonce": nonce, "verifier": verifier, "then": then, "until": until}
        return await self.provider.address(state, nonce, challenge), self._sealed(begun)

    async def finish(self, cookie: str, state: str, code: str) -> tuple[ProvenIdentity, str]:
        """Return the identity, and the page that the person wanted. Raises `IdentityRefused`, `IdentityProviderDown`."""
        begun = self._opened(cookie)
        if not begun or begun["until"] < self.clock.now().timestamp():
            raise IdentityRefused("this sign-in did not begin in this browser, or too long ago: begin again")
        if not hmac.compare_digest(state.encode(errors="replace"), begun["state"].encode()):
            raise IdentityRefused("its answer belongs to another sign-in: begin again")
        return await self.provider.identity(code, begun["verifier"], begun["nonce"]), begun["then"]

    def _sealed(self, begun: dict[str, Any]) -> str:
        text = base64.urlsafe_b64encode(json.dumps(begun).encode()).decode()
        return f"{text}.{self._signature(text)}"

    def _opened(self, cookie: str) -> dict[str, Any]:
        text, _, signature = cookie.partition(".")
        if not hmac.compare_digest(signature.encode(errors="replace"), self._signature(text).encode()):
            return {}
        begun: dict[str, Any] = json.loads(base64.urlsafe_b64decode(text))
        return begun

    def _signature(self, text: str) -> str:
        return hmac.new(self.key, f"oidc\n{text}".encode(errors="replace"), hashlib.sha256).hexdigest()

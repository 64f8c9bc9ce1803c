"""Settings of the sign-in, and its cookies."""

from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from triage.domain.operations.accounts import Peer
from triage.services.accounts.accounts import AccountService
from triage.services.accounts.first_run import FirstRun
from triage.services.accounts.provider_sign_in import ProviderSignIn
from triage.services.accounts.sessions import SessionService

COOKIE: Final = "triage_session"
"""Cookie of the session; where people come by HTTPS it begins with `__Host-`."""
DEVICE: Final = "triage_device"
"""Cookie of a browser that has signed in before: other people's failed tries do not count for it."""
DEVICE_SECONDS: Final = 180 * 24 * 3_600
BEGUN: Final = "triage_oidc"
"""Cookie of a browser that is at the identity provider."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WayIn:
    """What the sign-in asks: accounts, sessions, identity provider, cookies; built by `cli/wiring/people/accounts.py`."""

    accounts: AccountService
    sessions: SessionService
    first: FirstRun
    provider: ProviderSignIn | None
    """None without OIDC_ISSUER."""
    public_url: str
    """Where people reach us; empty: wherever the browser says."""

    @property
    def https(self) -> bool:
        """Whether people come by HTTPS: then cookies are sent by nothing else."""
        return self.public_url.startswith("https://")

    @property
    def provider_name(self) -> str:
        """As pages name it; empty: there is none."""
        return self.provider.name if self.provider else ""

    @property
    def cookie(self) -> str:
        """Name of the session's cookie; with `__Host-` no neighbouring site can set it."""
        return f"__Host-{COOKIE}" if self.https else COOKIE

    async def is_new(self) -> bool:
        """Whether the first account can be made."""
        return self.first.offered and not await self.accounts.all()

    async def sign_out(self, http: Request) -> None:
        """End the session that the browser has, if any."""
        await self.sessions.sign_out(http.cookies.get(self.cookie, ""))

    def keep(self, answer: Response, http: Request, session: str) -> None:
        """Give the browser its session. It follows links from mails and chats (Lax); a change needs the form's key, too."""
        secure = self.https or http.url.scheme == "https"
        answer.set_cookie(self.cookie, session, path="/", httponly=True, samesite="lax", secure=secure)

    def know(self, answer: Response, http: Request, address: str) -> None:
        """Mark the browser as one that has signed in to this account."""
        mark = self.sessions.device_mark(address)
        secure = self.https or http.url.scheme == "https"
        answer.set_cookie(
            DEVICE, mark, DEVICE_SECONDS, path="/sign-in", httponly=True, samesite="strict", secure=secure
        )

    def drop(self, answer: Response) -> None:
        """Take the session's cookie back."""
        answer.delete_cookie(self.cookie, path="/", httponly=True, samesite="lax", secure=self.https)


def peer_of(http: Request) -> Peer:
    """Return where the request comes from: of proxies only those of TRUSTED_PROXIES are believed."""
    return Peer(host=http.client.host if http.client else "", agent=http.headers.get("user-agent", ""))

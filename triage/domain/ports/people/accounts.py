"""The store, hashes and identity providers, as the sign-in of the console needs them."""

from datetime import datetime
from typing import Protocol

from triage.domain.operations.accounts import Account, ProvenIdentity, Session, SignedIn


class AccountStore(Protocol):
    """Accounts of the console; called by the account service. Raises `StoreDown`."""

    async def add(self, account: Account, password: str, *, alone: bool = False) -> Account | None:
        """Store a new account with the hash of its password, and return it with its id.

        None: there is one with this address; with `alone`, there is one at all.
        """

    async def accounts(self) -> tuple[Account, ...]:
        """All accounts, in the order in which they were made."""

    async def by_address(self, address: str) -> Account | None:
        """The account with this address in lower case."""

    async def by_subject(self, issuer: str, subject: str) -> Account | None:
        """The account of this person of an identity provider."""

    async def password(self, account: int) -> str:
        """The hash of its password; empty: it has none."""

    async def set_password(self, account: int, password: str) -> None:
        """Store another hash of the account's password."""

    async def save(self, account: Account) -> None:
        """Store what may change: name, role, identity, `disabled_at`, `signed_in_at`."""

    async def remove(self, account: int) -> None:
        """Remove it, with its password and its sessions."""


class SessionStore(Protocol):
    """Sessions of browsers, by the hash of their cookie; called by the services of sign-in and accounts. Raises `StoreDown`."""

    async def add(self, session: Session, digest: str) -> Session:
        """Store a new session by the hex SHA-256 of its text; return it with its id."""

    async def find(self, digest: str) -> SignedIn | None:
        """The session with this hash and whose it is, ended or not."""

    async def seen(self, session: int, at: datetime) -> None:
        """Record when it was last used."""

    async def end(self, session: int, at: datetime) -> None:
        """End it; one that has ended stays as it is."""

    async def end_all(self, account: int, at: datetime, but: int = 0) -> None:
        """End all sessions of an account but one."""

    async def open_at(self, now: datetime) -> tuple[Session, ...]:
        """All sessions of accounts that have neither ended nor expired, newest first."""

    async def forget(self, before: datetime) -> None:
        """Remove sessions that expired before then."""


class PasswordHash(Protocol):
    """A slow hash for passwords; called by the account service. Both methods take tens of milliseconds."""

    async def make(self, password: str) -> str:
        """Return the hash, with its salt and parameters."""

    async def check(self, made: str, password: str) -> bool:
        """Whether the password has this hash; False for an empty hash, after the same time."""

    def outdated(self, made: str) -> bool:
        """Whether it was made with other parameters than today's."""


class IdentityProvider(Protocol):
    """An OpenID Connect provider; called by the service of provider sign-ins. Raises `IdentityProviderDown`."""

    async def address(self, state: str, nonce: str, challenge: str) -> str:
        """The URL at which the person signs in there."""

    async def identity(self, code: str, verifier: str, nonce: str) -> ProvenIdentity:
        """Exchange the code; return who it is. Raises `IdentityRefused` where an answer is not proven."""

"""People of the console: accounts, the sessions of their browsers, and what an identity provider says of a person."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from triage.domain.approvals import Approver, ApproverProof
from triage.domain.operations.tokens import AccessScope, ApiToken


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A person who signs in to the console; his password's hash never leaves the store with it."""

    id: int = 0
    address: str
    """E-mail address in lower case: he signs in with it, and decides in its name. An admin or a provider vouches for it."""
    name: str
    """As pages show him."""
    scope: AccessScope
    """His role."""
    issuer: str = ""
    """Identity provider that he signs in with; empty: none so far."""
    subject: str = ""
    """His id there."""
    managed: bool = False
    """The provider brought him: his role follows OIDC_ROLES at each sign-in."""
    made_by: str
    made_at: datetime
    disabled_at: datetime | None = None
    signed_in_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """Where a request comes from."""

    host: str
    """IP address."""
    agent: str = ""
    """What the browser calls itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A signed-in browser, of an account or of an access token; the cookie's text is kept as a hash only."""

    id: int = 0
    account: int | None = None
    token: int | None = None
    peer: str
    agent: str
    made_at: datetime
    seen_at: datetime
    """Last use, to some minutes."""
    expires_at: datetime
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedIn:
    """A session and its account."""

    session: Session
    account: Account | None = None
    token: ApiToken | None = None

    @property
    def scope(self) -> AccessScope:
        """The role of the account, or the scope of the access token."""
        holder = self.account or self.token
        return holder.scope if holder else AccessScope.VIEWER

    @property
    def name(self) -> str:
        """The name that pages show."""
        if self.account:
            return self.account.name
        return self.token.person or f"token {self.token.name}" if self.token else ""

    @property
    def address(self) -> str:
        """His proven address; empty: a token for a program."""
        return self.account.address if self.account else self.token.person if self.token else ""

    @property
    def approver(self) -> Approver:
        """The person as services know whoever decides."""
        if self.account:
            return Approver(name=self.name, proof=ApproverProof.CONSOLE, address=self.address)
        number, name = (self.token.id, f"token {self.token.name}") if self.token else (0, "")
        return Approver(name=name, proof=ApproverProof.API, address=self.address, token=number)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvenIdentity:
    """What an identity provider has proven of a person."""

    issuer: str
    subject: str
    address: str
    """In lower case; empty: it vouches for none."""
    name: str
    groups: frozenset[str] = frozenset()


class RoleMatch(StrEnum):
    """What a role rule matches."""

    ADDRESS = "address"
    DOMAIN = "domain"
    GROUP = "group"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleRule:
    """People of an identity provider who get a role."""

    scope: AccessScope
    whom: RoleMatch
    value: str
    """An address or a domain in lower case, or a group as the provider spells it."""

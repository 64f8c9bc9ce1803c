"""An IMAP folder on its server, the cursor up to which its mails are accepted, and the tokens that open it."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """A folder as the server reports it on opening."""

    validity: int
    """UIDVALIDITY: UIDs keep their meaning while it stays the same."""
    next_uid: int
    """No mail has this UID or a higher one yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A mail in the folder, without its bytes."""

    uid: int
    size: int
    """Bytes as the server reports them; some servers only estimate."""
    at: datetime | None
    """Arrival time, as the server reports it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """A mail with its bytes."""

    uid: int
    raw: bytes
    at: datetime | None
    oversize: int | None = None
    """Bytes of the whole mail if `raw` is only a stub, else None."""


class Phase(StrEnum):
    """State of a mailbox."""

    FETCHING = "fetching"
    IDLE = "idle"
    """All mails are fetched; waiting for new ones."""
    STALLED = "stalled"
    """Mails cannot be fetched; `trouble` says why."""
    RECOVERED = "recovered"
    """It was stalled; all mails have been fetched since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncCursor:
    """How far one mailbox is synchronised; stored only when all it claims is true."""

    name: str
    account: str
    validity: int = 0
    """UIDVALIDITY of `uid` and `base`; 0 before the folder is first opened."""
    uid: int = 0
    """The cursor: mails seen up to this UID are accepted, or counted in `missing`."""
    base: int = 0
    """All mails above this UID are ours: reconciliation compares from here to the cursor."""
    floor: datetime
    """Mails that arrived before this time are older than the installation and left alone."""
    backfill: datetime | None = None
    """Mails since this time are still to be checked: a backfill, or a rescan after a new UIDVALIDITY."""
    complete_at: datetime
    """When all mails were last fetched."""
    phase: Phase = Phase.FETCHING
    trouble: str = ""
    missing: int = 0
    """Number of mails on the server that should be in the store and are not."""
    changed_at: datetime
    """When the phase last changed."""

    def source_id(self, uid: int) -> str:
        """The `Received.source_id` of a mail: UIDVALIDITY and UID."""
        return f"{self.validity}.{uid}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MailServer:
    """Where a mail program connects to."""

    host: str
    port: int
    tls: str
    """ssl, starttls or none, as IMAP_TLS and SMTP_TLS have it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MailServers:
    """The servers of one mailbox, as far as they are known."""

    imap: MailServer | None = None
    smtp: MailServer | None = None
    user: str = ""
    """The user name there; empty: the address."""
    note: str = ""
    """What the provider asks of a program that logs in."""
    tokens_only: bool = False
    """It takes OAuth tokens and no password."""
    oauth: str = ""
    """Who gives tokens for it, as MAIL_OAUTH has it: microsoft or google."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OAuthGrant:
    """A stored OAuth grant of a mail account: one row per account."""

    account: str
    """The user name at the mail server, in lower case."""
    client: str
    """The provider and the application's id there: tokens are good for no other one."""
    sealed: bytes = field(repr=False)
    """The tokens, encrypted."""
    scope: str
    """The granted scopes as the provider names them, separated by blanks; empty if it did not say."""
    expires_at: datetime
    """End of the access token."""
    granted_at: datetime
    """When a person signed in."""
    renewed_at: datetime
    trouble: str = ""
    """Why the provider gives no more tokens; a person has to sign in again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """The answer of an OAuth provider's token endpoint."""

    access: str = field(repr=False)
    refresh: str = field(default="", repr=False)
    """Empty: the one before stays good, or there is none."""
    scope: str = ""
    lives: float
    """Seconds that the access token is good for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceCode:
    """What a person types into a browser on any machine (RFC 8628)."""

    code: str = field(repr=False)
    """The secret half, by which we ask for the tokens."""
    user_code: str
    address: str
    lives: float
    """Seconds."""
    interval: float
    """Seconds between two questions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInWays:
    """How a provider lets people sign in."""

    device: bool
    browser: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Landed:
    """The parameters of the provider's redirect; empty if absent."""

    state: str = ""
    code: str = field(default="", repr=False)
    error: str = ""

"""An IMAP folder on its server, and the cursor up to which its mails are accepted."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """What the server says of a folder when we look into it."""

    validity: int
    """UIDVALIDITY: while it stays the same, so do the numbers of the mails."""
    next_uid: int
    """No mail has this number or a higher one yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A mail that is there, without its bytes."""

    uid: int
    size: int
    """As the server says; some only guess."""
    at: datetime | None
    """When it came, as the server says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """A mail with its bytes."""

    uid: int
    raw: bytes
    at: datetime | None
    oversize: int | None = None
    """Its size where the bytes are only a stub."""


class Phase(StrEnum):
    """What a mailbox is doing."""

    FETCHING = "fetching"
    IDLE = "idle"
    """Everything is here, and we listen for more."""
    STALLED = "stalled"
    """No mail comes through; the trouble says why."""
    RECOVERED = "recovered"
    """It was stalled, and everything has been fetched since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncCursor:
    """How far we are in one mailbox; every claim in it is true once it is kept."""

    name: str
    account: str
    validity: int = 0
    """The UIDVALIDITY that the two numbers below belong to; 0: we have never been inside."""
    uid: int = 0
    """The cursor: what came to our notice up to here is accepted, or counted as missing."""
    base: int = 0
    """Mails above it are ours without exception: reconciliation looks from here to the cursor."""
    floor: datetime
    """Mails that came before were there before us, and are left alone."""
    backfill: datetime | None = None
    """Mails since this time are still to be looked through: a backfill, or a rescan after a new UIDVALIDITY."""
    complete_at: datetime
    """When we last had everything."""
    phase: Phase = Phase.FETCHING
    trouble: str = ""
    missing: int = 0
    """Mails on the server that should be ours and are not."""
    changed_at: datetime
    """When the phase last changed."""

    def source_id(self, uid: int) -> str:
        """The name of one delivery."""
        return f"{self.validity}.{uid}"

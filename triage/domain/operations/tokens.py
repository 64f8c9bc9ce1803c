"""Access tokens of the HTTP API: who holds one, what it may do, until when."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class AccessScope(StrEnum):
    """What a token may do; each scope may do what the ones before it may."""

    VIEWER = "viewer"
    """Reads everything but the words of mails, notes, prompts and letters."""
    READER = "reader"
    """Reads everything, and decides nothing."""
    APPROVER = "approver"
    """Also decides what waits for a person."""
    ADMIN = "admin"
    """Also changes how Triage is connected: webhooks out, corrections of many."""

    def covers(self, wanted: "AccessScope") -> bool:
        ranks = list(AccessScope)
        return ranks.index(self) >= ranks.index(wanted)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiToken:
    """A token as stored: the token itself is shown once, and only its hash is kept."""

    id: int = 0
    name: str
    """What it is for, in the words of whoever made it."""
    scope: AccessScope
    person: str = ""
    """Address of the person who decides with it; empty: a program."""
    hint: str
    """The token's first characters, by which its holder recognises it."""
    made_by: str
    made_at: datetime
    expires_at: datetime
    revoked_at: datetime | None = None
    used_at: datetime | None = None
    """When it was last used, to the hour; None: never."""

"""What people decide: about parked tool calls (approvals), and about what became of a mail (corrections)."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from triage.domain.findings import Disposition


class ApprovalState(StrEnum):
    """State of a parked tool call."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    SUPERSEDED = "superseded"
    """A later mail proposed another value for the same field of the same ticket."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """A tool call parked for a person's decision, which covers exactly these arguments."""

    id: int = 0
    case: str
    tool: str
    arguments: str
    """Canonical JSON."""
    reason: str
    """Why it may not run unattended."""
    state: ApprovalState = ApprovalState.OPEN
    by: str = ""
    ticket: str = ""
    """Key of the ticket to change; empty, like all fields below, in rows that an older version parked."""
    field: str = ""
    """`status`, `assignee`, `summary`, `sprint` or `comment`."""
    was: str = ""
    """The field's value when the call was parked, as people read it."""
    becomes: str = ""
    """The field's value after the call, as people read it; of a comment, the whole text."""
    sender: str = ""
    """The mail's From header."""
    trust: str = ""
    superseded_by: int = 0
    """Id of the approval that replaced this one, 0 if none did."""

    @property
    def voids(self) -> bool:
        """Whether it supersedes older proposals: yes for a field with one value, no for comments."""
        return bool(self.ticket) and self.field not in {"", "comment"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What a person says becomes of a mail. Only people write them; later mails of the sender are judged by them, too."""

    id: int = 0
    case: str
    disposition: Disposition
    ticket: str = ""
    """Key of the ticket that the mail belongs to, if the person names one."""
    by: str
    at: datetime | None = None
    was: str = ""
    """Disposition and outcome before."""
    sender: str = ""
    """The mail's address, in lower case."""
    trust: str = ""
    """How far that sender was proven."""
    sketch: str = ""
    """The mail's words as hashes, as `Sketch` writes them."""

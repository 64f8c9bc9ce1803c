"""Approvals: parked tool calls, and what people decided about them."""

from dataclasses import dataclass
from enum import StrEnum


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

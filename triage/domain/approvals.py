"""Approvals: parked tool calls, and what people decided about them."""

from dataclasses import dataclass
from enum import StrEnum


class ApprovalState(StrEnum):
    """What became of a parked effect."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    SUPERSEDED = "superseded"
    """A later mail has proposed something else for the same field of the same ticket."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """A tool call that waits for a person; what is approved is exactly these bytes."""

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
    """Whose field it is; empty, like all below, for what an older version has parked."""
    field: str = ""
    """`status`, `assignee`, `summary`, `sprint` or `comment`."""
    was: str = ""
    """What the field held when it was parked, in words."""
    becomes: str = ""
    """What it would hold, in words; all of a comment."""
    sender: str = ""
    """Who wrote the mail, as its From says."""
    trust: str = ""
    superseded_by: int = 0
    """The later approval that has taken its place."""

    @property
    def voids(self) -> bool:
        """It is for a field that holds one value, so it takes the place of an older one; comments stand side by side."""
        return bool(self.ticket) and self.field not in {"", "comment"}

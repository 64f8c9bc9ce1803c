"""The answer to a mail, from the plan to what was sent."""

from dataclasses import dataclass
from enum import StrEnum


class Execution(StrEnum):
    """The result of a tool that prepares an answer."""

    DONE = "done"
    FAILED = "failed"
    MISSING = "missing"
    """The table names the tool, but it is not installed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolExecution:
    """One tool that was to prepare an answer."""

    tool: str
    state: Execution
    arguments: str = ""
    """Canonical JSON."""
    result: str = ""
    """JSON, as a person may read it; cut."""
    error: str = ""
    attempts: int = 1
    ms: float = 0.0


class ReplyState(StrEnum):
    """How far the answer to a mail is."""

    NONE = "none"
    """The mail is not answered; `because` says why."""
    PLANNED = "planned"
    PREPARED = "prepared"
    """The tools have run."""
    DRAFTED = "drafted"
    NEEDS_REVIEW = "needs_review"
    """A person decides about the draft."""
    SENT = "sent"
    """Queued as a letter, or stored in the folder of drafts."""
    REJECTED = "rejected"
    """A person refused it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The answer to a mail, from the plan to what was sent; found by `decide`, `execute`, `generate` and `review`."""

    state: ReplyState
    because: str = ""
    """Why it is planned like that, or why the mail is not answered."""
    tools: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
    """Tools that are not installed but would improve the answer."""
    executions: tuple[ToolExecution, ...] = ()
    missing: tuple[str, ...] = ()
    """What the report lacks, if the sender is asked for it."""
    kind: str = ""
    """`answer` or `meeting`."""
    tone: str = ""
    """`professional`, `empathetic` or `friendly`."""
    language: str = ""
    sent_with: str = ""
    """The tool that was called with the draft."""
    written_by: str = ""
    """Name of the model, or `template`."""
    draft: str = ""
    """The body as it was generated."""
    final: str = ""
    """The body as it was sent, which a person may have changed; empty until then."""
    confidence: float = 0.0
    parts: tuple[tuple[str, float], ...] = ()
    """What the confidence is made of: part and value, 0 to 1."""
    person: tuple[str, ...] = ()
    """Why a person decides about it; empty if it was sent automatically."""
    by: str = ""
    """Who decided."""
    letter: str = ""
    """The receipt, question or rejection that was also sent, or why it was not."""

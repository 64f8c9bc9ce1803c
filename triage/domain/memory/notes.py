"""Notes of the vault, and the mails and observations that become notes."""

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Literal

from triage.domain.untrusted import NOTHING, Untrusted


class NoteKind(StrEnum):
    """Folder of the vault, and what its notes are about."""

    DECISION = "decisions"
    PERSON = "people"
    COMMITMENT = "commitments"
    ACTION = "action_required"
    INSIGHT = "insights"


class Quadrant(StrEnum):
    """Eisenhower's: what to do with an action."""

    DO = "do"
    """Urgent and important."""
    SCHEDULE = "schedule"
    """Important, not urgent."""
    DELEGATE = "delegate"
    """Urgent, not important."""
    ELIMINATE = "eliminate"
    """Neither."""


class NoteStatus(StrEnum):
    """Whether a note still asks for something."""

    ACTIVE = "active"
    CLOSED = "closed"
    EXPIRED = "expired"
    DISMISSED = "dismissed"


class CommitmentStatus(StrEnum):
    """The state of a commitment or an appointment."""

    INVITED = "invited"
    CONFIRMED = "confirmed"
    DECLINED = "declined"
    TENTATIVE = "tentative"


class NoteTrust(StrEnum):
    """How far the source of a note is proven: only what a person of ours wrote or confirmed is TRUSTED."""

    TRUSTED = "trusted"
    VERIFIED = "verified"
    """A mail whose sender was proven."""
    UNTRUSTED = "untrusted"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteChange:
    """One line of a note's changelog."""

    at: datetime
    by: str
    """An agent's name, or a person."""
    what: str
    """In one sentence, with the evidence: `closed: sent mail <id@x>`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One Markdown file of the vault: its front matter and its text."""

    id: str
    """Path below the vault's folder, without `.md`: `commitments/2026-11-22-send-the-audit-report`."""
    kind: NoteKind
    title: str
    text: Untrusted = NOTHING
    created: date | None = None
    updated: date | None = None
    people: tuple[str, ...] = ()
    """Addresses or names of those it is about."""
    tags: tuple[str, ...] = ()
    owner: str = ""
    """Who has to do it; empty if unknown."""
    quadrant: Quadrant | None = None
    """Of actions only."""
    priority_justification: str = ""
    deadline: date | None = None
    status: NoteStatus = NoteStatus.ACTIVE
    commitment_status: CommitmentStatus | None = None
    source_emails: tuple[str, ...] = ()
    """Cases of the mails that it comes from: `case-17`."""
    source_memories: tuple[str, ...] = ()
    """Ids of the notes that it was made from."""
    source_senders: tuple[str, ...] = ()
    """Addresses that wrote those mails, so that all notes of a sender can be removed in one step."""
    related_to: tuple[str, ...] = ()
    """Ids of notes."""
    tickets: tuple[str, ...] = ()
    """Keys of the tickets that track it."""
    trust: NoteTrust = NoteTrust.UNTRUSTED
    pii: tuple[str, ...] = ()
    """Kinds of personal data in it: `address`, `phone`, `name`."""
    changes: tuple[NoteChange, ...] = ()
    """Its changelog, oldest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What the Email Reader found in a mail; its JSON form is published as `docs/reference/observation.schema.json`."""

    kind: NoteKind
    title: str
    text: str
    source_email: str
    """Case of the mail."""
    sender: str = ""
    people: tuple[str, ...] = ()
    owner: str = ""
    deadline: date | None = None
    quadrant: Quadrant | None = None
    priority_justification: str = ""
    commitment_status: CommitmentStatus | None = None
    tickets: tuple[str, ...] = ()
    quote: Untrusted = NOTHING
    """The quoted words of the mail."""
    trust: NoteTrust = NoteTrust.UNTRUSTED


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryMail:
    """A mail as the agents of the memory read it."""

    case: str
    """`case-17`; for sent mail its Message-ID."""
    message_id: str
    sender: str
    to: tuple[str, ...]
    subject: Untrusted
    text: Untrusted
    """Without quotes and signature."""
    at: datetime
    trust: NoteTrust = NoteTrust.UNTRUSTED
    ticket: str = ""
    """Key of the ticket that the mail ended in."""
    references: tuple[str, ...] = ()
    """Message-IDs that it answers."""
    name: str = ""
    """What the sender calls himself; proves nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteProblem:
    """A file of the vault that is kept and cannot be read as a note."""

    path: str
    line: int
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteHit:
    """A note found by a search."""

    note: Note
    score: float
    """0 to 1: the share of the question's words, weighted by rarity, that the note contains; words in its title count more."""
    evidence: tuple[str, ...] = ()
    """The words of the question that it contains, the rarest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteWritten:
    """The result of writing a note."""

    note: Note
    """As stored in the vault."""
    outcome: Literal["created", "updated", "merged", "unchanged"]
    similar: str = ""
    """Id of the note that a new one resembles, where they were not merged; each names the other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteMerge:
    """Two notes that say the same, of which one stays."""

    kept: str
    gone: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgottenNotes:
    """What was removed of a source."""

    removed: tuple[str, ...] = ()
    """Ids of notes that came from it alone, or from notes of it alone."""
    changed: tuple[str, ...] = ()
    """Ids of notes that have other sources, too, and lost the part that came from it."""
    naming: tuple[str, ...] = ()
    """Ids of notes of other sources that name it; they stay."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultStats:
    """Figures of the vault."""

    notes: int = 0
    by_kind: dict[str, int] = field(default_factory=dict)
    by_status: dict[str, int] = field(default_factory=dict)
    problems: int = 0

"""The first argument of the memory's tools: the notes, the mails and the facts of one run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from triage.domain.memory.graph import Graph
from triage.domain.memory.notes import (
    MemoryMail,
    Note,
    NoteHit,
    NoteKind,
    NoteStatus,
    NoteWritten,
    Observation,
    VaultStats,
)
from triage.domain.ports import Clock, MemoryMails
from triage.policy.memory.notes.writing import WriteRights
from triage.policy.memory.reconcile import TicketState


class Notes(Protocol):
    """What the tools ask of the notes; see `services/memory/notes.py`. All raise `VaultDown`."""

    async def search(
        self, query: str, limit: int = 10, *, kind: NoteKind | None = None, status: NoteStatus | None = None
    ) -> tuple[NoteHit, ...]:
        """Search notes, best first."""

    async def get(self, note: str) -> Note | None:
        """Return a note by its id."""

    async def resolve(self, name: str) -> str:
        """Return the id of the note that somebody calls so. Raises `NoteNotFound`."""

    async def list(self, *, kind: NoteKind | None = None, status: NoteStatus | None = None) -> tuple[Note, ...]:
        """Return the notes of this kind and status, by id."""

    async def write(self, note: Note, by: str, *, before: Note | None = None, what: str = "") -> NoteWritten:
        """Write a note, merged into one that says the same. Raises `NoteChanged`, `VaultReadOnly`."""

    async def graph(self) -> Graph:
        """Return the knowledge graph of all notes."""

    async def traverse(self, start: str, depth: int = 1) -> Graph:
        """Return the part of the graph around a node."""

    async def stats(self) -> VaultStats:
        """Return the figures of the vault."""

    async def index(self) -> Mapping[NoteKind, tuple[Note, ...]]:
        """Return the notes by kind, the newest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryContext:
    """One run of one agent. Agents share nothing but the vault."""

    agent: str
    """Name of the agent, or of the person or program that asks: the changelog of a note names it."""
    notes: Notes
    clock: Clock
    nonce: str
    """Suffix of the fences around notes and mails; another one than the loop's, which takes its own out of results."""
    mails: MemoryMails | None = None
    """None: the run reads no mail."""
    rights: WriteRights = field(default_factory=WriteRights)
    """What the run may write: from the agent's name, never from arguments."""
    facts: Mapping[str, MemoryMail] = field(default_factory=dict)
    """Mails that the run is about, by the name that a source has in it: only what came from these, or from notes, can be one."""
    observed: Mapping[str, Observation] = field(default_factory=dict)
    """Observations that become notes, by the same names; then all but a note's words comes from them."""
    sent: Mapping[str, MemoryMail] = field(default_factory=dict)
    """Mails of our people by Message-ID: evidence, once `fetch_sent_emails` has shown them."""
    tickets: Mapping[str, TicketState] = field(default_factory=dict)
    """Tickets that the run is about, by key."""

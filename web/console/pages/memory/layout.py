"""Shared by the memory's pages: paths, the menu between them, and the address of a note."""

from dataclasses import dataclass
from typing import Annotated, Final
from urllib.parse import quote

from fastapi import Path

from triage.domain.memory.notes import NoteKind
from triage.policy.memory.asking.evidence import KIND_WORDS
from web.console.navigation import MEMORY_PARTS

HOME: Final = "/memory"
VIEWS: Final = (("Board", HOME), *MEMORY_PARTS)
NOTES, GRAPH, ASK = (path for _, path in MEMORY_PARTS)
PLURALS: Final = {
    NoteKind.DECISION: "Decisions",
    NoteKind.PERSON: "People",
    NoteKind.COMMITMENT: "Commitments",
    NoteKind.ACTION: "Actions",
    NoteKind.INSIGHT: "Insights",
}
Kind = Annotated[NoteKind, Path()]
Name = Annotated[str, Path(min_length=1, max_length=200)]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryLayout:
    """The menu that every page of the memory shows; `at` is the path of the page shown."""

    at: str

    @property
    def views(self) -> tuple[tuple[str, str, bool], ...]:
        """Name, path, and whether it is the page shown."""
        return tuple((name, path, path == self.at) for name, path in VIEWS)


def note_url(note: str) -> str:
    """Return the path of a note's page."""
    return f"{NOTES}/{quote(note)}"


def kind_word(kind: NoteKind) -> str:
    return KIND_WORDS[kind]

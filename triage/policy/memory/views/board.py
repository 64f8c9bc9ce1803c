"""Sorts actions by quadrant for the board, and makes the draft of a ticket of one."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from triage.domain.conversation import Json
from triage.domain.memory.notes import Note, NoteKind, NoteStatus, Quadrant

ORDER_NOTE: Final = "a ticket of it"
"""Begins the reason of the order; the note's id follows."""
TASK: Final = ("task", "aufgabe", "story")
"""Types of tickets for what somebody has to do, the first that the project has."""
LONGEST_SUMMARY: Final = 120
LONGEST_TEXT: Final = 8_000


@dataclass(frozen=True, slots=True, kw_only=True)
class QuadrantNotes:
    """One quadrant of the board."""

    quadrant: Quadrant | None
    """None: nobody has sorted these yet."""
    notes: tuple[Note, ...]
    """By their deadline; those without one last."""


def columns(notes: Sequence[Note]) -> tuple[QuadrantNotes, ...]:
    """Return the open actions by quadrant, and those without one last, where there are any."""
    actions = [note for note in notes if note.kind is NoteKind.ACTION and note.status is NoteStatus.ACTIVE]
    of = {
        each: tuple(
            sorted((n for n in actions if n.quadrant is each), key=lambda note: (note.deadline or date.max, note.id))
        )
        for each in (*Quadrant, None)
    }
    return tuple(QuadrantNotes(quadrant=each, notes=found) for each, found in of.items() if each is not None or found)


def version_of(note: Note) -> str:
    """Return what changes with any change of a note: a form that was made of another version is refused."""
    return hashlib.sha256(repr(note).encode(errors="replace")).hexdigest()[:16]


def case_of(note: Note) -> str:
    """Return the latest case that the note comes from, whose ledger its ticket is written by; empty if there is none."""
    cases = [source for source in note.source_emails if source.startswith("case-") and source[5:].isdecimal()]
    return max(cases, key=lambda case: int(case[5:]), default="")


def reason_of(note: str) -> str:
    """Return the reason of the order of a note's ticket: it names the note, so that the order is found again."""
    return f"{ORDER_NOTE}: {note}"


def ticket_arguments(note: Note, issue_types: Sequence[str]) -> Mapping[str, Json]:
    """Return the arguments of the tool that creates a ticket. Raises `IndexError` where the project has no types."""
    known = {each.casefold(): each for each in issue_types}
    parts = [note.text.strip()[:LONGEST_TEXT]]
    parts += [f"Owner: {note.owner}"] if note.owner else []
    parts += [f"Why now: {note.priority_justification}"] if note.priority_justification else []
    summary = " ".join(note.title.split())[:LONGEST_SUMMARY]
    return {
        "summary": summary,
        "description": "\n\n".join(filter(None, parts)) or summary,
        "issue_type": next((known[each] for each in TASK if each in known), issue_types[0]),
        **({"due_date": note.deadline.isoformat()} if note.deadline else {}),
    }

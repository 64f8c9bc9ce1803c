"""Notes for tests, with what matters given by name."""

from datetime import date
from typing import Any

from triage.domain.memory.notes import Note, NoteKind, NoteTrust
from triage.domain.untrusted import Untrusted


def a_note(note: str = "commitments/report", title: str = "Send the report", text: str = "", **fields: Any) -> Note:
    """A note of a proven mail of Ann's, unless it is said otherwise."""
    given = {
        "created": date(2026, 11, 22),
        "source_emails": ("case-17",),
        "source_senders": ("ann@acme.example",),
        "trust": NoteTrust.VERIFIED,
        **fields,
    }
    return Note(id=note, kind=NoteKind(note.partition("/")[0]), title=title, text=Untrusted(text), **given)

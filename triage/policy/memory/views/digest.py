"""Says in a few lines what the memory has of the week: what is overdue, what is due, what was decided."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Final

from triage.domain.memory.notes import Note, NoteKind, NoteStatus
from triage.domain.text.truncation import truncated

WEEK: Final = timedelta(days=7)
MOST: Final = 6
"""Notes of a line; the others are counted."""
LONGEST: Final = 70
"""Characters of a title."""
DUE: Final = frozenset({NoteKind.ACTION, NoteKind.COMMITMENT})


def digest_of(notes: Sequence[Note], today: date) -> tuple[str, ...]:
    """Return a line for each group that has notes, the most pressing first; empty where there is nothing to tell."""
    open_ = [note for note in notes if note.status is NoteStatus.ACTIVE]
    dated = sorted(
        ((note.deadline, note) for note in open_ if note.kind in DUE and note.deadline),
        key=lambda one: (one[0], one[1].id),
    )
    late = [note for day, note in dated if day < today]
    due = [note for day, note in dated if today <= day < today + WEEK]
    decided = [n for n in open_ if n.kind is NoteKind.DECISION and n.created and today - WEEK <= n.created <= today]
    groups = (("Overdue", late), ("Due within a week", due), ("Decided this week", decided))
    return tuple(f"{name}: {'; '.join(_lines(found))}" for name, found in groups if found)


def _lines(notes: Sequence[Note]) -> Iterator[str]:
    for note in notes[:MOST]:
        title = truncated(note.title, LONGEST)
        about = ", ".join(filter(None, (note.owner, note.deadline.isoformat() if note.deadline else "")))
        yield f"{title} ({about})" if about else title
    if len(notes) > MOST:
        yield f"and {len(notes) - MOST} more"

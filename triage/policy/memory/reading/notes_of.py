"""Makes notes of observations, and actions of our own promises."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from triage.domain.memory.notes import Note, NoteKind, NoteStatus, Observation
from triage.domain.untrusted import Untrusted
from triage.policy.memory.notes.quotation import with_quote
from triage.policy.memory.quadrants import UNIMPORTANT, important_half, quadrant_today

PER_SENDER: Final = 40
"""Most observations of the mails of one sender and day; who writes more fills the vault."""
BUT: Final = f"{UNIMPORTANT}: "
"""How the half begins that an agent has given a reason."""
UNCHOSEN: Final = ""
"""The service chooses a note's id."""


def note_of(one: Observation, day: date) -> Note:
    return Note(
        id=UNCHOSEN,
        kind=one.kind,
        title=one.title,
        text=Untrusted(with_quote(one.text, one.quote)),
        created=day,
        people=one.people,
        owner=one.owner,
        quadrant=one.quadrant,
        priority_justification=one.priority_justification,
        deadline=one.deadline,
        commitment_status=one.commitment_status,
        source_emails=(one.source_email,),
        source_senders=tuple(filter(None, (one.sender,))),
        tickets=one.tickets,
        trust=one.trust,
    )


def promises_to_keep(notes: Sequence[Note], domains: Collection[str], today: date) -> tuple[Note, ...]:
    """Return an action for each active promise of our own people that has none yet."""
    return tuple(_kept(note, today) for note in promised(notes, domains))


def promised(notes: Sequence[Note], domains: Collection[str]) -> tuple[Note, ...]:
    """Return the active promises of our own people that have no action yet."""
    made = {source for note in notes if note.kind is NoteKind.ACTION for source in note.source_memories}
    return tuple(
        note
        for note in notes
        if note.kind is NoteKind.COMMITMENT
        and note.status is NoteStatus.ACTIVE
        and note.id not in made
        and note.owner.rpartition("@")[2].casefold() in domains
    )


def _kept(promise: Note, today: date) -> Note:
    judged = quadrant_today(promise.deadline, today, f"{promise.owner} has promised it")
    return replace(
        promise,
        id=UNCHOSEN,
        kind=NoteKind.ACTION,
        title=f"Keep the promise: {promise.title}",
        quadrant=judged.quadrant,
        priority_justification=judged.why,
        commitment_status=None,
        source_memories=(promise.id,),
        related_to=(promise.id,),
        changes=(),
    )


def judged_again(note: Note, today: date) -> Note:
    """Return an active action with the quadrant of this day; why it is important stays as it was."""
    if note.kind is not NoteKind.ACTION or note.status is not NoteStatus.ACTIVE or note.deadline is None:
        return note
    important = important_half(note)
    if important.startswith(BUT):  # an agent has said why; a day that comes nearer changes nothing about that
        judged = quadrant_today(note.deadline, today, "")
        return replace(
            note, quadrant=judged.quadrant, priority_justification=f"{judged.why[:-1]}{important[len(UNIMPORTANT) :]}."
        )
    if important == UNIMPORTANT:
        important = ""
    judged = quadrant_today(note.deadline, today, important or "somebody waits for it until then")
    return replace(note, quadrant=judged.quadrant, priority_justification=judged.why)

"""Notes of observations, actions of promises, and quadrants of a day."""

from dataclasses import replace
from datetime import date

from tests.unit.triage.policy.memory.observed import told
from triage.domain.memory.notes import NoteKind, NoteStatus, Quadrant
from triage.policy.memory.reading.notes_of import judged_again, note_of, promises_to_keep

DAY = date(2026, 11, 3)
PROMISE = replace(note_of(told("I will send the list by Friday.")[0], DAY), id="commitments/list")


def test_a_note_has_what_was_observed() -> None:
    """Day, source and sender are the mail's."""
    assert (PROMISE.created, PROMISE.source_emails, PROMISE.source_senders) == (DAY, ("case-1",), ("ann@acme.example",))


def test_our_promises_become_actions_once() -> None:
    """A stranger's, a closed one, and one that has its action do not."""
    (action,) = promises_to_keep([PROMISE], {"acme.example"}, DAY)

    assert (action.kind, action.quadrant, action.source_memories) == (
        NoteKind.ACTION,
        Quadrant.DO,
        ("commitments/list",),
    )
    assert promises_to_keep([PROMISE, action], {"acme.example"}, DAY) == ()
    assert promises_to_keep([PROMISE], {"other.example"}, DAY) == ()
    assert promises_to_keep([replace(PROMISE, status=NoteStatus.CLOSED)], {"acme.example"}, DAY) == ()


def test_a_quadrant_follows_the_day() -> None:
    """Why something is important stays; what has no deadline is left alone."""
    (request,) = told("Please sign the contract by 20 November.")
    note = note_of(request, DAY)
    plain = replace(note, priority_justification="Nothing makes it urgent; nothing makes it important.")
    later = judged_again(note, date(2026, 11, 19))

    assert (note.quadrant, later.quadrant) == (Quadrant.SCHEDULE, Quadrant.DO)
    assert later.priority_justification.endswith("it is about 'contract'.")
    assert judged_again(plain, DAY).priority_justification.endswith("somebody waits for it until then.")
    judged = replace(
        note, priority_justification="Nothing makes it urgent; nothing makes it important: a copy is enough."
    )
    assert judged_again(judged, date(2026, 11, 19)).priority_justification == (
        "Due on 2026-11-20, within 3 days; nothing makes it important: a copy is enough."
    )
    assert judged_again(replace(note, deadline=None), DAY) == replace(note, deadline=None)

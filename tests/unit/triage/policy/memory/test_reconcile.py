"""Which sent mails and tickets close a note, and which do not."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from cli.evaluate.memory.reconciled import LabelledNote, judged, labelled_notes
from tests.unit.triage.policy.memory.observed import CORPUS
from triage.domain.memory.notes import NoteChange, NoteKind, NoteStatus
from triage.policy.memory.reconcile import ended_together, matter_words, reconcile

NOTES = labelled_notes(CORPUS)
NOW = datetime(2026, 11, 22, 9, tzinfo=UTC)


@pytest.mark.parametrize("labelled", NOTES, ids=lambda one: one.note.id)
def test_a_note_ends_by_evidence_alone(labelled: LabelledNote) -> None:
    """Each labelled note gets the status and the deadline that a person gave it."""
    assert judged((labelled,)).wrong == []


def test_nothing_is_closed_wrongly() -> None:
    """No note of the corpus is closed that is open."""
    counts = judged(NOTES)

    assert (counts.notes, counts.false_closings) == (40, [])
    assert counts.closed == counts.closings


def test_only_open_actions_and_promises_are_judged() -> None:
    """A decision stays, and so does what is closed."""
    done = NOTES[0]
    closed, decision = replace(done.note, status=NoteStatus.CLOSED), replace(done.note, kind=NoteKind.DECISION)

    assert [reconcile(note, done.sent, done.tickets, done.today) for note in (closed, decision)] == [None, None]


def test_a_note_without_a_day_is_closed_by_nothing() -> None:
    """What has no day of its own cannot be older than its answer."""
    by_mail, by_ticket = (replace(one, note=replace(one.note, created=None)) for one in (NOTES[0], NOTES[8]))

    for one in (by_mail, by_ticket):
        found = reconcile(one.note, one.sent, one.tickets, date(2026, 11, 7))
        assert found is None


def test_an_action_ends_as_its_promise_has() -> None:
    """Closed where one is, else as the first; what is open stays, and so does what was made of no promise."""
    promise = replace(NOTES[0].note, kind=NoteKind.COMMITMENT, id="commitments/a")
    action = replace(promise, kind=NoteKind.ACTION, id="action_required/a")
    closed, expired = replace(promise, status=NoteStatus.CLOSED), replace(promise, status=NoteStatus.EXPIRED)

    found = ended_together(action, (expired, closed), (), "reconciliation")
    assert (found and found.status) is NoteStatus.CLOSED
    found = ended_together(action, (expired,), (), "reconciliation")
    assert (found and found.status) is NoteStatus.EXPIRED
    assert ended_together(action, (closed, promise), (), "reconciliation") is None
    assert ended_together(action, (replace(closed, kind=NoteKind.DECISION),), (), "reconciliation") is None
    assert ended_together(replace(action, status=NoteStatus.CLOSED), (closed,), (), "reconciliation") is None
    done = replace(action, status=NoteStatus.CLOSED)
    assert ended_together(promise, (), (action, replace(done, changes=())), "") is None
    by_a_person = replace(done, changes=(NoteChange(at=NOW, by="lead@acme.example", what="closed: done"),))
    found = ended_together(promise, (), (by_a_person,), "reconciliation")
    assert (found and found.evidence) == "lead@acme.example has closed the action action_required/a"
    assert ended_together(promise, (), (by_a_person,), "lead@acme.example") is None


def test_words_of_the_matter_have_no_fillers() -> None:
    """Articles, days and thanks say nothing about a matter."""
    assert matter_words("Thanks, I will send the invoices on Friday") == {"invoi"}

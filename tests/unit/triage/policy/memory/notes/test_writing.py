"""What an agent of the memory may write, and what its sources carry."""

from dataclasses import replace
from datetime import date

import pytest

from tests.unit.triage.policy.memory.samples import a_note
from triage.domain.memory.notes import MemoryMail, NoteKind, NoteTrust
from triage.policy.memory.notes.writing import refusal, rights_of, trust_of, unsourced

NOTE = a_note("commitments/report", tickets=("HARB-1",), deadline=date(2026, 11, 20))
ACTION = a_note("action_required/report")
WRITER, ACTOR, CLERK, READER = map(rights_of, ("memory_writer", "action", "reconciliation", "query"))


def test_kinds_fields_and_budget() -> None:
    """Each agent writes its kinds, sets its fields, and stops at its budget; whoever is not in the table writes nothing."""
    assert refusal(WRITER, NoteKind.DECISION, None, {"text"}, 0) == ""
    assert refusal(ACTOR, NoteKind.ACTION, ACTION, {"quadrant"}, 29) == ""
    assert refusal(CLERK, NoteKind.COMMITMENT, NOTE, {"status"}, 0) == ""
    assert "this run may write 0 notes" in refusal(READER, NoteKind.INSIGHT, None, (), 0)
    assert "this run may write 30 notes" in refusal(ACTOR, NoteKind.ACTION, None, (), 30)
    assert "may not create notes of decisions; you may in action_required" in refusal(
        ACTOR, NoteKind.DECISION, None, (), 0
    )
    assert "may not create notes of commitments; you may in none" in refusal(CLERK, NoteKind.COMMITMENT, None, (), 0)
    assert "may not change notes of commitments" in refusal(ACTOR, NoteKind.COMMITMENT, NOTE, (), 0)
    assert "a note keeps its kind" in refusal(CLERK, NoteKind.ACTION, NOTE, (), 0)
    assert "may not set status, text" not in refusal(CLERK, NoteKind.COMMITMENT, NOTE, {"status"}, 0)
    assert "may not set status of a note that exists" in refusal(
        WRITER, NoteKind.COMMITMENT, NOTE, {"status", "text"}, 0
    )
    assert "belong to notes that exist" in refusal(WRITER, NoteKind.COMMITMENT, None, {"status"}, 0)


@pytest.mark.parametrize(
    ("fields", "senders", "told"),
    [
        ({"text"}, ["ANN@acme.example"], ""),
        ({"deadline"}, ["ann@acme.example"], ""),
        ({"text"}, ["mallory@evil.example"], ""),
        ({"text", "deadline"}, ["mallory@evil.example"], "did not write commitments/report"),
        ({"deadline"}, [], "names the mails that it comes from"),
        ({"text"}, [], "name where they come from"),
    ],
)
def test_what_sources_carry(fields: set[str], senders: list[str], told: str) -> None:
    """A sender changes what he said himself; to the words of others he may add his own, and nothing else."""
    said = unsourced(WRITER, NOTE, fields, senders, sources=bool(senders))

    assert said == told if not told else told in said


def test_a_new_note_has_a_source() -> None:
    """An action that was judged again needs none; a note from nowhere is refused."""
    assert "name where they come from" in unsourced(ACTOR, None, {"text"}, [], sources=False)
    assert unsourced(ACTOR, ACTION, {"quadrant"}, [], sources=False) == ""
    assert unsourced(ACTOR, None, {"text"}, [], sources=True) == ""


def test_trust_comes_from_the_sources() -> None:
    """The least proven one decides; no agent makes a trusted note; without a source nothing is proven."""
    mail = MemoryMail.__new__(MemoryMail)
    object.__setattr__(mail, "trust", NoteTrust.VERIFIED)
    trusted = replace(NOTE, trust=NoteTrust.TRUSTED)

    assert trust_of([mail], [trusted]) is NoteTrust.VERIFIED
    assert trust_of([], [trusted]) is NoteTrust.VERIFIED
    assert trust_of([mail], [replace(NOTE, trust=NoteTrust.UNTRUSTED)]) is NoteTrust.UNTRUSTED
    assert trust_of([], []) is NoteTrust.UNTRUSTED

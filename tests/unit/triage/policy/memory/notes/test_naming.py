"""What code says of a note."""

from dataclasses import replace
from datetime import date

import pytest

from tests.unit.triage.policy.memory.samples import a_note
from triage.domain.memory.notes import NoteStatus
from triage.domain.untrusted import Untrusted
from triage.policy.memory.notes.naming import describe_changes, note_id, personal


@pytest.mark.parametrize(
    ("note", "title", "wanted"),
    [
        ("commitments/", "Send the *report*: 2/3!", "commitments/2026-11-22-send-the-report-2-3"),
        ("decisions/", "Größe wählen", "decisions/2026-11-22-große-wahlen"),
        ("decisions/", "../..", "decisions/2026-11-22-note"),
        ("people/", "Ann Smith", "people/ann-smith-2"),
        ("insights/", "x" * 99, f"insights/2026-11-22-{'x' * 60}"),
    ],
)
def test_the_id_of_a_new_note(note: str, title: str, wanted: str) -> None:
    """It is made by code of the title, tells its day, leads nowhere else, and is free."""
    found = note_id(a_note(note, title, created=None), date(2026, 11, 22), {"people/ann-smith"})

    assert found == wanted.replace("große", "grosse")


def test_what_has_changed() -> None:
    """Values are named, texts are not repeated; what is nobody's business is not told."""
    note = a_note(title="A", text="a", updated=date(2026, 1, 1))
    other = replace(note, status=NoteStatus.CLOSED, deadline=date(2026, 12, 1), text=Untrusted("b"), updated=None)

    assert describe_changes(note, other) == "status: active → closed; deadline: none → 2026-12-01; text"
    assert describe_changes(note, replace(note, updated=None)) == ""


def test_personal_data() -> None:
    """Its kinds are named, wherever in the note it stands."""
    note = a_note(
        text="Call +49 30 1234567, pay to DE89 3704 0044 0532 0130 00.", people=("Ann Smith",), owner="ann@a.example"
    )

    assert personal(note) == ("account", "address", "name", "phone")
    assert personal(a_note()) == ()

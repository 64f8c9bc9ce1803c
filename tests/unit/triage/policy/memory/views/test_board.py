"""The columns of the board, and the draft of a ticket of an action."""

from dataclasses import replace
from datetime import date

from triage.domain.memory.notes import Note, NoteKind, NoteStatus, Quadrant
from triage.domain.untrusted import Untrusted
from triage.policy.memory.views.board import case_of, columns, reason_of, ticket_arguments, version_of

ACTION = Note(id="action_required/a", kind=NoteKind.ACTION, title="Send  the report", quadrant=Quadrant.DO)


def test_open_actions_stand_in_their_quadrants_by_deadline() -> None:
    """Closed actions and other notes are left out; what nobody has sorted stands in a column of its own."""
    late = replace(ACTION, id="action_required/b", deadline=date(2026, 11, 20))
    unsorted = replace(ACTION, id="action_required/c", quadrant=None)
    closed = replace(ACTION, id="action_required/d", status=NoteStatus.CLOSED)
    person = Note(id="people/ann", kind=NoteKind.PERSON, title="Ann")

    found = {column.quadrant: column.notes for column in columns([ACTION, unsorted, late, closed, person])}

    assert found == {
        Quadrant.DO: (late, ACTION),
        Quadrant.SCHEDULE: (),
        Quadrant.DELEGATE: (),
        Quadrant.ELIMINATE: (),
        None: (unsorted,),
    }
    assert None not in {column.quadrant for column in columns([ACTION])}


def test_any_change_is_another_version() -> None:
    """A note with one other field has another version."""
    assert version_of(ACTION) == version_of(replace(ACTION))
    assert version_of(ACTION) != version_of(replace(ACTION, owner="Ann"))


def test_the_latest_case_keeps_the_ledger() -> None:
    """Of several mails the latest case counts; Message-IDs of sent mails are no cases."""
    assert case_of(replace(ACTION, source_emails=("case-9", "case-17", "x@y.example", "case-b"))) == "case-17"
    assert case_of(ACTION) == ""


def test_a_ticket_has_what_the_note_says() -> None:
    """Title, text, owner, reason and deadline; a task where the project has that type."""
    full = replace(
        ACTION,
        text=Untrusted("The auditor waits.\n"),
        owner="Ann",
        priority_justification="audit on Monday",
        deadline=date(2026, 11, 27),
    )

    assert ticket_arguments(full, ("Bug", "Task")) == {
        "summary": "Send the report",
        "description": "The auditor waits.\n\nOwner: Ann\n\nWhy now: audit on Monday",
        "issue_type": "Task",
        "due_date": "2026-11-27",
    }
    assert ticket_arguments(ACTION, ("Bug",)) == {
        "summary": "Send the report",
        "description": "Send the report",
        "issue_type": "Bug",
    }


def test_an_order_names_its_note() -> None:
    """The reason of an order is the same for every click."""
    assert reason_of("action_required/a") == "a ticket of it: action_required/a"

"""The lines of the weekly digest."""

from datetime import date

from tests.unit.triage.policy.memory.samples import a_note
from triage.domain.memory.notes import NoteStatus
from triage.policy.memory.views.digest import MOST, digest_of

TODAY = date(2026, 11, 23)


def test_the_week_in_three_lines() -> None:
    """What is overdue, due within seven days, and decided in the last seven; closed notes are left out."""
    notes = [
        a_note("action_required/a", "Send the report", owner="Ann", deadline=date(2026, 11, 20)),
        a_note("commitments/b", "Visit " + "x" * 90, deadline=date(2026, 11, 29)),
        a_note("commitments/c", "Later", deadline=date(2026, 11, 30)),
        a_note("action_required/d", "Done", deadline=date(2026, 11, 20), status=NoteStatus.CLOSED),
        a_note("decisions/e", "No cameras"),
        a_note("decisions/f", "Old", created=date(2026, 10, 1)),
    ]

    late, due, decided = digest_of(notes, TODAY)

    assert late == "Overdue: Send the report (Ann, 2026-11-20)"
    assert due.startswith("Due within a week: Visit xxx")
    assert due.endswith("x… (2026-11-29)")
    assert decided == "Decided this week: No cameras"


def test_a_quiet_week_says_nothing_and_a_full_one_counts() -> None:
    """Without notes there is no line; of many the first are named."""
    many = [a_note(f"decisions/{n}", f"Number {n}") for n in range(MOST + 2)]

    assert digest_of([], TODAY) == ()
    assert digest_of(many, TODAY)[0].endswith("; and 2 more")

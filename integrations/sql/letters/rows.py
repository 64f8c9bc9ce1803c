"""Converts rows of letters to the domain's type and back."""

from dataclasses import replace
from typing import Any

from integrations.sql.database.rows import AnyRow, case_number
from triage.domain.letters import Letter, LetterState


def letter_of(row: AnyRow) -> Letter:
    """A letter, with what has become of it since."""
    letter: Letter = row.data
    return replace(
        letter,
        id=row.id,
        state=LetterState(row.state),
        queued_at=row.queued_at,
        due_at=row.due_at,
        started_at=row.started_at,
        attempts=row.attempts,
        by=row.decided_by,
        note=row.note,
    )


def letter_row(letter: Letter) -> dict[str, Any]:
    """The columns of a new letter, without its number."""
    return {
        "case_id": case_number(letter.case),
        "key": letter.key,
        "data": letter,
        "person": letter.person,
        "automatic": letter.automatic,
        "queued_at": letter.queued_at,
        **standing(letter),
    }


def standing(letter: Letter) -> dict[str, Any]:
    """The columns that change."""
    return {
        "state": letter.state,
        "due_at": letter.due_at,
        "started_at": letter.started_at,
        "attempts": letter.attempts,
        "decided_by": letter.by,
        "note": letter.note,
    }

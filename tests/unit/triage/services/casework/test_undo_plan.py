"""What an undo would take back, before anybody asks for it."""

from tests.unit.triage.services.casework.mail_cases import case_with
from triage.domain.effects import Effect, EffectState
from triage.domain.letters import Letter, LetterKind, LetterState
from triage.domain.mail import Address
from triage.domain.reports import Report
from triage.services.casework.undo_plan import undo_plan


def letter(number: int, state: LetterState) -> Letter:
    """A letter in this state."""
    to = (Address(address="ada@example.com"),)
    return Letter(
        id=number, key=f"{number}", case="case-7", kind=LetterKind.RECEIPT, to=to, subject="", body="", message_id="", state=state
    )  # fmt: skip


def test_what_is_taken_back_and_what_stays() -> None:
    """Tickets, comments and changes that were written, and letters that wait; files and sent letters stay."""
    effects = (
        Effect(key="a", kind="create", state=EffectState.DONE, result="HARB-1"),
        Effect(key="b", kind="comment", state=EffectState.REFUSED),
        Effect(key="c", kind="attach", state=EffectState.DONE),
    )
    letters = tuple(letter(number, state) for number, state in enumerate(LetterState))
    plan = undo_plan(Report(case=case_with(0), state="", attempts=1, trouble="", effects=effects, letters=letters))

    assert [one.key for one in plan.back] == ["a"]
    assert [one.key for one in plan.stays] == ["c"]
    assert [one.state for one in plan.cancelled] == [LetterState.WAITING]
    assert [one.state for one in plan.sent] == [LetterState.SENT, LetterState.UNKNOWN]
    assert not plan.empty
    assert undo_plan(Report(case=case_with(0), state="", attempts=1, trouble="")).empty

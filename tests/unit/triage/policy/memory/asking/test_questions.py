"""What rules read out of a question to the memory."""

import pytest

from triage.domain.memory.notes import NoteKind
from triage.policy.memory.asking.questions import Horizon, MemoryQuestion, WantedAnswer, read_question


def test_a_question_is_read_by_its_words() -> None:
    """Words that ask are no words to look for; each other one counts once, tickets and cases are told by name."""
    assert read_question(
        "What did we decide about the quay cameras, the quay of HARB-12 and case 7?"
    ) == MemoryQuestion(
        text="What did we decide about the quay cameras, the quay of HARB-12 and case 7?",
        terms=("quay", "camera"),
        kinds=frozenset({NoteKind.DECISION}),
        named=frozenset({"HARB-12", "case-7"}),
    )


@pytest.mark.parametrize(
    ("text", "wants"),
    [
        ("Who promised it?", WantedAnswer.PERSON),
        ("Wer macht das?", WantedAnswer.PERSON),
        ("Until when do we wait?", WantedAnswer.TIME),
        ("How much is it?", WantedAnswer.NUMBER),
        ("What happens when it rains?", WantedAnswer.ANYTHING),
    ],
)
def test_a_question_asks_for(text: str, wants: WantedAnswer) -> None:
    """The word that opens a question says what it asks for; `when` further on asks for no time."""
    assert read_question(text).wants is wants


@pytest.mark.parametrize(
    ("text", "horizon"),
    [
        ("What is overdue?", Horizon.OVERDUE),
        ("What do I have to do this week?", Horizon.SOON),
        ("Was ist überfällig?", Horizon.OVERDUE),
        ("What do we have to do?", Horizon.ANY),
    ],
)
def test_a_question_for_deadlines_is_about_no_word(text: str, horizon: Horizon) -> None:
    """Questions for what is late or soon due name nothing else."""
    asked = read_question(text)

    assert (asked.horizon, asked.terms) == (horizon, ())


def test_promises_that_are_due_are_promises() -> None:
    """The words of deadlines add no actions to the kind that is named."""
    assert read_question("Which promises are due this week?").kinds == {NoteKind.COMMITMENT}


@pytest.mark.parametrize(
    "text",
    ["What did we promise to customers?", "Which promises are open?", "Was haben wir den Kunden versprochen?"],
)
def test_for_all_promises(text: str) -> None:
    """Customers, and that they are open, narrow no question for promises; in other questions these words count."""
    asked = read_question(text)

    assert (asked.kinds, asked.terms) == (frozenset({NoteKind.COMMITMENT}), ())
    assert read_question("Why do customers call?").terms == ("customer", "call")

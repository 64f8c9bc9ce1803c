"""Which questions go on from the one before them, and what they take over."""

import pytest

from triage.domain.memory.notes import NoteKind
from triage.policy.memory.asking.follow_up import following
from triage.policy.memory.asking.questions import WantedAnswer, read_question

BEFORE = "What is the plan for the quay cameras of HARB-12?"


@pytest.mark.parametrize(
    "text",
    [
        "And who promised that?",
        "When?",
        "How much does it cost?",
        "Is it waterproof?",
        "What about the lenses?",
        "Und wer hat das zugesagt?",
        "Wann?",
        "and for business customers?",
        "And private ones?",
        "Und für Geschäftskunden aus Österreich?",
        "Et pour les entreprises ?",
        "¿Y para clientes de empresa?",
    ],
)
def test_a_question_without_a_matter_goes_on(text: str) -> None:
    """It is searched with the words and tickets of the question before it, and with that question's text."""
    question = following(text, BEFORE)

    assert (question.before, question.named) == (BEFORE, frozenset({"HARB-12"}))
    assert set(read_question(BEFORE).terms) <= set(question.terms)
    assert question.whole == f"{BEFORE}\n{text}"


@pytest.mark.parametrize(
    "text",
    [
        "What is overdue?",
        "What do we have to do?",
        "Who reported that the upload stops?",
        "Who promised the audit report?",
        "What is HARB-7?",
        "Wer bezahlt die neue Brücke?",
        "And for the audit of the harbour cameras and lights in May?",
        "And do you have a branch in Lisbon?",
    ],
)
def test_a_question_with_a_matter_of_its_own_stands_alone(text: str) -> None:
    """Whatever was asked before, it is read as if nothing had been."""
    assert following(text, BEFORE) == read_question(text)
    assert following(text, BEFORE).whole == text


def test_what_it_asks_for_is_its_own() -> None:
    """A person is asked for, and a promise: the question before asked for neither."""
    question = following("And who promised that?", BEFORE)

    assert (question.wants, question.kinds) == (WantedAnswer.PERSON, frozenset({NoteKind.COMMITMENT}))
    assert following("When?", " ") == read_question("When?")

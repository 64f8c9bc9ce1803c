"""Suggested phrasing, and the questions that it answers."""

import pytest

from triage.config.support.confidence import Scoring
from triage.domain.support.articles import Article, KnowledgeAnswer
from triage.domain.untrusted import Untrusted
from triage.policy.knowledge.answer import answer
from triage.policy.knowledge.likeness import hits_of
from triage.policy.knowledge.passages import passages_of
from triage.policy.knowledge.phrasing import fitting

REFUNDS = """# Refunds

Refunds take five working days.

## For those who answer

Never promise a refund of fees.

Suggested phrasing: "I am sorry about that. I have passed your refund request on to our accounts team."
"""
RESERVE = '# Reserve\n\nSuggested phrasing: "Open the app and press Reserve."\n'
ACKNOWLEDGED = "I have passed your refund request on to our accounts team."


def answered(question: str, text: str) -> KnowledgeAnswer:
    """The answer from one article, however sure."""
    passages = passages_of(Article(id="help:a", title="Refunds", text=Untrusted(text), source="help"))
    return answer(question, hits_of(question, tuple(reversed(passages)), {}, 20), scoring=Scoring(refuses=0.0))


def texts(question: str, text: str = REFUNDS) -> list[str]:
    """Its sentences."""
    return [one.text for one in answered(question, text).sentences]


@pytest.mark.parametrize(
    "question",
    [
        "How long do refunds take?",
        "Hello, I sent it back on Monday. How long do refunds take?",
        "Wie lange dauert die Erstattung, also die refunds?",
    ],
)
def test_who_only_asks_gets_what_he_asks_for(question: str) -> None:
    """Nobody is told that his request was passed on who has made none, nor what only the desk is told."""
    assert texts(question)[:1] == ["Refunds take five working days."]
    assert not answered(question, REFUNDS).suggested
    assert not [one for one in texts(question) if "passed" in one or "phrasing" in one]


@pytest.mark.parametrize(
    "request_", ["I want a refund for March.", "Could you please refund me?", "Refund! The gate was locked."]
)
def test_who_wants_it_gets_the_phrasing(request_: str) -> None:
    """Its words are for him, whether or not a question mark stands behind his wish."""
    assert ACKNOWLEDGED in texts(request_)
    assert answered(request_, REFUNDS).suggested


def test_phrasing_that_explains_answers_questions() -> None:
    """It acknowledges nothing, so it is what the article wants everybody to be told."""
    assert texts("How do I reserve?", RESERVE) == ["Open the app and press Reserve."]


def test_one_passage_with_both() -> None:
    """An article without headings keeps its facts when its phrasing is set aside; one that has nothing else answers nothing."""
    whole = "Refunds take five days.\n\nSuggested phrasing:\n\n- I am sorry.\n- Your request is noted."
    alone = 'Suggested phrasing: "Your request for a refund is noted."'

    assert texts("How long do refunds take?", whole) == ["Refunds take five days."]
    assert texts("How long do refunds take?", alone) == []


def test_other_articles_keep_their_place() -> None:
    """What is left of a passage stands behind its own article's others, before those of the next article."""
    passages = [
        *reversed(passages_of(Article(id="help:a", title="Refunds", text=Untrusted(REFUNDS), source="help"))),
        *passages_of(Article(id="help:b", title="Fees", text=Untrusted("A refund of fees is rare."), source="help")),
    ]
    hits = hits_of("How long do refunds take?", passages, {}, 20)

    assert [hit.passage.id for hit in hits] == ["help:a#1", "help:a#0", "help:b#0"]
    assert [hit.passage.id for hit in fitting("How long do refunds take?", hits)] == [
        "help:a#0",
        "help:a#1",
        "help:b#0",
    ]
    assert fitting("I want a refund", hits) == hits

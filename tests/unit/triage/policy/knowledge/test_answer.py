"""Answers that are quoted from passages."""

from dataclasses import replace

import pytest

from triage.config.support.confidence import Scorer, Scoring
from triage.domain.support.articles import Article, CitedSentence, KnowledgeAnswer, Passage, PassageHit
from triage.domain.untrusted import Untrusted
from triage.policy.knowledge.answer import (
    FORBIDDEN,
    NOTHING_FOUND,
    UNSUPPORTED,
    answer,
    calculate_confidence,
    judged,
    narrowed,
)
from triage.policy.knowledge.likeness import hits_of
from triage.policy.knowledge.passages import passages_of
from triage.policy.knowledge.support import borne_out

RETURNS = Passage(
    article="help:returns",
    number=0,
    title="Returns",
    tags=("billing",),
    text=Untrusted(
        "Parcels go back within 14 days.\nDo not offer refunds unless approved.\n- Print the label.\n- Post it."
    ),
)
GAMES = Passage(
    article="help:games", number=0, title="Games", text=Untrusted("Opened games stay opened. We wish you fun.")
)
LONG = Passage(
    article="help:long",
    number=0,
    title="Rules",
    text=Untrusted(
        "\n".join(f"Rule {at} is about topic{at} and nothing else that anybody would ask us for." for at in range(60))
    ),
)

BOLD = Scoring(refuses=0.0)
"""Refuses nothing that has a sentence."""


def found(question: str, *passages: Passage) -> tuple[PassageHit, ...]:
    """The passages as the library finds them."""
    return hits_of(question, passages, {}, 100)


def texts(question: str, *passages: Passage) -> list[str]:
    """The sentences of the answer."""
    return [one.text for one in answer(question, found(question, *passages)).sentences]


def test_a_short_passage_is_quoted_whole() -> None:
    """Each sentence cites its passage; what only the desk is told is left out."""
    hits = found("parcels back", RETURNS)
    told = answer("parcels back", hits)

    assert [one.text for one in told.sentences] == [
        "Parcels go back within 14 days.",
        "- Print the label.",
        "- Post it.",
    ]
    assert told.articles == ("help:returns",)
    assert borne_out(told.sentences, hits) == told.sentences
    assert not told.refused
    assert told.hits == hits


def test_the_best_part_of_a_long_passage() -> None:
    """Sentences in a row around what is asked."""
    told = texts("What is topic42?", LONG)

    assert any("topic42" in one for one in told)
    assert 5 < len(told) < 12


def test_another_article_answers_the_rest() -> None:
    """It is quoted, too, where it says what the first one leaves open; the same article's next passage is not."""
    both = "parcels label post games fun opened"

    assert [one.passage for one in answer(both, found(both, RETURNS, GAMES), scoring=BOLD).sentences][
        -1
    ] == "help:games#0"
    assert texts("parcels go back", RETURNS, GAMES)[-1] == "- Post it."


def test_a_verb_alone_brings_no_other_article() -> None:
    """`buy` of a question about boxes stands in an article about padlocks, too; one whose title has the word is about it."""
    boxes = Passage(article="help:boxes", number=0, title="Boxes", text=Untrusted("Unused boxes are taken back."))
    locks = Passage(article="help:locks", number=0, title="Locks", text=Untrusted("You can buy one at the desk."))
    buying = replace(locks, article="help:buying", title="What you can buy")
    asked = "Do you buy back unused boxes?"

    assert texts(asked, boxes, locks) == ["Unused boxes are taken back."]
    assert texts(asked, boxes, buying)[-1] == "You can buy one at the desk."


def test_an_article_that_says_nothing_new_is_passed_over() -> None:
    """The next one is quoted in its place."""
    both = "parcels label post games fun opened"
    same = Passage(article="help:post", number=0, title="Post", text=Untrusted("Post the label."))
    returns, games = found(both, RETURNS)[0], found(both, GAMES)[0]

    hits = (found(both, RETURNS, same, GAMES)[0], *found(both, same), games)
    assert returns.passage == hits[0].passage
    assert [one.passage for one in answer(both, hits, scoring=BOLD).sentences][-1] == "help:games#0"


def test_suggested_phrasing_comes_first() -> None:
    """Where an article says in which words it wants to be told, these are used."""
    passage = Passage(
        article="help:app", number=1, title="App", text=Untrusted("Tell them."), suggested=("Open the app.", "Tap it.")
    )
    told = answer("app", found("app", GAMES, passage))

    assert [one.text for one in told.sentences] == ["Open the app.", "Tap it."]
    assert told.suggested


def test_a_forbidden_promise_is_never_made() -> None:
    """Neither as suggested phrasing nor in the words of a model; other sentences stay."""
    generous = Passage(
        article="help:old", number=0, title="Refund", text=Untrusted("Old."), suggested=("We will refund you at once.",)
    )
    hits = found("refund parcels", generous, RETURNS)
    by_model = [CitedSentence(text=one, passage=generous.id) for one in ("You'll get a refund.", "Parcels go back.")]

    assert all("refund you" not in one.text for one in answer("refund parcels", hits).sentences)
    assert [one.text for one in judged("refund parcels", hits, by_model, scoring=BOLD).sentences] == [
        "Parcels go back."
    ]
    assert judged("refund parcels", hits, by_model[:1]).refused == FORBIDDEN


def test_without_support_there_is_no_answer() -> None:
    """Nothing found, or hardly a word of the question: refused, with confidence and hits for those who look."""
    assert answer("anything", ()).refused == NOTHING_FOUND
    assert answer("anything", ()).confidence == 0
    strange = "Will the zebra cross the lake with a yak tonight, or bring grandmother fun?"
    told = answer(strange, found(strange, GAMES))

    assert told.refused == UNSUPPORTED
    assert not told.sentences
    assert told.hits


def test_a_matching_tag_raises_the_formula() -> None:
    """The issue type that the classifier found stands among the article's tags."""
    hits = found("parcels", RETURNS)
    matched, other = (dict(answer("parcels", hits, issue_type=name).scores) for name in ("Billing", "technical"))

    assert round(matched["seed"] - other["seed"], 3) == 0.05


def test_a_link_without_its_place_is_not_quoted() -> None:
    """What was only a link says nothing in a letter; a short answer such as `Yes.` does."""
    passage = Passage(
        article="help:tax", number=0, title="Tax", text=Untrusted("Yes. Tax is added. Here's how. More on tax \u2192")
    )

    assert texts("tax", passage) == ["Yes.", "Tax is added."]


def test_a_question_that_goes_on_gets_the_sentence_it_is_about() -> None:
    """The answer shrinks to the sentence with most of its words, words that say little included, and stays whole where none has any."""
    whole = answer("parcels back", found("parcels back print the label", RETURNS))

    assert [one.text for one in narrowed(whole, "Which label?").sentences] == ["- Print the label."]
    assert narrowed(whole, "Why?") == whole
    sizes = replace(
        RETURNS,
        text=Untrusted("You can move to a smaller unit. It is dry. Moving to a smaller one costs 20 pounds."),
    )
    both = answer("cost smaller unit", found("cost smaller unit", sizes))
    assert [one.text for one in narrowed(both, "and to a smaller one?").sentences] == [
        "Moving to a smaller one costs 20 pounds."
    ]
    assert narrowed(KnowledgeAnswer(), "Why?") == KnowledgeAnswer()


def test_the_next_passage_of_the_same_article_is_passed_over() -> None:
    """What is left open is looked for in other articles."""
    next_one = replace(RETURNS, number=1, text=Untrusted("Fun is opened games, says the label."))
    told = answer(
        "parcels label post games fun opened", found("parcels label post games fun opened", RETURNS, next_one)
    )

    assert {one.passage for one in told.sentences} <= {"help:returns#0", "help:returns#1"}


@pytest.mark.parametrize(
    ("similarities", "length", "suggested", "match", "confidence"),
    [
        ([1.0, 1.0, 1.0], 60, True, True, 1.0),
        ([1.0], 60, True, True, 1.0),
        ([0.0], 60, True, True, 0.6),
        ([0.5, 1.0], 60, True, True, 0.9),
        ([1.0], 51, True, True, 1.0),
        ([1.0], 50, True, True, 0.91),
        ([1.0], 21, True, True, 0.91),
        ([1.0], 20, True, True, 0.79),
        ([1.0], 0, True, True, 0.79),
        ([1.0], 60, False, True, 0.94),
        ([1.0], 60, True, False, 0.95),
        ([1.0], 60, False, False, 0.89),
        ([0.9, 0.6, 0.3], 30, False, False, 0.24 + 0.21 + 0.14 + 0.05),
        ([0.0, 0.0], 5, False, False, 0.09 + 0.14 + 0.05),
        ([], 60, True, True, 0.0),
    ],
)
def test_formula(similarities: list[float], length: int, *, suggested: bool, match: bool, confidence: float) -> None:
    """40 % likeness, 30 % completeness, 20 % quality, 10 % context; without an article 0."""
    told = calculate_confidence(similarities, length, has_suggested_phrasing=suggested, classification_match=match)

    assert told == pytest.approx(confidence)


def test_the_calibrated_scorer_decides_once_it_has_enough_labels() -> None:
    """200 labels, unless triage.yaml says otherwise; a scorer that is named decides whatever there is."""
    assert Scoring().decides(199) is Scorer.SEED
    assert Scoring().decides(200) is Scorer.CALIBRATED
    assert Scoring(labels=10).decides(10) is Scorer.CALIBRATED
    assert Scoring(scorer=Scorer.SEED).decides(9_999) is Scorer.SEED
    assert Scoring(scorer=Scorer.CALIBRATED).decides(0) is Scorer.CALIBRATED


PRICED = """You can freeze your plan in the app. Do not offer refunds of the 7 euros. A freeze costs 5 euros a month.

Suggested phrasing: "You can freeze your plan in the app."
"""


@pytest.mark.parametrize(
    ("question", "text", "last"),
    [
        ("Can I freeze my plan, and what does it cost?", PRICED, "A freeze costs 5 euros a month."),
        ("Can I freeze my plan in the app?", PRICED, "You can freeze your plan in the app."),
        (
            "Can I freeze my plan in the app, and what does it cost?",
            'A freeze costs 5 euros.\n\nSuggested phrasing: "You can freeze your plan in the app for 5 euros."',
            "You can freeze your plan in the app for 5 euros.",
        ),
        (
            "Can I freeze my plan in the app, and what does it cost?",
            'A freeze is quick.\n\nSuggested phrasing: "You can freeze your plan in the app."',
            "You can freeze your plan in the app.",
        ),
    ],
)
def test_a_price_that_is_asked_for_stands_beside_suggested_phrasing(question: str, text: str, last: str) -> None:
    """The sentence of the passage that names it follows, where the phrasing leaves it out; what the desk is told never does."""
    article = Article(id="help:freeze", source="help", title="Freezing", text=Untrusted(text))
    passages = tuple(passages_of(article))

    assert answer(question, hits_of(question, passages, {}, 100)).sentences[-1].text == last

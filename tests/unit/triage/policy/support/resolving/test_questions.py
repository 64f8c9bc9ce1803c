"""Several questions in one mail: which there are, and what becomes of each."""

from dataclasses import replace

import pytest

from triage.domain.support.articles import CitedSentence, KnowledgeAnswer, Passage, PassageHit
from triage.policy.support.resolving.questions import combined, means_unknown, questions_in, says_all

LEAST = 0.7


def answer(article: str, confidence: float, **more: object) -> KnowledgeAnswer:
    """One sentence of an article."""
    hit = PassageHit(passage=Passage(article=article, number=0, title=article), similarity=1.0)
    said = CitedSentence(text=f"From {article}.", passage=f"{article}#0")
    return replace(KnowledgeAnswer(sentences=(said,), hits=(hit,), confidence=confidence), **more)  # type: ignore[arg-type]


WHOLE = answer("whole", 0.4)
TIERS, LISBON, REFUND = "Which tiers are there?", "Is there a branch in Lisbon?", "Can you refund r-500?"


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        ("How do I cancel a booking? Do visits\nexpire?", ("How do I cancel a booking?", "Do visits expire?")),
        ("How do I pay, and what does a debit cost?", ("How do I pay?", "What does a debit cost?")),
        ("Wo ist der Eingang und was kostet das Parken?", ("Wo ist der Eingang?", "Was kostet das Parken?")),
        ("1. Where is the pool?\n2) Do dogs swim?", ("Where is the pool?", "Do dogs swim?")),
        ("Is there parking? Is it free? Do dogs swim?", ("Is there parking? Is it free?", "Do dogs swim?")),
        ("How do I cancel a booking and is it free?", ()),
        ("I moved. Where do I change my address? Can you help me?", ()),
        ("How do I cancel? What do I have to do?", ()),
        ("Where is the pool? And do dogs swim?", ("Where is the pool?", "Do dogs swim?")),
        ("The pool is closed.", ()),
        (
            "Hi, I have lost the key to my\nlocker. Also, do you take cash?",
            ("Hi, I have lost the key to my locker.", "Do you take cash?"),
        ),
        (
            "Mein Schlüssel ist weg.\n\nÜbrigens: kann man bar bezahlen? Danke!",
            ("Mein Schlüssel ist weg.", "Kann man bar bezahlen?"),
        ),
        ("I cancelled on Monday. How long does a refund take?", ()),
        ("I have lost my key. Also, can you help me?", ()),
        ("Also, do you take cash?", ()),
        (
            "How do I cancel, how do I get a refund and where is my invoice?",
            ("How do I cancel?", "How do I get a refund?", "Where is my invoice?"),
        ),
        (
            "Wie storniere ich, was kostet ein Paket und wo finde ich meine Rechnung?",
            ("Wie storniere ich?", "Was kostet ein Paket?", "Wo finde ich meine Rechnung?"),
        ),
        (
            "How do I cancel a booking, what does it cost and do I get a receipt?",
            ("How do I cancel a booking, what does it cost?", "Do I get a receipt?"),
        ),
        ("If I cancel, can I get a refund?", ()),
        ("Was wird bei einem Umzug aus dem Vertrag? Kündigen oder geht er mit?", ()),
        ("What becomes of my contract when I move? Cancel or does it move with me?", ()),
        (
            "Wie kündige ich? Muss ich beim Umzug zahlen oder geht der Vertrag mit?",
            ("Wie kündige ich?", "Muss ich beim Umzug zahlen oder geht der Vertrag mit?"),
        ),
        (
            "Where is the pool? Do dogs swim or are cats allowed?",
            ("Where is the pool?", "Do dogs swim or are cats allowed?"),
        ),
    ],
)
def test_questions_with_a_matter_of_their_own(text: str, questions: tuple[str, ...]) -> None:
    """What goes on from a question belongs to it, and fewer than two are not parted."""
    assert questions_in(text) == questions


def test_both_are_answered() -> None:
    """Each sentence names its question, and the answer is as sure as the least sure one."""
    found = combined(WHOLE, [(TIERS, answer("a", 0.9)), (LISBON, answer("b", 0.8))], LEAST)

    assert [(one.text, one.question) for one in found.sentences] == [("From a.", TIERS), ("From b.", LISBON)]
    assert [hit.passage.article for hit in found.hits] == ["a", "b"]
    assert (found.confidence, found.open) == (0.8, ())


def test_what_nothing_answers_stays_open() -> None:
    """The sure one is answered; the other one, and a wish that a person must grant, are for a person."""
    nothing = KnowledgeAnswer(refused="no article fits the question")
    unlike = answer("a", 0.1, sentences=())
    found = combined(WHOLE, [(TIERS, answer("a", 0.9)), (LISBON, nothing), ("Rain?", unlike), (REFUND, nothing)], LEAST)

    assert [one.question for one in found.sentences] == [TIERS]
    assert found.open == (LISBON, "Rain?", REFUND)


@pytest.mark.parametrize(
    ("question", "second"),
    [
        ("What happens to my visit?", answer("a", 0.5)),
        ("Could you please check the lamp?", KnowledgeAnswer()),
        ("Do visits come back?", answer("a", 0.9)),
        ("Is there one for children?", answer("a", 0.3, sentences=(), refused="no article says enough about it")),
    ],
)
def test_nothing_is_left_open(question: str, second: KnowledgeAnswer) -> None:
    """A question about the passage that answers the first one, a request, and one with the same answer are no second matter."""
    first = answer("a", 0.9)

    assert combined(WHOLE, [(TIERS, first), (question, second)], LEAST) == first


@pytest.mark.parametrize("unfit", [answer("b", 0.5), answer("b", 0.9, disputed="14 days, 30 days")])
def test_a_part_that_is_not_sure(unfit: KnowledgeAnswer) -> None:
    """It is not quoted beside a sure one; what articles say otherwise is kept for the person."""
    found = combined(WHOLE, [(TIERS, answer("a", 0.9)), (LISBON, unfit)], LEAST)

    assert (len(found.sentences), found.open, found.disputed) == (1, (LISBON,), unfit.disputed)


def test_where_no_part_is_sure_the_whole_is_judged() -> None:
    """So a mail that is answered as a whole stays so."""
    assert combined(WHOLE, [(TIERS, answer("a", 0.5)), (LISBON, answer("b", 0.6))], LEAST) is WHOLE
    assert combined(WHOLE, [], LEAST) is WHOLE


def test_a_whole_answer_is_no_surer_than_what_it_leaves_open() -> None:
    """A passage that fits both questions a little, and answers neither, is not sent as if it answered the mail."""
    parts = [(TIERS, answer("whole", 0.6)), (LISBON, answer("b", 0.3))]

    assert combined(answer("whole", 0.9), parts, LEAST).confidence == 0.3
    assert combined(answer("whole", 0.9), parts[:1], LEAST).confidence == 0.9


RARITY = {
    "membership": 0.4,
    "sauna": 1.0,
    "weekend": 1.0,
    "cousin": 0.9,
    "guest": 0.5,
    "plan": 0.3,
    "open": 0.2,
    "member": 0.4,
}


@pytest.mark.parametrize(
    ("subject", "text", "alone"),
    [
        ("Weekend", "My cousin visits me. May I bring a guest on the Plus plan?", True),
        ("Guest", "My cousin visits me. May I bring a guest on the Plus plan?", False),
        ("Membership", "My cousin visits me. May I bring a guest on the Plus plan?", False),
        ("Weekend", "A guest?", False),
        ("Weekend", "My cousin visits me. I bring a guest on the Plus plan.", False),
        ("Sauna", "Is it open for a guest of the Plus plan at night?", False),
    ],
)
def test_a_subject_that_only_announces_is_left_out(subject: str, text: str, *, alone: bool) -> None:
    """Where its words stand in no article, and the text asks by itself, with words of its own, and points at nothing."""
    assert says_all(subject, text, RARITY) is alone


@pytest.mark.parametrize(
    ("subject", "text", "unknown"),
    [
        ("Sauna", "Until when is it open, and may I bring a guest there?", True),
        ("Membership", "Until when is it open, and may I bring a guest there?", False),
        ("Sauna", "My cousin has a plan. Is it open for a guest?", False),
        ("Sauna", "Until when may a guest of the Plus plan stay?", False),
    ],
)
def test_what_no_article_has_may_be_what_a_question_points_at(subject: str, text: str, *, unknown: bool) -> None:
    """`Until when is it open?` below `Sauna` is about the sauna, and about nothing that the text names before."""
    assert means_unknown(subject, text, RARITY) is unknown

"""Two articles that tell different amounts of the same, in digits or in words."""

import pytest

from triage.domain.support.articles import Passage
from triage.domain.untrusted import Untrusted
from triage.policy.knowledge.answer import answer
from triage.policy.knowledge.likeness import hits_of


def disputed(question: str, text: str, other: str, article: str = "help:terms") -> str:
    """What the answer says of the other article."""
    passages = (
        Passage(article="help:returns", number=0, title="Returns", text=Untrusted(text)),
        Passage(article=article, number=1, title="Terms", text=Untrusted(other)),
    )
    return answer(question, hits_of(question, passages, {}, 100)).disputed


@pytest.mark.parametrize(
    ("question", "text", "other"),
    [
        (
            "How many days do I have to return an item?",
            "Items can be returned within 14 days of delivery.",
            "Returns of an item are accepted up to 30 days after delivery.",
        ),
        (
            "Wie lange kann ich die Ware zurückgeben?",
            "Ihre Ware können Sie innerhalb von 14 Tagen zurückgeben.",
            "Die Ware kann binnen 30 Tagen zurückgegeben werden.",
        ),
        (
            "How long can an item be returned?",
            "Items can be returned within two weeks of delivery.",
            "Returns of an item are accepted up to thirty days after delivery.",
        ),
        (
            "Wie lange kann ich die Ware zurückgeben?",
            "Ihre Ware können Sie innerhalb von zwei Wochen zurückgeben.",
            "Die Ware kann binnen einundzwanzig Tagen zurückgegeben werden.",
        ),
        (
            "Combien de temps ai-je pour retourner un article ?",
            "Un article peut être retourné pendant quatorze jours après la livraison.",
            "Le retour d'un article est accepté pendant trente jours après la livraison.",
        ),
        (
            "返品は何日以内にできますか?",
            "商品の返品は到着から十四日以内にできます。",
            "商品の返品は到着から30日以内にできます。",
        ),
        (
            "What does the basic plan cost?",
            "The basic plan costs €10 a month.",
            "The basic plan costs twelve euros a month.",
        ),
        (
            "Until when can a booking be cancelled?",
            "A booking can be cancelled up to 48 hours before.",
            "A booking can be cancelled until one week before.",
        ),
        (
            "How long can an item be returned?",
            "Items can be returned within three months of delivery.",
            "Items are returned within thirty days of delivery.",
        ),
    ],
)
def test_other_amounts_of_the_same_are_a_dispute(question: str, text: str, other: str) -> None:
    """Whichever article leads, both sentences are named with the titles of their articles."""
    assert disputed(question, text, other) in {
        f"“{text}” (Returns) and “{other}” (Terms)",
        f"“{other}” (Terms) and “{text}” (Returns)",
    }


@pytest.mark.parametrize(
    ("question", "text", "other"),
    [
        (
            "How many days do I have to return an item?",
            "Items can be returned within 14 days of delivery.",
            "Returns of an item are accepted for 14 days after delivery.",
        ),
        (
            "What does the basic plan cost?",
            "The basic plan costs 10 euros a month.",
            "The pro plan costs 20 euros a month.",
        ),
        (
            "How long can an item be returned?",
            "Items can be returned within two weeks of delivery.",
            "Returns of an item are accepted for 14 days after delivery.",
        ),
        (
            "How long can an item be returned?",
            "Items can be returned within 30 days of delivery.",
            "Returns of an item are accepted for one month after delivery.",
        ),
        (
            "What does the machine cost?",
            "The machine costs 1,250 euros.",
            "The machine costs 1250 euros without the case.",
        ),
        ("When is an item returned?", "Items can be returned within 14 days.", "We repair a returned item in 2 hours."),
        ("Can an item be returned in 14 days?", "Items can be returned within 14 days.", "The desk rests for 30 days."),
    ],
)
def test_other_things_have_other_amounts(question: str, text: str, other: str) -> None:
    """The same amount, another plan than the one that is asked about, another unit, another matter: nothing is disputed."""
    assert disputed(question, text, other) == ""


def test_an_article_may_tell_two_amounts() -> None:
    """One article that names an exception of its own disputes nothing."""
    text, other = "Items can be returned within 14 days.", "Sealed items can be returned within 30 days."

    assert disputed("How many days can an item be returned?", text, other, "help:returns") == ""

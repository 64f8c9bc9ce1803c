"""How like a passage is to a question."""

from triage.domain.support.articles import Passage
from triage.domain.untrusted import Untrusted
from triage.policy.knowledge.likeness import ALIKE, coverage, hits_of, ranked, rarity_of
from triage.policy.knowledge.semantic_search import LEAST


def passage(text: str, number: int = 0) -> Passage:
    """A passage of one article."""
    return Passage(article="help:a", number=number, title="Parcels", text=Untrusted(text))


def test_likeness_is_the_share_of_what_the_question_says() -> None:
    """All words found: 1; none: no hit; a word that no passage holds counts more than one that many hold."""
    counts = {"refund": 1, "parcel": 9}

    whole, half = hits_of("refund of my parcel", [passage("a refund"), passage("nothing", 1)], counts, 10)
    (lacking,) = hits_of("refund of my zebra", [passage("a refund")], counts, 10)

    assert whole.similarity == 1.0
    assert whole.evidence == ("refund", "parcel")
    assert half.evidence == ("parcel",)
    assert 0 < half.similarity < lacking.similarity < 0.5
    assert hits_of("zebra", [passage("a refund")], counts, 10) == ()
    assert hits_of("is it?", [passage("a refund")], {}, 10) == ()


def test_what_means_the_same_is_like_without_a_word_of_it() -> None:
    """A passage is found by its meaning alone; whoever asks in another language than it is written in is known by the hit."""
    pausing = Passage(
        article="help:b", number=0, title="Pausing a rental", text=Untrusted("You may pause for a month.")
    )

    (hold,) = hits_of("Can we put the contract on hold in July?", [pausing], {}, 10)
    (german,) = hits_of("Kann ich die Miete in den Ferien unterbrechen?", [pausing], {}, 10)

    assert (hold.evidence, hold.asked_in, german.asked_in) == ((), "", "de")
    assert hold.similarity == hold.meant > LEAST


def test_no_passage_is_more_like_than_the_one_before_it() -> None:
    """The order of the search stays the order of the likeness."""
    first, second = hits_of("refund parcel", [passage("x"), passage("refund", 1)], {"refund": 1, "parcel": 2}, 10)

    assert first.similarity == second.similarity < 1


def test_other_forms_and_common_words() -> None:
    """Another form of a word counts somewhat; words of all kinds of texts say less than others."""
    rarity = rarity_of("cancellation page", {"cancellation": 3, "pag": 3}, 10)

    assert rarity["cancellation"] > rarity["pag"]
    assert coverage({"cancellation": 1.0}, ["cance~"]) == ALIKE
    assert coverage({}, ["x"]) == 0


def test_a_heading_in_the_question_s_words_comes_first() -> None:
    """Of two passages that are found alike, the one whose heading is the question; a much better one stays before it."""
    asked = Passage(article="help:a", number=1, title="Parcels", heading="Late > Where is it?", text=Untrusted("Here."))
    other = passage("It is here.")

    assert ranked("Where is it?", [(other, 1.0), (asked, 0.9)]) == (asked, other)
    assert ranked("Where is it?", [(asked, 0.9), (other, 2.0)]) == (other, asked)
    assert ranked("Where is it?", [(other, 1.0), (passage("", 3), 1.0)])[0] == other

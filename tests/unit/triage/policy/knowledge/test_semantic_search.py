"""Passages by what they mean."""

import pytest

from triage.domain.support.articles import Passage
from triage.domain.untrusted import Untrusted
from triage.policy.knowledge.semantic_search import LARGEST, fused, likeness_of, nearest, nearest_sentence


def passage(title: str, text: str, number: int = 0) -> Passage:
    """A passage of an article of its own."""
    return Passage(article=f"help:{title}", number=number, title=title, text=Untrusted(text))


DEPOSIT = passage("Deposit", "It is two months' rent and is paid back after the return.")
LESSONS = passage("Online lessons", "A lesson takes place in the browser.")


def test_the_nearest_in_meaning_in_any_language() -> None:
    """No word is shared; what has nothing in common with the question is not found at all."""
    found = nearest("Wie hoch ist die Kaution?", (LESSONS, DEPOSIT))

    assert found[0] == DEPOSIT
    assert nearest("What is the capital of Mongolia?", (LESSONS,)) == ()
    assert likeness_of("", DEPOSIT) >= 0


def test_a_large_library_is_not_searched_by_meaning() -> None:
    """It would cost seconds, and words find enough there."""
    assert nearest("When do I get my deposit back?", (DEPOSIT,) * (LARGEST + 1)) == ()


def test_who_is_early_in_both_comes_first() -> None:
    """Each passage once; the second by words and first by meaning goes before one that only words have found."""
    a, b, c = (passage(name, name) for name in "abc")

    assert fused((a, b), (b, c)) == (b, a, c)
    assert fused((), (c,)) == (c,)
    assert fused((), ()) == ()


def test_the_nearest_sentence_counts() -> None:
    """A passage about several things answers by one of its sentences."""
    asked, answers = "When do I get my deposit back?", "The deposit is paid back within ten days."

    alone = nearest_sentence(asked, (answers,))

    assert nearest_sentence(asked, ("We sell strings.", answers)) == pytest.approx(alone, abs=1e-4)
    assert alone > 0.4
    assert nearest_sentence(asked, ()) == 0


def test_a_language_that_the_encoder_lacks_finds_nothing_by_meaning() -> None:
    """Swedish sentences are near each other whatever they say: neither question nor passage counts."""
    locker = passage("Skåp", "Ta med eget hänglås. Skåpen töms varje natt och det som är kvar sparas i två veckor.")
    asked = "Jag såg en bil med lyset på och det är kallt, kan ni inte ringa?"

    assert nearest(asked, (locker, DEPOSIT)) == ()
    assert likeness_of(asked, locker) == likeness_of("Where is my locker?", locker) == 0
    assert nearest_sentence(asked, ["The deposit is paid back."]) == nearest_sentence("Where?", [str(locker.text)]) == 0

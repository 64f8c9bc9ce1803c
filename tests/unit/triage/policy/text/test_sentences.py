"""Words, clauses and sentences of a text."""

import pytest

from triage.policy.text.sentences import LONGEST_WORD, MOST_WORDS, longer_than, pieces, plain, read, unvoiced


@pytest.mark.parametrize(
    ("text", "folded"), [("Gelöst", "gelost"), ("DON\u2019T", "don't"), ("\u00e9\u0301", "e"), ("Straße", "strasse")]
)
def test_folding(text: str, folded: str) -> None:
    """Case, accents and kinds of apostrophes do not matter."""
    assert plain(text) == folded


def test_marks_of_kana_are_no_accents() -> None:
    """`But` and the end of a question differ by one mark in Japanese; only what models and indexes are made of drops it."""
    assert [plain(word) for word in ("ですが", "ですか", "パン", "ﾊﾟﾝ")] == ["ですが", "ですか", "パン", "パン"]
    assert unvoiced("ですが") == unvoiced("ですか")
    assert (unvoiced("Gelöst"), unvoiced("Done")) == ("gelost", "done")


def test_clauses_and_sentences_are_counted() -> None:
    """A comma ends a clause, a full stop a sentence."""
    words = {word.plain: word for word in read("It fails, often. Help!").words}

    assert words["it"].clause == words["fails"].clause != words["often"].clause
    assert words["fails"].sentence == words["often"].sentence != words["help"].sentence


def test_quotations_are_marked() -> None:
    """Words between marks are quoted; an apostrophe opens nothing."""
    quoted = [word.plain for word in read("It says \u201cdisk full\u201d and doesn't stop").words if word.quoted]

    assert quoted == ["disk", "full"]


def test_a_script_without_blanks() -> None:
    """Each Japanese letter counts as a word, other letters together."""
    assert pieces("\u8fd4\u91d1ok") == ["\u8fd4", "\u91d1", "ok"]


def test_limits() -> None:
    """Runs without a blank are no words, and pages of text are not read."""
    assert [word.plain for word in read(f"a {'x' * (LONGEST_WORD + 1)} b").words] == ["a", "b"]
    assert len(read("word " * (MOST_WORDS + 50)).words) <= MOST_WORDS


@pytest.mark.parametrize("text", ["one two three", "c'est mes amis", "www.a.example one, two! x@y.example three", ""])
def test_longer_than_counts_the_words_that_are_read(text: str) -> None:
    """A text is longer than one word less than it has, and not longer than its words; addresses do not count."""
    words = len(read(text).words)

    assert not longer_than(text, words)
    assert longer_than(text, max(words - 2, 0)) == (words > 0)  # an elision is two words, counted as one


def test_two_letters_of_a_script_without_blanks_are_a_word() -> None:
    """A mail in Japanese is as long as its translation, not as long as its letters."""
    assert longer_than("\u5370\u5237\u6a5f ok", 2)
    assert not longer_than("\u5370\u5237\u6a5f ok", 3)


def test_question_marks_that_a_screen_shows() -> None:
    """`???` in the place of a word asks nothing; behind a word, or at the end of a line, it does."""
    assert not read("The form shows ??? instead of names.").asked
    assert read("Is it broken??? it was fine.").asked
    assert read("What is this ???").asked

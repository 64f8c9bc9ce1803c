"""Sentences of a mail with the word lists of the memory."""

from triage.policy.memory.reading.wording import LONGEST, languages_of, pattern, sentences_of_mail


def test_quoted_words_are_masked() -> None:
    """What stands in quotation marks or behind > is nobody's promise."""
    (sentence,) = sentences_of_mail('> I will go.\nShe said "I will go" today.')

    assert "I will" not in sentence.text
    assert not sentence.asked


def test_long_sentences_are_cut() -> None:
    """A table without a full stop costs no more than a sentence."""
    (sentence,) = sentences_of_mail("word " * 3000)

    assert len(sentence.text) == LONGEST


def test_a_text_has_the_languages_that_its_words_tell() -> None:
    """A text of clear words is in one language, with English words in it; few words may be in any."""
    assert languages_of("Wir haben uns für den neuen Anbieter entschieden und rufen ihn an.") == ("de", "en")
    assert set(languages_of("ok")) == {"de", "en", "es", "fr", "it", "nl"}


def test_a_list_of_no_language_matches_nothing() -> None:
    """Polish has no lists of the memory yet."""
    assert not pattern("promises", ("pl",)).search("anything")

"""The mail's words at the end of a note."""

import pytest

from triage.policy.memory.notes.quotation import quote_of, with_quote


@pytest.mark.parametrize(
    ("text", "quote", "whole"),
    [
        ("Kim waits.", "I will  send it.", "Kim waits.\n\n“I will send it”"),
        ("I will send it.", "I will send it", "I will send it."),
        ("Kim waits.\n\n“I will send it”", "I will send it.", "Kim waits.\n\n“I will send it”"),
        ("Kim waits.", "he said “yes”", 'Kim waits.\n\n“he said "yes"”'),
        ("Kim waits.", "", "Kim waits."),
    ],
)
def test_a_note_ends_with_the_mails_words(text: str, quote: str, whole: str) -> None:
    """Once, however often it is asked for; a note that is the mail's words alone needs no marks."""
    assert with_quote(text, quote) == whole
    assert with_quote(whole, quote) == whole


def test_the_words_are_found_again() -> None:
    """Only at the end, and only in marks."""
    assert quote_of("Kim waits.\n\n“I will send it”\n") == "I will send it"
    assert quote_of("“I will send it”, said Ann.") == ""

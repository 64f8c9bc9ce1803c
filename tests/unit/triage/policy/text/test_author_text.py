"""A mail without its signature, closing and small print."""

import pytest

from triage.policy.text.author_text import LIMIT, author_text, letter_end, small_print, without_greeting


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("It fails.\n-- \nAda\nHarbourline", "It fails."),
        ("It fails.\nKind regards\nAda", "It fails."),
        ("It fails.\nBest regards, Ada", "It fails."),
        ("Kind regards are all I send.\nIt fails.", "Kind regards are all I send.\nIt fails."),
        ("It fails.\nThanks\nAda", "It fails."),
        ("It fails.\nThanks\n" + "One more matter that takes a line of its own, and is no name.\n" * 9, None),
    ],
)
def test_the_text_ends_at_its_closing(text: str, own: str | None) -> None:
    """A closing ends the text; the first line never does, and neither does a thank-you before more text."""
    assert author_text(text) == (text.rstrip("\n") if own is None else own)


def test_small_print_is_dropped() -> None:
    """A paragraph of a lawyer goes, wherever it stands, and the lines around it stay."""
    paragraph = "This mail is confidential. If you are not the intended recipient, delete it. " + "x" * 90

    assert small_print(["It fails.", "", paragraph]) == {2}


def test_a_greeting_is_no_matter() -> None:
    """A greeting on its own line goes; a sentence that begins with one stays."""
    assert without_greeting("Hi Marek,\nIt fails.") == "It fails."
    assert without_greeting("Hi Marek, the export of all invoices of last year fails since Monday.").startswith("Hi")


def test_no_text_is_endless() -> None:
    """Logs below a mail are not read; a text without a closing is read to its end."""
    assert len(author_text("word\n" * LIMIT)) <= LIMIT
    assert letter_end(["a", "b"]) == 2

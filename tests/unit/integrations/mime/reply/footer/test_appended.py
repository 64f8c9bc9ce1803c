"""What companies and programs append below a letter."""

from integrations.mime.reply.footer.appended import appended_at, unframed, without_appended
from integrations.mime.reply.lines import Lines, kinds_of

LEGAL = "This e-mail is confidential and intended for the addressee alone. If you have received this message in error, please delete it."


def _lines(text: str) -> Lines:
    rows = text.split("\n")
    return Lines(tuple(rows), tuple(kinds_of(rows, first=False)))


def test_legal_text_below_a_letter_is_found() -> None:
    """The last paragraphs that a company appends begin below the author's; what he announces is his own."""
    letter = "It works.\n\nKind regards\nAda"

    assert appended_at(_lines(f"{letter}\n\n{LEGAL}")) == len(letter.split("\n")) + 1
    assert appended_at(_lines(f"Our footer reads:\n\n{LEGAL}")) == len(f"Our footer reads:\n\n{LEGAL}".split("\n"))


def test_legal_text_between_rules_goes_as_a_whole() -> None:
    """In a frame of two like rules all paragraphs go; a log between rules stays."""
    rule = "*" * 40

    assert str(unframed(_lines(f"It works.\n\n{rule}\n{LEGAL}\n\nExample Ltd\n{rule}"))).strip() == "It works."
    assert "step 1" in str(unframed(_lines(f"It works.\n\n{rule}\nstep 1\n{rule}")))


def test_lines_of_a_card_that_a_company_appended_are_left_out() -> None:
    """Within a signature a line about secrecy is enough to be legal text."""
    card = _lines("Ada Byron\nThis email is confidential\nada@example.com")

    assert without_appended(card).text == ("Ada Byron", "ada@example.com")

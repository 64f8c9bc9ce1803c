"""A letter tells its recipients, its files their bytes."""

from triage.domain.letters import Letter, LetterFile, LetterKind
from triage.domain.mail import Address

ADA, BOB = Address(address="Ada@example.com"), Address(address="bob@example.com")


def test_recipients_once() -> None:
    """Each address gets the letter once; automatic letters are counted by the first one."""
    letter = Letter(
        key="k", case="case-1", kind=LetterKind.ANSWER, to=(ADA,), cc=(BOB, ADA), subject="", body="", message_id="m"
    )

    assert letter.recipients == ("Ada@example.com", "bob@example.com")
    assert letter.person == "ada@example.com"


def test_a_letter_to_nobody_yet() -> None:
    """A draft may lack a recipient; it counts for nobody."""
    letter = Letter(key="k", case="case-1", kind=LetterKind.ANSWER, to=(), subject="", body="", message_id="m")

    assert (letter.person, letter.recipients) == ("", ())


def test_a_file_keeps_its_bytes() -> None:
    """Any bytes come out as they went in, and the size is near the truth."""
    content = bytes(range(256))
    file = LetterFile.of("a.bin", "application/octet-stream", content)

    assert file.content == content
    assert 0 <= file.size - len(content) <= 2

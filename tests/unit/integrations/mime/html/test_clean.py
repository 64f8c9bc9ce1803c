"""Whatever a mail is made of, no string that leaves the reader has a second line, a command or a sign that is not seen."""

from email.header import Header
from pathlib import Path
from urllib.parse import quote

import pytest

from integrations.mime.message import message_of
from tests.conftest import ROOT
from tests.unit.clean import UNSEEN, unclean
from triage.domain.errors import NotAMail
from triage.domain.mail import Address

LETTERS = sorted((ROOT / "tests" / "corpus").glob("*.eml"))
SPLIT = "x\r\nBcc: victim@example.com\r\n\r\nbody"
WORD = Header(f"{SPLIT}{UNSEEN}y", "utf-8", maxlinelen=100_000).encode()


def hostile() -> bytes:
    """All of it in every field of a mail, encoded where a header needs it and raw where it does not."""
    name = quote(f"../../etc/{SPLIT}{UNSEEN}\u202egpj.exe")
    raw = UNSEEN.replace("\r", "").replace("\x0b", "").replace("\x0c", "")
    return (
        f"From: {WORD} <ada@example.com>\r\nTo: {WORD} <a@example.com>\r\nCc: {WORD} <b@example.com>\r\n"
        f"Reply-To: {WORD} <c@example.com>\r\nSubject: {WORD}\r\nMessage-ID: <{WORD}@example.com>\r\n"
        f"In-Reply-To: <{raw}i@example.com>\r\nReferences: <{raw}r@example.com> <{WORD}>\r\nX-Any: {WORD} {raw}\r\n"
        f"List-Id: {WORD} <l.example.com>\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n"
        f"--x\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nseen{UNSEEN}\r\n> quoted{UNSEEN}\r\n"
        f"--x\r\nContent-Type: application/{raw}pdf; name*=utf-8''{name}\r\nContent-ID: <{WORD}>\r\n"
        f"Content-Disposition: attachment; filename*=utf-8''{name}\r\n\r\nx\r\n--x--\r\n"
    ).encode()


def test_hostile_fields_are_clean() -> None:
    """Encoded line breaks are blanks, and what is not seen is gone, in every field; the mail is flagged."""
    message = message_of(hostile())

    assert unclean(message) == []
    assert "invisible-characters" in message.flags
    assert [name for name, _ in message.headers if name == "bcc"] == []
    assert message.subject.startswith("x Bcc: victim@example.com body")
    assert message.sender == Address(address="ada@example.com", name=message.subject)
    (attachment,) = message.attachments
    assert "/" not in attachment.name
    assert len(attachment.name) <= 120
    assert attachment.name.endswith("gpj.exe")


@pytest.mark.parametrize("letter", LETTERS, ids=lambda path: path.stem)
def test_letters_are_clean(letter: Path) -> None:
    """Those of the corpus."""
    assert unclean(message_of(letter.read_bytes())) == []


@pytest.mark.heavy
def test_real_mails_are_clean(shared_data: Path) -> None:
    """Spam, attacks and all."""
    found = {}
    for path in sorted(shared_data.glob("mail-*/files/*")):
        try:
            signs = unclean(message_of(path.read_bytes()))
        except NotAMail:
            continue
        if signs:
            found[path.name] = signs

    assert found == {}

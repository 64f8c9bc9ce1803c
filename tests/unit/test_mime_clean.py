"""Whatever a mail is made of, no string that leaves the reader has a second line, a command or a sign that is not seen."""

from collections.abc import Iterator
from dataclasses import asdict
from email.header import Header
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from integrations.mime.message import message_of
from tests.conftest import ROOT
from tests.unit.test_mime_bombs import BOMBS
from triage.domain.errors import NotAMail
from triage.domain.mail import Address, Message

LETTERS = sorted((ROOT / "tests" / "corpus").glob("*.eml"))
UNSEEN = (
    "".join(map(chr, (*range(9), *range(11, 32), *range(127, 160))))  # C0 and C1, tab and line feed apart
    + "\u00ad\u061c\u180e\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2066\u2067\u2068\u2069\ufeff\ufff9"
    + "\u3164\u115f\u1160\uffa0\u2800\u2028\u2029"
    + "".join(map(chr, (*range(0xE0000, 0xE0080), *range(0xE0100, 0xE01F0))))
)
"""Controls, direction marks, joiners without anything to join, fillers, tags, variation selectors of the supplement."""
MANY_LINES = ("text", "reply", "quoted")
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


def strings(value: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Every string in it, with its place."""
    match value:
        case str():
            yield place, value
        case dict():
            for name, inner in value.items():
                yield from strings(inner, f"{place}.{name}".strip("."))
        case list() | tuple():
            for inner in value:
                yield from strings(inner, place)


def unclean(message: Message) -> list[tuple[str, list[str]]]:
    """Fields with something in them that should not be there."""
    found = []
    for place, text in strings(asdict(message)):
        bad = set(UNSEEN) | (set() if place in MANY_LINES else {"\n", "\t"})
        if signs := sorted(map(hex, map(ord, bad & set(text)))):
            found.append((place, signs))
    return found


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


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_clean(name: str) -> None:
    """What is read degraded is as clean as anything."""
    assert unclean(message_of(BOMBS[name]())) == []


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

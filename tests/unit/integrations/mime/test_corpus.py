"""Golden letters: each `tests/corpus/<name>.eml` is read exactly as the `<name>.py` beside it says."""

import importlib.util
from dataclasses import replace
from pathlib import Path

import pytest

from integrations.mime.message import message_of
from tests.conftest import ROOT
from triage.domain.mail import Message

LETTERS = sorted((ROOT / "tests" / "corpus").glob("*.eml"))


def expected_of(letter: Path) -> Message:
    """What the file beside a letter says."""
    spec = importlib.util.spec_from_file_location(letter.stem, letter.with_suffix(".py"))
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: Message = module.EXPECTED
    return found


@pytest.mark.parametrize("letter", LETTERS, ids=lambda letter: letter.stem)
def test_letter_is_read_as_expected(letter: Path) -> None:
    """Every field is as written down; only the long lists of headers are left out."""
    message = message_of(letter.read_bytes())

    assert expected_of(letter) == replace(message, headers=(), size=0)


@pytest.mark.parametrize("letter", LETTERS, ids=lambda letter: letter.stem)
def test_letter_is_read_the_same_with_other_line_ends(letter: Path) -> None:
    """CRLF, LF and the CR of old Macs carry the same mail, down to the hashes of what is encoded."""
    raw = letter.read_bytes()

    def told(content: bytes) -> Message:
        message = message_of(content)
        named = tuple(replace(one, sha256="", size=0) for one in message.attachments)
        return replace(message, attachments=named, size=0)

    assert told(raw) == told(raw.replace(b"\n", b"\r\n")) == told(raw.replace(b"\n", b"\r"))


def test_headers_are_kept_in_order_and_decoded() -> None:
    """Headers keep their order, names in lower case, values on one line."""
    message = message_of(b"Received: by a\n\tfor b\nX-A: =?utf-8?q?=C3=A4?=\nFrom: a@b.example\nx-a: 2\n\nhi")

    assert message.headers == (("received", "by a for b"), ("x-a", "ä"), ("from", "a@b.example"), ("x-a", "2"))
    assert message.header("x-a") == "ä"

"""The tree of parts, against the standard library where that one is sound."""

import email
from email.message import Message as StdlibMessage
from pathlib import Path

import pytest

from integrations.mime.tree import MimePart, starts_with_fields, tree_of
from tests.conftest import ROOT

LETTERS = sorted((ROOT / "tests" / "corpus").glob("*.eml"))


def types_of(part: "StdlibMessage[str, str]") -> list[str]:
    """Content types from the outside in, without what the library makes of status reports."""
    found = [part.get_content_type()]
    if part.get_content_type() != "message/delivery-status" and part.is_multipart():
        for one in part.get_payload():
            assert isinstance(one, StdlibMessage)
            found += types_of(one)
    return found


@pytest.mark.parametrize("letter", LETTERS, ids=lambda letter: letter.stem)
def test_tree_is_that_of_the_standard_library(letter: Path) -> None:
    """Same parts in the same order."""
    raw = letter.read_bytes()

    assert [part.type for part in tree_of(raw, set()).walk()] == types_of(email.message_from_bytes(raw))


def test_real_mails_are_cut_as_the_standard_library_cuts_them(shared_data: Path) -> None:
    """On real mails the two trees differ in a few, where that library gives up or splits what is no mail."""
    differ = []
    mails = [path for path in sorted(shared_data.glob("mail-*/files/*")) if path.parent.parent.name != "mail-replies"]
    for path in mails:
        raw = path.read_bytes()
        if starts_with_fields(raw) and [part.type for part in tree_of(raw, set()).walk()] != types_of(
            email.message_from_bytes(raw)
        ):
            differ.append(path.name)

    assert len(mails) > 700
    assert len(differ) < 0.04 * len(mails)


def flat(part: MimePart) -> list[tuple[str, bytes]]:
    """Type and body of each leaf."""
    return [(one.type, one.body) for one in part.walk() if not one.parts]


@pytest.mark.parametrize(
    ("raw", "leaves"),
    [
        (b"A: b\n\nbody", [("text/plain", b"body")]),
        (b"A: b\r\n\r\nbody\r\n", [("text/plain", b"body\r\n")]),
        (b"A: b", [("text/plain", b"")]),
        (b"Content-Type: nonsense\n\nx", [("text/plain", b"x")]),
        (
            b"Content-Type: multipart/mixed; boundary=b\n\npre\n--b\n\n1\n--b\n\n2\n--b--\npost",
            [("text/plain", b"1"), ("text/plain", b"2")],
        ),
        (b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\n1", [("text/plain", b"1")]),
        (b"Content-Type: multipart/mixed; boundary=b\n\n--b", [("text/plain", b"")]),
        (b"Content-Type: multipart/mixed; boundary=b\n\n--bb\n\n1\n--b \n\n2\n--b--", [("text/plain", b"2")]),
        (b"Content-Type: multipart/mixed; boundary=b\n\nno delimiter", [("multipart/mixed", b"no delimiter")]),
        (b"Content-Type: multipart/mixed\n\n--b\n\n1", [("multipart/mixed", b"--b\n\n1")]),
        (b"Content-Type: multipart/digest; boundary=b\n\n--b\n\nSubject: x\n\n1\n--b--", [("text/plain", b"1")]),
        (b"Content-Type: message/rfc822\n\n\nSubject: x\n\n1", [("text/plain", b"1")]),
        (b"Content-Type: message/rfc822\n\nFrom me Mon\nSubject: x\n\n1", [("text/plain", b"1")]),
        (b"Content-Type: message/rfc822\n\nno header here", [("message/rfc822", b"no header here")]),
        (b"Content-Type: multipart/mixed;\nboundary=b\n\n--b\n\n1\n--b--", [("text/plain", b"1")]),
    ],
)
def test_parts_are_cut(raw: bytes, leaves: list[tuple[str, bytes]]) -> None:
    """Delimiters, their lookalikes, their absence."""
    assert flat(tree_of(raw, set())) == leaves


@pytest.mark.parametrize(
    ("raw", "fields", "flags"),
    [
        (b"A: b\n c\n\td\n\n", (("a", "b c d"),), set()),
        (b"A : b\nC:d\n\n", (("a", "b"), ("c", "d")), set()),
        (b"From me Mon\nA: b\n\n", (("a", "b"),), set()),
        (b" folded first\nA: b\n\n", (("a", "b"),), set()),
        (b"A: b\njunk line\nSubject: c\n\n", (("a", "b junk line"), ("subject", "c")), {"broken-header"}),
        (b"A: b\nbody at once\n\n", (("a", "b"),), {"no-blank-line"}),
        (b"junk\nSubject: c\n\n", (("subject", "c"),), {"broken-header"}),
        (b"A: \xe4\xf6\n\n", (("a", "äö"),), set()),
        (b"A: " + "äö".encode() + b"\n\n", (("a", "äö"),), set()),
    ],
)
def test_header_block_is_read(raw: bytes, fields: tuple[tuple[str, str], ...], flags: set[str]) -> None:
    """Folded, unfolded, with junk, without an end."""
    odd: set[str] = set()

    assert (tree_of(raw, odd).fields, odd) == (fields, flags)


def test_fields_are_asked_by_name() -> None:
    """The first one, or all of them."""
    tree = tree_of(b"To: a\nTo: b\n\n", set())

    assert (tree.get("to"), tree.all("to"), tree.get("cc")) == ("a", ("a", "b"), "")

"""What holds for every mail: nothing but `NotAMail` is raised, text comes through, values stay on their line."""

import base64
import json
import quopri
from collections.abc import Callable
from email.header import Header
from typing import Final

from hypothesis import example, given
from hypothesis import strategies as st

from integrations.mime.html.invisible import cleaned
from integrations.mime.message import message_of
from integrations.mime.reply.split import split
from tests.conftest import ROOT
from triage.domain.errors import NotAMail
from triage.domain.mail import Message
from triage.policy.sender.kind import kind_of

LETTERS: Final = [path.read_bytes() for path in sorted((ROOT / "tests" / "corpus").glob("*.eml"))]
PIECES: Final = [
    b"\n",
    b"\r\n\r\n",
    b"--b\n",
    b"Content-Type: multipart/mixed; boundary=b\n",
    b"Content-Type: message/rfc822\n",
    b"Content-Type: text/html\n",
    b"Content-Transfer-Encoding: base64\n",
    b"=?utf-8?q?=C3",
    b"?=",
    b'"',
    b"<",
    b"(",
    b";",
    b"\0",
    b"\xff",
    b"filename*0*=utf-8''%e",
    b"<p style='display:none'>",
    b"<style>.a{",
    b"-- \n",
    b"On 9 Mar 2026, at 17:02, Ada <ada@example.com> wrote:\n",
    b"> ",
    b"\xe2\x80\xae",
]
LINES = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cf", "Cs", "Cn", "Co"]), max_size=60)


def holds(message: Message) -> None:
    """What is promised of any message."""
    assert message.reply or message.quoted or not message.text  # a mail of nothing but history answers nothing
    assert not any(sign in value for _, value in message.headers for sign in "\r\n\0\x1b")
    assert not any(sign in message.subject for sign in "\r\n\0\x1b")
    json.dumps([message.subject, message.text, message.reply, message.quoted, str(message.sender)]).encode("utf-8")
    assert kind_of(message).evidence is not None


@given(st.binary(max_size=3000))
@example(b"\xff\xfe")
@example(b"\xfe\xff\x00")
@example(b"From:")
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    """Arbitrary bytes never raise anything else."""
    try:
        message = message_of(raw)
    except NotAMail:
        return

    holds(message)


@given(st.data())
def test_damaged_letters_are_read(data: st.DataObject) -> None:
    """Real letters with pieces put in, taken out and turned over are still read."""
    raw = bytearray(data.draw(st.sampled_from(LETTERS)))
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(raw)))
        match data.draw(st.sampled_from(("put", "cut", "turn"))):
            case "put":
                raw[at:at] = data.draw(st.sampled_from(PIECES))
            case "cut":
                del raw[at : at + data.draw(st.integers(1, 30))]
            case _:
                raw[at : at + 1] = bytes([data.draw(st.integers(0, 255))])
    try:
        message = message_of(bytes(raw))
    except NotAMail:
        return

    holds(message)


@given(
    st.lists(LINES, min_size=1, max_size=8),
    st.sampled_from(("utf-8", "utf-16")),
    st.sampled_from(("base64", "quoted-printable", "8bit")),
)
def test_any_text_comes_through(lines: list[str], charset: str, encoding: str) -> None:
    """Whatever was written and however it was wrapped, it is read as it was."""
    text = "\n".join(line.rstrip() for line in lines).strip("\n")
    data = text.encode(charset)
    if encoding == "8bit" and charset != "utf-8":
        encoding = "base64"
    wrap: dict[str, Callable[[bytes], bytes]] = {"base64": base64.encodebytes, "quoted-printable": quopri.encodestring}
    wrapped = wrap.get(encoding, bytes)(data)
    head = f"From: a@b.example\nContent-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: {encoding}\n\n"
    message = message_of(head.encode() + wrapped)

    assert message.text == cleaned(text, set()).strip("\n").rstrip()


@given(LINES)
def test_any_subject_comes_through(subject: str) -> None:
    """What another program encodes, we decode."""
    words = " ".join(subject.split())
    encoded = Header(words, "utf-8", maxlinelen=60).encode()
    message = message_of(f"From: a@b.example\nSubject: {encoded}\n\nhi".encode())

    assert " ".join(message.subject.split()) == " ".join(cleaned(words, set()).split())


@given(st.lists(st.one_of(LINES, st.sampled_from([p.decode("utf-8", "replace").strip() for p in PIECES])), max_size=30))
def test_splitting_never_loses_all(lines: list[str]) -> None:
    """Where there is text there is a reply, unless all of it is history, and every line of it was in the text."""
    text = "\n".join(lines)
    parts = split(text)

    assert parts.reply.strip() or parts.quoted.strip() == text.strip()
    assert set(parts.reply.split()) <= set(text.split())
    assert set(parts.quoted.split()) <= set(text.split())

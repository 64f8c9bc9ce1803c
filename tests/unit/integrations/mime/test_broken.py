"""Mails that programs have broken on the way: each is read as its writer meant it."""

# ruff: noqa: RUF001 - the letters of other alphabets are the point

import pytest

from integrations.mime.message import message_of

HEAD = b"From: Lena <lena@pumps.example>\nSubject: Pump\n"


@pytest.mark.parametrize(
    ("charset", "words"),
    [("koi8-r", "Насос стоит"), ("iso-8859-2", "čerpadlo stojí"), ("gb2312", "泵停了"), ("shift_jis", "ポンプ停止")],
)
@pytest.mark.parametrize("multipart", [False, True])
def test_raw_header_is_in_the_charset_of_the_text(charset: str, words: str, *, multipart: bool) -> None:
    """A subject and a name without encoded words are decoded as the text below them is labelled."""
    below = f"Content-Type: text/plain; charset={charset}\n\n{words}\n"
    body = f"Content-Type: multipart/mixed; boundary=b\n\n--b\n{below}--b--\n" if multipart else below
    message = message_of(f"From: {words} <a@b.example>\nSubject: {words}\n{body}".encode(charset))

    assert (message.subject, message.sender and message.sender.name, message.text) == (words, words, words)


def test_raw_header_in_utf_8_is_that_whatever_the_label() -> None:
    """What is sound UTF-8 is nothing else."""
    raw = "Subject: Störung\nContent-Type: text/plain; charset=iso-8859-1\n\nhi".encode()

    assert message_of(raw).subject == "Störung"


def test_sender_of_an_encoded_name_alone() -> None:
    """It is a name, not an address in ciphers."""
    sender = message_of(b"From: =?utf-8?q?J=C3=BCrgen?= =?utf-8?q?_M=C3=BCller?=\nSubject: a\n\nhi").sender

    assert sender is not None
    assert (sender.name, sender.address, str(sender)) == ("Jürgen Müller", "", "Jürgen Müller")


@pytest.mark.parametrize(
    "names",
    [
        "filename=\"plan.pdf\"; filename*=UTF-8''Pl%C3%A4ne.pdf",
        "filename*=UTF-8''Pl%C3%A4ne.pdf; filename=\"plan.pdf\"",
        "filename=\"plan.pdf\"; filename*0*=UTF-8''Pl%C3%A4; filename*1=ne.pdf",
    ],
)
def test_extended_file_name_wins(names: str) -> None:
    """Of `filename` and `filename*` the second is the name, in either order."""
    raw = HEAD + f"Content-Type: application/pdf\nContent-Disposition: attachment; {names}\n\nx".encode()

    assert [one.name for one in message_of(raw).attachments] == ["Pläne.pdf"]


@pytest.mark.parametrize("blank", ["", " ", "\t"])
def test_blank_line_before_a_boundary(blank: str) -> None:
    """A field that waits for its boundary gets it from behind an empty line."""
    raw = HEAD + f"Content-Type: multipart/mixed;\n{blank}\n boundary=b\n\n--b\n\nThe pump is off.\n--b--\n".encode()

    assert message_of(raw).text == "The pump is off."


def test_blank_line_ends_a_head_all_the_same() -> None:
    """An indented text is no parameter."""
    assert message_of(HEAD + b"Content-Type: text/plain;\n\n The pump = off.\n").text == " The pump = off."


def test_doubled_carriage_returns_are_line_ends() -> None:
    """CR CR LF is one line end, in head, text and between parts."""
    raw = HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nThe pump\nis off.\n\nPlease come.\n--b--\n"
    message = message_of(raw.replace(b"\n", b"\r\r\n"))

    assert (message.text, message.subject) == ("The pump\nis off.\n\nPlease come.", "Pump")
    assert message.flags == ("broken-line-ends",)


@pytest.mark.parametrize("text", ["The pump is off.\nPlease come!", "Hello the pump is off", "Насос стоит", "泵停了"])
def test_plain_text_called_base64(text: str) -> None:
    """Words are words, whatever they are called."""
    message = message_of(HEAD + f"Content-Transfer-Encoding: base64\n\n{text}\n".encode())

    assert (message.text, message.flags) == (text, ("bad-base64",))


@pytest.mark.parametrize(
    "raw",
    [
        b"\0\0" + HEAD + b"\nThe pump is off.",
        HEAD + b"\nThe pu\0mp is off.\0\0\0",
        HEAD.replace(b"From", b"Fr\0om") + b"\nThe pump is off.",
        (HEAD + b"\nThe pump is off.").decode().encode("utf-16-le"),
        (HEAD + b"\nThe pump is off.").decode().encode("utf-16-be"),
    ],
    ids=["in front", "in the text", "in the head", "every second", "every first"],
)
def test_small_mail_with_nuls(raw: bytes) -> None:
    """NULs are no part of a text, and a mail with some is a mail."""
    message = message_of(raw)

    assert (message.text, message.subject) == ("The pump is off.", "Pump")
    assert message.sender
    assert message.sender.address == "lena@pumps.example"


def test_text_alone_with_nuls() -> None:
    """Also a text without a head."""
    assert message_of(b"The pump is off.\0\0\0").text == "The pump is off."

"""Mails made of a provider's fields: what was said comes through, and no field can become a header of its own."""

from email import message_from_bytes
from email.charset import CHARSETS, QP, add_charset
from email.header import decode_header, make_header
from email.message import Message
from email.utils import getaddresses
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from webhooks.rebuilt_mail import Fields, MailPiece, NamedAddress, mail_of

HOSTILE = "x\r\nBcc: victim@example.com\r\n\r\nbody\n\x0b\x0c\x1c\x85\u2028Subject: no\x00\x1b[31m \ud83d"


def read(fields: Fields) -> Message:
    """As another mail program reads it."""
    return message_from_bytes(mail_of(fields))


def decoded(value: Any) -> str:
    """A header without its encoded words."""
    return str(make_header(decode_header(str(value))))


def text_of(part: Any) -> str:
    """The decoded text of a part."""
    return str(part.get_payload(decode=True).decode())


def test_the_process_may_encode_as_it_likes() -> None:
    """A library that changes how this process encodes UTF-8 changes no mail: copies are told by their bytes."""
    fields = Fields(headers=[], words=[("Subject", "Zürich ist aus")], text="Hélp\nme")
    before = mail_of(fields)
    kept = CHARSETS["utf-8"]
    add_charset("utf-8", QP, QP, "utf-8")  # as apprise does when it is imported
    try:
        assert mail_of(fields) == before
    finally:
        CHARSETS["utf-8"] = kept


def test_plain() -> None:
    """Listed headers first and in their order, then those the provider took out."""
    raw = mail_of(
        Fields(
            headers=[("Received", "from a by b"), ("Received", "from b by c"), ("Message-ID", "<1@example.com>")],
            mailboxes=[("From", [NamedAddress(email="ada@example.com", name="Ada")]), ("Cc", [])],
            words=[("Subject", "It is down"), ("Reply-To", "")],
            text="Help\nme",
        )
    )
    head = raw.partition(b"\r\n\r\n")[0].decode().split("\r\n")

    assert head[:5] == [
        "Received: from a by b",
        "Received: from b by c",
        "Message-ID: <1@example.com>",
        'From: "Ada" <ada@example.com>',
        "Subject: It is down",
    ]
    assert text_of(message_from_bytes(raw)) == "Help\nme"


def test_listed_headers_win() -> None:
    """What the list has is not written twice; what described the old parts is left out."""
    mail = read(
        Fields(
            headers=[("SUBJECT", "one"), ("Content-Type", "image/gif"), ("MIME-Version", "9"), ("no name", "x")],
            words=[("Subject", "two")],
            text="x",
        )
    )

    assert mail.get_all("subject") == ["one"]
    assert mail.get_all("mime-version") == ["1.0"]
    assert mail.get_content_type() == "text/plain"
    assert "no name" not in mail


def test_letters() -> None:
    """Umlauts and emoji survive in subject, name, text and file name."""
    mail = read(
        Fields(
            headers=[],
            mailboxes=[("From", [NamedAddress(email="jörg@example.com", name="Jörg Groß, 🦊")])],
            words=[("Subject", "Rückfrage: läuft's? 🎉 " * 10)],
            text="schön",
            pieces=[MailPiece(name="Größe.txt", content_type="text/plain; charset=x", base64="aGk=")],
        )
    )

    assert decoded(mail["Subject"]) == ("Rückfrage: läuft's? 🎉 " * 10).strip()
    assert "Jörg Groß, 🦊" in decoded(mail["From"])
    body, attachment = list(mail.walk())[1:]
    assert text_of(body) == "schön"
    assert attachment.get_filename() == "Größe.txt"
    assert attachment.get_content_type() == "text/plain"
    assert attachment.get_payload(decode=True) == b"hi"


def test_looks_encoded() -> None:
    """A subject that only looks like an encoded word is read as it was written, not decoded a second time."""
    tricky = "=?utf-8?q?Bcc=3A_victim?="
    mail = read(Fields(headers=[], words=[("Subject", tricky)], text="x"))

    assert decoded(mail["Subject"]) == tricky


def test_parts() -> None:
    """Text before HTML before attachments; an inline picture keeps its id."""
    mail = read(
        Fields(
            headers=[],
            text="text",
            html="<p>html</p>",
            pieces=[
                MailPiece(name="a.png", content_type="image/png", base64="iVBO\r\nRw==", content_id="<a@b>"),
                MailPiece(name="fwd.eml", content_type="message/rfc822", base64="U3ViamVjdDogeA=="),
                MailPiece(name="", content_type="nonsense", base64="!!"),
            ],
        )
    )
    parts = [part for part in mail.walk() if not part.is_multipart()]

    assert [part.get_content_type() for part in mail.walk()] == [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "text/html",
        "image/png",
        "application/octet-stream",
        "application/octet-stream",
    ]
    assert parts[2]["Content-ID"] == "<a@b>"
    assert parts[2].get_content_disposition() == "inline"
    assert parts[3].get_payload(decode=True) == b"Subject: x"


def test_nothing() -> None:
    """No field at all is an empty mail."""
    assert text_of(read(Fields(headers=[]))) == ""


def test_same_again() -> None:
    """The same fields give the same bytes: a retry has the same hash."""
    fields = Fields(headers=[], text="a", html="b", pieces=[MailPiece(name="x", content_type="a/b", base64="aGk=")])

    assert mail_of(fields) == mail_of(fields)


def test_hostile_fields() -> None:
    """A line break in any field stays inside that field."""
    mail = read(
        Fields(
            headers=[("X-One", HOSTILE), (HOSTILE, "x")],
            mailboxes=[("From", [NamedAddress(email=f"a@example.com>{HOSTILE}", name=HOSTILE)])],
            words=[("Subject", HOSTILE)],
            text=HOSTILE,
            pieces=[MailPiece(name=HOSTILE, content_type=HOSTILE, base64=HOSTILE, content_id=HOSTILE)],
        )
    )

    assert sorted(name.lower() for name, _ in mail.items()) == [
        "content-type",
        "from",
        "mime-version",
        "subject",
        "x-one",
    ]
    assert len(list(mail.walk())) == 3


TEXT = st.text(max_size=60)


@given(name=TEXT, email=TEXT, subject=TEXT, header=TEXT, file=TEXT, kind=TEXT, data=TEXT, body=TEXT)
def test_whatever_comes(  # noqa: PLR0917 - one for each field
    name: str, email: str, subject: str, header: str, file: str, kind: str, data: str, body: str
) -> None:
    """Any strings at all give a mail with exactly the headers that were meant, and never an error."""
    mail = read(
        Fields(
            headers=[("X-Header", header)],
            mailboxes=[("From", [NamedAddress(email=email, name=name)])],
            words=[("Subject", subject)],
            text=body,
            pieces=[MailPiece(name=file, content_type=kind, base64=data, content_id=data)],
        )
    )

    assert set(mail.keys()) - {"Subject"} == {"X-Header", "From", "Content-Type", "MIME-Version"}
    assert not mail.defects
    assert len(list(mail.walk())) == 3


def test_addresses() -> None:
    """Names with commas and quotes do not become addresses."""
    boxes = [
        NamedAddress(email="a@example.com", name='Byron, "Ada" <x@evil.example>'),
        NamedAddress(email="b@example.com"),
    ]
    mail = read(Fields(headers=[], mailboxes=[("To", boxes)], text="x"))

    assert [address for _, address in getaddresses([str(mail["To"])])] == ["a@example.com", "b@example.com"]

"""Which mails hang on a mail: their ids, wherever servers put them."""

import pytest

from integrations.mime.message import message_of
from tests.growth import growth

HEAD = "From: a@example.com\nSubject: x\nMessage-ID: <outer@x>\nMIME-Version: 1.0\n"


def report(*parts: str) -> bytes:
    """A report with these parts behind its text."""
    body = "".join(f"--r\n{part}\n" for part in ("Content-Type: text/plain\n\nIt failed.", *parts))
    return f"{HEAD}Content-Type: multipart/report; boundary=r\n\n{body}--r--\n".encode()


@pytest.mark.parametrize(
    ("part", "ids"),
    [
        ("Content-Type: message/rfc822\n\nFrom: b@x\nMessage-ID:\n <1@x>\n\nHello", ("1@x",)),
        ("Content-Type: message/rfc822\n\nMessage-ID: <1@x>\nX-Triage-Id: <2@x>\n\nHello", ("1@x", "2@x")),
        ("Content-Type: text/rfc822-headers\n\nSubject: x\nmessage-id: <1@x>\n", ("1@x",)),
        ("Content-Type: text/rfc822-headers\n\nMessage-ID: 1@x\n", ("1@x",)),
        ("Content-Type: text/rfc822-headers\n\nMessage-ID:\n <1@x>\nSubject: x", ("1@x",)),
        ("Content-Type: text/rfc822-headers\n\nMessage-ID:\nSubject: x", ()),
        (
            "Content-Type: text/rfc822-headers\nContent-Transfer-Encoding: base64\n\nTWVzc2FnZS1JRDogPDFAeD4K",
            ("1@x",),
        ),
        ("Content-Type: text/plain; name=headers.txt\n\n> Message-ID: <1@x>\n", ("1@x",)),
        ("Content-Type: message/disposition-notification\n\nOriginal-Message-ID: <1@x>\n", ("1@x",)),
        ("Content-Type: text/plain\n\nMessage-ID: <1@x>\n", ()),
        ("Content-Type: application/pdf\n\nMessage-ID: <1@x>\n", ()),
        ("Content-Type: text/rfc822-headers\n\nReferences: <1@x>\nIn-Reply-To: <2@x>\n", ()),
    ],
    ids=[
        "whole",
        "marked",
        "headers",
        "bare",
        "folded",
        "empty",
        "encoded",
        "file",
        "receipt",
        "text",
        "other",
        "thread",
    ],
)
def test_enclosed(part: str, ids: tuple[str, ...]) -> None:
    """Of what hangs on it, not of what it says itself, and not of the mails before those."""
    message = message_of(report(part))

    assert (message.enclosed_ids, message.message_id) == (ids, "outer@x")


def test_many() -> None:
    """Outermost first, each once, twenty at most; what is inside what hangs on it counts, too."""
    inner = "Content-Type: message/rfc822\n\nMessage-ID: <inner@x>\n\nHello"
    outer = f"Content-Type: message/rfc822\n\nMessage-ID: <1@x>\nContent-Type: multipart/mixed; boundary=i\n\n--i\n{inner}\n--i--"
    many = [f"Content-Type: message/rfc822\n\nMessage-ID: <{n}@x>\n\nHello" for n in range(1, 40)]

    ids = message_of(report(outer, *many)).enclosed_ids

    assert (ids[:3], len(ids)) == (("1@x", "inner@x", "2@x"), 20)


def test_slow() -> None:
    """A file that is made to be searched slowly is not."""

    def read(size: int) -> None:
        spaces, quotes = " " * (size // 2), ">\n" * (size // 4)
        raw = report(f"Content-Type: text/rfc822-headers\n\nMessage-ID:{spaces}\n{quotes}")
        assert message_of(raw).enclosed_ids == ()

    assert growth(read, 24_000) < 3

"""What is kept of a mail that is too large: headers that stand by themselves."""

from email import message_from_bytes

import pytest

from integrations.imap.stub import fields, kept_headers, stub

HEAD = (
    b"Received: from a\r\n\tby b\r\nFrom: Ada <ada@example.com>\r\nSubject: Large\r\n"
    b'Content-Type: multipart/mixed;\r\n boundary="x"\r\nMIME-Version: 1.0\r\ncontent-transfer-encoding : 8bit\r\n'
    b"X-Triage-Id: 1\r\nMessage-ID: <1@example.com>\r\n\r\n--x\r\nbody\r\n"
)


def test_a_mail_of_its_own() -> None:
    """The stub is a plain text mail with the sender's headers and a sentence about its size."""
    mail = message_from_bytes(stub(HEAD, 50_000_000, 40_000_000, "support"))

    assert mail.get_content_type() == "text/plain"
    assert [mail["From"], mail["Subject"], mail["Message-ID"]] == [
        "Ada <ada@example.com>",
        "Large",
        "<1@example.com>",
    ]
    assert "50000000 bytes" in str(mail.get_payload())
    assert "still in the mailbox (support)" in str(mail.get_payload())
    assert "body" not in str(mail.get_payload())


def test_fields_are_whole() -> None:
    """Continuation lines stay with their field, and what stands behind the empty line is no header."""
    assert fields(HEAD)[0] == b"Received: from a\r\n\tby b\r\n"
    assert len(fields(HEAD)) == 8


def test_cut_head() -> None:
    """A head that was cut in the middle of a field goes without it."""
    assert fields(b"A: 1\r\nB: 2\r\nC: half") == [b"A: 1\r\n", b"B: 2\r\n"]


@pytest.mark.parametrize("head", [b"", b"\r\n", b"\n\n", b"\xff\x00", b" starts folded\r\n", b"A" * 100_000 + b"\r\n"])
def test_odd_heads(head: bytes) -> None:
    """Whatever the head is, there is a stub, and it is small."""
    made = stub(head, 2_000, 1_024, "support")

    assert b"This mail has 2000 bytes" in made
    assert len(made) <= 1_024


def test_limit() -> None:
    """Headers end, each whole, before they are too many."""
    head = b"".join(b"X-%d: %s\r\n" % (number, b"y" * 90) for number in range(100))

    assert len(kept_headers(head, 500)) <= 500
    assert kept_headers(head, 500).endswith(b"\r\n")

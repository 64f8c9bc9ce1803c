"""Whose mail it is for the queue, from the raw bytes: as the parser says where that is easy, and never slow or broken."""

import pytest

from integrations.mime.message import message_of
from triage.policy.sender.flow import READ, flow_of
from triage.policy.thread.fingerprint import person


def raw(*fields: str) -> bytes:
    """A mail with these fields."""
    return "\r\n".join((*fields, "", "From: inside@text.example", "")).encode()


@pytest.mark.parametrize(
    "field",
    [
        "From: ada@example.com",
        "FROM:Ada Byron <Ada+x@Example.com>",
        'From: "Byron, Ada <eve@x.example>" <ada@example.com>',
        "From: Ada (eve@x.example)\r\n\t<ada@example.com>",
        "From:\r\n Ada\r\n <ada@example.com>",
    ],
)
def test_the_sender(field: str) -> None:
    """The address that the parser finds, too; of one person whatever the plus part and the case."""
    parsed = message_of(raw("Subject: x", field)).sender

    assert flow_of(raw("Subject: x", field)).sender == person("ada@example.com")
    assert parsed is not None
    assert person(parsed.address) == person("ada@example.com")


@pytest.mark.parametrize("mail", [b"", b"\r\n\r\n", raw("Subject: none"), raw("From: nobody"), raw("From: \xff\xfe")])
def test_nobody(mail: bytes) -> None:
    """What names no sender in its headers is nobody's."""
    assert flow_of(mail).sender == ""


@pytest.mark.parametrize(
    ("fields", "automated"),
    [
        (("From: ada@example.com",), False),
        (("From: ada@example.com", "Auto-Submitted: no"), False),
        (("From: ada@example.com", "Auto-Submitted: auto-generated"), True),
        (("From: ada@example.com", "Precedence: bulk"), True),
        (("From: ada@example.com", "List-Id: <x.example>"), True),
        (("Return-Path: <>", "From: ada@example.com"), True),
        (("From: no-reply@example.com",), True),
        (("From: MAILER-DAEMON@example.com",), True),
        (("From: ada@example.com", "Subject: Precedence: bulk"), False),
    ],
)
def test_programs(fields: tuple[str, ...], automated: bool) -> None:  # noqa: FBT001 - a column of the table
    """What programs and lists write says so in its headers."""
    assert flow_of(raw(*fields)).automated is automated


def test_little_is_read() -> None:
    """However long the headers are."""
    assert flow_of(b"X: y\r\n" * READ + b"From: ada@example.com\r\n\r\n").sender == ""

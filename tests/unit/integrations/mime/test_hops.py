"""Received lines become hops; what is wrong with them is flagged and costs the mail nothing."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from integrations.mime.hops import MAX_HOPS, MAX_LINE, MAX_NAME, hops_of
from integrations.mime.message import message_of
from integrations.parser_process.wire import packed
from triage.domain.mail import Hop
from triage.domain.untrusted import Untrusted

TOP = "from out.example.net (out.example.net [192.0.2.7]) by mx.example.org with ESMTPS id 7; Tue, 2 Jun 2026 10:00:05 +0200"
BELOW = (
    "from desk (unknown [198.51.100.3])\n\tby out.example.net (Postfix) with ESMTPSA;\n\tTue, 2 Jun 2026 08:00:02 +0000"
)


def mail(*lines: str) -> bytes:
    """A mail that came this way."""
    return "".join(f"Received: {line}\n" for line in lines).encode() + b"From: ada@example.net\nSubject: hi\n\nhello\n"


def test_lines_become_hops_the_last_server_first() -> None:
    """Each Received line tells who handed the mail to whom, how, when, and how much later than the line before it."""
    message = message_of(mail(TOP, BELOW))
    assert message.hops == (
        Hop(
            sender=Untrusted("out.example.net (out.example.net [192.0.2.7])"),
            by=Untrusted("mx.example.org"),
            protocol=Untrusted("ESMTPS"),
            at=datetime(2026, 6, 2, 8, 0, 5, tzinfo=UTC),
            delay=3,
        ),
        Hop(
            sender=Untrusted("desk (unknown [198.51.100.3])"),
            by=Untrusted("out.example.net (Postfix)"),
            protocol=Untrusted("ESMTPSA"),
            at=datetime(2026, 6, 2, 8, 0, 2, tzinfo=UTC),
        ),
    )
    assert message.flags == ()


def test_words_in_names_and_comments_are_no_clauses() -> None:
    """A `by` or a semicolon within a comment or a name parts nothing."""
    (hop,) = hops_of(
        ["from derby by.example.net (standby by evil.example; x) by mx.example.org; 2 Jun 2026 08:00:00 +0000"], set()
    )
    assert (hop.by, hop.defect) == ("mx.example.org", "")


@pytest.mark.parametrize(
    ("line", "defect"),
    [
        ("from a (b by mx.example.org; 2 Jun 2026 08:00:00 +0000", "unclosed-comment"),
        ("from a by mx.example.org; 2 Jun 2026 08:00:00 +9999999999", "no-date"),
        ("from a by mx.example.org; 99 Jun 2026", "no-date"),
        ("from a by mx.example.org", "no-date"),
        ("from a by b; c; d; 2 Jun 2026 08:00:00 +0000", "ambiguous-date-separators"),
        ("from " + "a" * MAX_LINE + " by b; 2 Jun 2026 08:00:00 +0000", "too-long"),
    ],
)
def test_defect_is_named_and_flagged(line: str, defect: str) -> None:
    """A line that breaks the grammar is a hop with its defect, the lines around it are read, and the mail is flagged."""
    message = message_of(mail(TOP, line, BELOW))
    assert [hop.defect for hop in message.hops] == ["", defect, ""]
    assert message.flags == ("received-defects",)
    assert message.reply == "hello"


def test_line_without_clauses_says_nothing() -> None:
    """What some servers write without any clause is no defect."""
    odd = set[str]()
    assert hops_of(["(qmail 2 invoked)"], odd) == (Hop(),)
    assert not odd


@pytest.mark.parametrize(("early", "flags"), [("07:50:00", ("received-backwards",)), ("07:59:00", ())])
def test_time_that_runs_backwards(early: str, flags: tuple[str, ...]) -> None:
    """A hop minutes before the one below it is flagged; clocks of honest servers differ by less."""
    message = message_of(mail(f"from a by b; 2 Jun 2026 {early} +0000", BELOW))
    assert message.flags == flags
    assert (message.hops[0].delay or 0) < 0


@pytest.mark.parametrize(
    "failure", [OverflowError, LookupError, IndexError, ValueError, RecursionError, AttributeError, AssertionError]
)
def test_failure_of_the_library_leaves_the_mail_readable(failure: type[Exception]) -> None:
    """Whatever mail-parser raises over one line, the lines around it are read, and the mail is flagged."""

    class Line(str):
        """A line over which the library breaks."""

        __slots__ = ()

        def __iter__(self) -> Iterator[str]:
            raise failure("of the library")

    odd = set[str]()
    assert [hop.defect for hop in hops_of([TOP, Line(TOP), BELOW], odd)] == ["", "unreadable", ""]
    assert odd == {"received-defects"}


@pytest.mark.parametrize(
    "line",
    ["(" * 1900, '"' * 1900, "from a " * 270, "by " * 600, "from \x1b[31m\u202ea by b; x", "=?utf-8?q?=0D=0A?= by b"],
)
def test_hostile_lines_stay_within_bounds(line: str) -> None:
    """Many, deep or strange lines cost no more than a few short hops of plain text."""
    message = message_of(mail(*[line] * (2 * MAX_HOPS)))
    assert len(message.hops) == MAX_HOPS
    for hop in message.hops:
        assert all(
            len(one) <= MAX_NAME and "\x1b" not in one and "\n" not in one for one in (hop.by, hop.sender, hop.defect)
        )
    assert "received-defects" in message.flags
    assert packed(message)


def test_hop_in_words() -> None:
    """A hop is told as one line, and one that says nothing, too."""
    assert (
        str(Hop(by=Untrusted("b"), sender=Untrusted("a"), protocol=Untrusted("SMTP"), delay=3))
        == "b from a with SMTP, 3 s later"
    )
    assert (str(Hop(defect="too-long")), str(Hop())) == ("too-long", "says nothing")

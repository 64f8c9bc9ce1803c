"""Chat messages as mails."""

from datetime import UTC, datetime
from email import message_from_bytes

from triage.config.routing.rule import RoutingRule
from triage.domain.findings import PipelineName
from triage.policy.support.chat_message import (
    ACCOUNT,
    ASKED_BY,
    LONGEST,
    chat_accounts,
    chat_mail,
    chat_of,
    chat_rule,
    subject_of,
)

AT = datetime(2026, 11, 23, 9, tzinfo=UTC)


def test_a_session_is_one_thread() -> None:
    """Its messages answer the same id, and each has its own."""
    first, second = (
        message_from_bytes(chat_mail("s1", name, "How?", customer="ada@a.example", account="acme", at=AT))
        for name in ("x", "y")
    )

    assert first["References"] == second["References"]
    assert first["Message-ID"] != second["Message-ID"]
    assert (first["From"], first[ACCOUNT], first.get_payload(decode=True)) == ("ada@a.example", "acme", b"How?\n")


def test_the_account_chooses_the_rule() -> None:
    """Without one the first support rule; other routes never take a chat."""
    other = RoutingRule(name="other", all=True)
    one, two = (RoutingRule(name=name, all=True, pipeline=PipelineName.SUPPORT, account=name) for name in ("a", "b"))

    assert chat_rule((other, one, two), "") == one
    assert chat_rule((other, one, two), "b") == two
    assert chat_rule((other,), "") is None
    assert chat_rule((other, one), "c") is None
    assert chat_accounts((other, one, two, one)) == ("a", "b")


def test_a_message_is_read_back() -> None:
    """Session, customer, account and words, whatever they are; the header names the colleague who asked."""
    text = "From: x\n\nÄpfel — 200 %?\n.\n" + "long " * 300
    raw = chat_mail("s1", "x", text, customer="ada@a.example", account="", at=AT, asked_by="Jürgen <j@a.example>")
    told = chat_of(raw)

    assert (told.session, told.customer, told.account) == ("s1", "ada@a.example", "")
    assert told.text == text.strip()
    assert message_from_bytes(raw)[ASKED_BY]
    assert chat_of(b"").text == ""


def test_the_subject_is_how_the_message_begins() -> None:
    """On one line, cut at a word; what cannot be printed is a blank, and nothing is nothing."""
    assert subject_of("How do I\ncancel?\x00 ") == "How do I cancel?"
    assert subject_of("word " * 30) == f"{' '.join(['word'] * 12)}…"
    assert len(subject_of("x" * 90)) == LONGEST
    assert subject_of(" ") == ""

"""Snapshots of what a step has changed."""

from dataclasses import replace
from datetime import UTC, datetime

from triage.domain.cases import Case
from triage.domain.mail import Address, Message
from triage.domain.untrusted import Untrusted
from triage.pipeline.trace import LONGEST, redacted, trace_of

BEFORE = Case(id="case-1", source="file", received_at=datetime(2026, 11, 23, tzinfo=UTC))


def test_only_what_changed_is_shown() -> None:
    """A snapshot has the changed fields before and after, the run and the place of the step."""
    after = replace(BEFORE, ticket="HARB-1", done=("read",))

    assert trace_of(BEFORE, after, 1) == {
        "trace": "case-1/1",
        "order": 1,
        "input": {"ticket": None},
        "output": {"ticket": "HARB-1"},
    }


def test_addresses_secrets_and_long_texts_are_cut() -> None:
    """A snapshot shows the domain of an address, no password, and the beginning of a text."""
    mail = Message(
        sender=Address(address="ada@example.com"),
        text=Untrusted("password: s3cr3t-Xy9!\n" + "a" * 1000),
        headers=tuple((f"x-{number}", "y") for number in range(20)),
    )
    told = str(redacted(mail))

    assert "ada@" not in told
    assert "…@example.com" in told
    assert "s3cr3t" not in told
    assert "a" * (LONGEST + 1) not in told
    assert told.count("'x-") == 5


def test_depth_and_strange_values_end() -> None:
    """Deep structures end in a sign; what JSON does not know is text."""
    deep: object = "x"
    for _ in range(9):
        deep = {"a": deep}

    assert "…" in str(redacted(deep))
    assert redacted(BEFORE.received_at) == "2026-11-23 00:00:00+00:00"
    assert redacted([1, 2.5, True, None]) == [1, 2.5, True, None]

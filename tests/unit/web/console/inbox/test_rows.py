"""A line of the inbox."""

from datetime import UTC, datetime

import pytest

from triage.domain.operations.case_lists import InboxLine
from triage.domain.reports import CaseLine
from web.console.inbox.rows import row_of

NOW = datetime(2026, 11, 28, tzinfo=UTC)


@pytest.mark.parametrize(
    ("sender", "name", "address"),
    [
        ("Marsh, Theo <theo@shop.example>", "Marsh, Theo", "theo@shop.example"),
        ("theo@shop.example", "theo@shop.example", "theo@shop.example"),
        ("", "", ""),
    ],
)
def test_the_sender_of_a_line(sender: str, name: str, address: str) -> None:
    """The whole name, also where it begins with the family name and a comma; without one the address."""
    case = CaseLine(
        id="case-7",
        received_at=NOW,
        sender=sender,
        subject="s",
        state="ticketed",
        ticket="",
        reason="",
        snoozed_until=None,
    )
    row = row_of(InboxLine(case=case, mails=1, waits=0, thread=""), NOW)

    assert (row.number, row.name, row.address) == ("7", name, address)

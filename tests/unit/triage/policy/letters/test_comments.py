"""Which comments are sent to the sender of a ticket's mail."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from triage.domain.channels.ticket_notes import TicketComment
from triage.domain.tickets import Person
from triage.domain.untrusted import Untrusted
from triage.policy.letters.comments import LONGEST, comment_text, goes_out

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
COMMENT = TicketComment(
    id="10012",
    author=Person(id="5b", name=Untrusted("Nadia Ferreira")),
    words="It is fixed.",
    text="It is fixed.",
    ours=False,
    at=NOON,
    by_colleague=True,
    public=True,
)


def test_a_public_comment_of_a_colleague_goes_out() -> None:
    """It was written since the letters are on."""
    assert goes_out(COMMENT, NOON)


@pytest.mark.parametrize(
    "change",
    [
        {"public": False},
        {"by_colleague": False},
        {"ours": True},
        {"edited_by_other": True},
        {"at": None},
        {"at": NOON - timedelta(seconds=1)},
        {"words": "/triage yes"},
        {"text": "/triage yes"},
        {"text": "> only a quote"},
        {"text": ""},
    ],
    ids=str,
)
def test_others_stay(change: dict[str, Any]) -> None:
    """Internal and restricted ones, ours, those of apps and customers, old ones, commands, and those that say nothing."""
    assert not goes_out(replace(COMMENT, **change), NOON)


def test_quoted_lines_are_not_sent_back() -> None:
    """Neither as they stand nor escaped; and nothing endless is sent."""
    quoting = replace(COMMENT, text="> You wrote\n\\> this\nYes.\n\nNadia")

    assert comment_text(quoting) == "Yes.\n\nNadia"
    assert len(comment_text(replace(COMMENT, text="x" * 30_000))) == LONGEST

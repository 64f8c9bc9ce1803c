"""Which mails may have been handled by an older state of the database."""

from datetime import UTC, datetime, timedelta

import pytest

from triage.domain.mail import Hop, Message
from triage.policy.thread.lateness import is_late

NOW = datetime(2026, 11, 20, 8, 0, tzinfo=UTC)
LATELY, BEFORE = NOW - timedelta(seconds=20), NOW - timedelta(minutes=5)


@pytest.mark.parametrize(
    ("mail", "late"),
    [
        (Message(hops=(Hop(at=LATELY), Hop(at=BEFORE)), date=BEFORE), False),
        (Message(hops=(Hop(at=BEFORE),), date=LATELY), True),
        (Message(hops=(Hop(),), date=LATELY), False),
        (Message(date=BEFORE), True),
        (Message(date=NOW + timedelta(days=1)), False),
        (Message(), True),
    ],
)
def test_late_mails(mail: Message, *, late: bool) -> None:
    """The last server's time counts, then the mail's own; a mail without any may be late."""
    assert is_late(mail, NOW) is late

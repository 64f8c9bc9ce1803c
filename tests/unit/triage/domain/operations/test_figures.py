"""What the nouns of operating Triage answer about themselves."""

from datetime import UTC, datetime

from triage.domain.operations.checks import Finding
from triage.domain.operations.errors import FileNotWritten
from triage.domain.operations.figures import SECONDS, BacklogFigures, Durations
from triage.domain.operations.machine import Machine
from triage.domain.operations.webhooks import Delivery, DeliveryState

NOW = datetime(2026, 11, 20, tzinfo=UTC)


def test_a_duration_counts_in_every_bucket_that_holds_it() -> None:
    """What was counted elsewhere is added; one that is longer than all bounds counts in none."""
    durations = Durations()
    durations.add(0.03)
    durations.add(SECONDS[-1] + 1)
    durations.merge([1] * len(SECONDS), 1, 0.001)

    assert durations.within == [1, 1, 1, *[2] * (len(SECONDS) - 3)]
    assert (durations.count, round(durations.total, 3)) == (3, 301.031)


def test_a_backlog_is_all_that_waits() -> None:
    """Whether somebody has it or not."""
    assert BacklogFigures(ready=1, working=2, retrying=4).all == 7


def test_a_delivery_keeps_its_name() -> None:
    """Every attempt has the same id for the receiver."""
    delivery = Delivery(
        id=7,
        webhook=1,
        case="case-1",
        payload="{}",
        state=DeliveryState.WAITING,
        attempts=2,
        due_at=NOW,
        made_at=NOW,
        trouble="",
    )

    assert delivery.message_id == "msg_7"


def test_a_file_that_was_not_written_says_why() -> None:
    """In its own words, without the names of fields."""
    assert str(FileNotWritten("triage.yaml", "it is read-only")) == "triage.yaml: it is read-only; nothing was written"


def test_what_is_not_known_is_empty() -> None:
    """A check without a cure and a machine without a heartbeat tell of neither."""
    assert not Finding("disk", "ok", "enough room").cure
    assert Machine(version="1", database="sqlite", queue="local", works=True).heartbeat is None

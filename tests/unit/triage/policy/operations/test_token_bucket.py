"""A bucket lets so many through at once, and one more after a while."""

from datetime import UTC, datetime, timedelta

from triage.policy.operations.token_bucket import Bucket, Rate

NOW = datetime(2026, 11, 22, tzinfo=UTC)


def test_a_burst_and_one_more_after_a_while() -> None:
    """What is used up comes back one by one, never more than at the beginning."""
    bucket = Bucket.full(Rate(2, 30), NOW)
    empty = bucket.plus(-2)
    waits = [empty.filled(NOW + timedelta(seconds=after)).wait for after in (0, 15, 30)]

    assert (bucket.wait, waits) == (-30.0, [30.0, 15.0, 0.0])
    assert empty.filled(NOW + timedelta(days=1)).left == 2
    assert bucket.plus(1).left == 2


def test_a_clock_that_goes_back_takes_nothing() -> None:
    """Somebody sets the clock: what is left stays."""
    assert Bucket.full(Rate(2, 30), NOW).plus(-1).filled(NOW - timedelta(hours=1)).left == 1


def test_so_many_a_minute() -> None:
    """As many at once as in a minute."""
    assert Rate.per_minute(120) == Rate(120, 0.5)

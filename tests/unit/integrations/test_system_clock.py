"""The clock of the system."""

from datetime import UTC

from integrations.system_clock import SystemClock


async def test_the_time_is_aware_and_goes_on() -> None:
    """It is in UTC, and never earlier after a pause."""
    clock = SystemClock()
    before = clock.now()
    await clock.sleep(0)

    assert before.tzinfo is UTC
    assert clock.now() >= before

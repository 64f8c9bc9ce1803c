"""What a service repeats by itself goes on after trouble, and a bug is not hidden."""

import pytest
from loguru import logger

from tests.contract.store.store_samples import HeldClock
from triage.domain.errors import StoreDown
from triage.services.operations.repeating import Repeated


async def test_trouble_is_logged_and_a_bug_ends_the_turns() -> None:
    """After trouble the pause passes and another turn is taken; an exception that is no trouble leaves."""
    clock, ends = HeldClock(), [StoreDown("gone"), None, ValueError("bug")]

    async def turn() -> None:
        if end := ends.pop(0):
            raise end

    events: list[str] = []
    sink = logger.add(lambda line: events.append(str(line.record["message"])), level="WARNING")
    before = clock.now()
    with pytest.raises(ValueError, match="bug"):
        await Repeated(turn, 60.0, "things.later").run(clock)
    logger.remove(sink)

    assert events == ["things.later"]
    assert (clock.now() - before).total_seconds() == 120

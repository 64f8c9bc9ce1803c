"""An outage of the store is two lines of the log, however often it is tried."""

from loguru import logger

from triage.pipeline.store_outage import StoreOutage


def test_an_outage_is_told_once() -> None:
    """Each outage is logged at its beginning and at its end; a store that answers is no news."""
    lines: list[str] = []
    sink = logger.add(lambda line: lines.append(line.record["message"]), level="DEBUG")
    outage = StoreOutage()
    try:
        outage.end()
        for _ in range(3):
            outage.begin("it is locked")
        for _ in range(2):
            outage.end()
        outage.begin("it is gone")
    finally:
        logger.remove(sink)

    assert lines == ["store.down", "store.up", "store.down"]

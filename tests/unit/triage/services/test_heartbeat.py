"""A worker's heartbeat: it stops where nothing gets done, and only there."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

import pytest

from triage.domain.errors import StoreDown
from triage.domain.ports import Jobs
from triage.services.heartbeat import Heartbeat, seconds_since


@dataclass
class Answering:
    """A store that answers, or not."""

    error: Exception | None = None
    asked: list[str] = field(default_factory=list)

    async def next_due(self) -> float | None:
        """Nothing is due."""
        self.asked.append("next_due")
        if self.error:
            raise self.error
        return None


@pytest.mark.parametrize(
    ("error", "for_how_long", "beats"),
    [
        (None, {}, True),
        (None, {"case-1": timedelta(minutes=4)}, True),
        (None, {"case-1": timedelta(minutes=6)}, False),
        (None, {"case-1": timedelta(minutes=6), "case-2": timedelta()}, False),
        (StoreDown("away"), {}, False),
        (TimeoutError(), {}, False),
    ],
    ids=["idle", "busy", "stuck", "one stuck", "no database", "database hangs"],
)
async def test_a_beat_says_that_work_gets_done(
    tmp_path: Path, error: Exception | None, for_how_long: Mapping[str, timedelta], *, beats: bool
) -> None:
    """No beat while the database does not answer, or while a case is in hand longer than any case may be."""
    file, now = tmp_path / "worker", datetime.now(UTC)
    running = {case: now - age for case, age in for_how_long.items()}
    await Heartbeat(file, cast("Jobs", Answering(error)), running, timedelta(minutes=5)).beat()

    assert (seconds_since(file) is not None) == beats


async def test_a_file_that_cannot_be_written_stops_no_work(tmp_path: Path) -> None:
    """A wrong HEARTBEAT_FILE shows as a worker that nobody has seen."""
    file = tmp_path / "no folder" / "worker"
    await Heartbeat(file, cast("Jobs", Answering()), {}, timedelta(minutes=5)).beat()

    assert seconds_since(file) is None

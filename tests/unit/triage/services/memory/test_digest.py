"""The digest is told once a week, on its day."""

from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest

from integrations.sql.store import open_store
from tests.contract.store.store_samples import HOUR, HeldClock
from tests.database import migrated
from tests.unit.triage.policy.memory.samples import a_note
from tests.unit.triage.services.memory.vault import notes_in
from triage.domain.channels.notices import Bulletin
from triage.policy.calendar.named_day import DAYS
from triage.services.channels.notices import Notices
from triage.services.memory.digest import MemoryDigest


@dataclass
class Heard:
    """A channel that remembers."""

    name: str = "heard"
    said: list[Bulletin] = field(default_factory=list)

    async def send(self, bulletin: Bulletin) -> None:
        """Here."""
        self.said.append(bulletin)


@pytest.mark.parametrize(("days", "told"), [(0, 1), (1, 0)])
async def test_once_on_its_day(tmp_path: Path, days: int, told: int) -> None:
    """Several looks on the day are one message; on another day nobody hears anything."""
    clock, channel = HeldClock(), Heard()
    store = await open_store(f"sqlite:///{migrated(tmp_path / 'triage.db')}", clock)
    notices = Notices(store=store.notices, clock=clock, channels=(channel,))
    notes = notes_in(tmp_path / "memory")
    await notes.write(
        a_note("action_required/a", "Send the report", deadline=clock.now().date() - timedelta(days=9)), "x"
    )
    weekday = DAYS[(clock.now() + timedelta(days=days)).weekday()]
    digest = MemoryDigest(notes=notes, notices=notices, clock=clock, weekday=weekday)

    for _ in range(3):
        await digest.run_once()
        await notices.send_due()
        await clock.sleep(2 * HOUR)

    assert ["Overdue: Send the report" in one.body for one in channel.said] == [True] * told
    await store.close()


async def test_what_changes_on_its_day_repeats_nothing(tmp_path: Path) -> None:
    """An action that becomes overdue after the digest has left is told, and the decisions below it are not told again."""
    clock, channel = HeldClock(), Heard()
    store = await open_store(f"sqlite:///{migrated(tmp_path / 'triage.db')}", clock)
    notices = Notices(store=store.notices, clock=clock, channels=(channel,))
    notes, today = notes_in(tmp_path / "memory"), clock.now().date()
    digest = MemoryDigest(notes=notes, notices=notices, clock=clock, weekday=DAYS[today.weekday()])

    for note in (
        a_note("decisions/cameras", "No cameras", created=today),
        a_note("action_required/a", "Send the report", deadline=today - timedelta(days=9)),
    ):
        await notes.write(note, "x")
        await digest.run_once()
        await notices.send_due()
        await clock.sleep(2 * HOUR)

    told = "\n".join(one.body for one in channel.said)
    assert (told.count("No cameras"), told.count("Send the report")) == (1, 1)
    await store.close()

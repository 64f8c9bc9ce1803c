"""Builds of the memory by a schedule: one at a time, each in its time, after trouble sooner."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from tests.unit.triage.services.memory.build.building import house
from tests.unit.triage.services.memory.build.test_service import PROMISE
from triage.domain.errors import ModelDown
from triage.domain.memory.builds import BuildKind, BuildStage
from triage.domain.memory.notes import MemoryMail
from triage.services.memory.build.readers import MailBatch
from triage.services.memory.build.schedule import BuildSchedule
from triage.services.memory.build.service import BuildService

DAY = timedelta(hours=24)


async def test_a_build_every_day(tmp_path: Path) -> None:
    """At once where none was, then a day after the begin of the last one, whoever began that; nothing without a schedule."""
    async with house(tmp_path) as at:
        await at.mail(1, PROMISE)
        builds = replace(at.builds, every=DAY)
        schedule = BuildSchedule(builds=builds, clock=at.clock)
        first, early = await schedule.look(), await schedule.look()
        await at.clock.sleep(12 * 3600)
        await builds.run(BuildKind.BUILD, "ada")
        await at.clock.sleep(13 * 3600)
        too_early, status = await schedule.look(), await builds.status()
        await at.clock.sleep(11 * 3600)
        second = await schedule.look()

        assert first
        assert second
        assert (first.by, first.figures["mails"], second.by) == ("schedule", 1, "schedule")
        assert (early, too_early) == (None, None)
        assert status.last
        assert status.next_at == status.last.started_at + DAY
        assert (await at.builds.status()).next_at is None
        assert await BuildSchedule(builds=at.builds, clock=at.clock).look() is None


async def test_it_waits_for_one_that_runs_and_goes_on_with_one_that_was_killed(tmp_path: Path) -> None:
    """A refresh under way is no trouble; a build without a sign of life is taken over."""
    async with house(tmp_path) as at:
        schedule = BuildSchedule(builds=replace(at.builds, every=DAY), clock=at.clock)
        running = await at.store.memory_builds.begin(BuildKind.REFRESH, "ada", 20)
        skipped = await schedule.look()
        await at.store.memory_builds.beat(replace(running, ended_at=at.clock.now()))
        killed = await at.store.memory_builds.begin(BuildKind.BUILD, "grace", 20)
        await at.clock.sleep(60)
        taken = await schedule.look()

    assert skipped is None
    assert taken
    assert (taken.id, taken.stage) == (killed.id, BuildStage.COMPLETE)


async def test_after_trouble_it_tries_again_within_the_hour(tmp_path: Path) -> None:
    """A model that was down for a night costs no day; what the store does not answer is tried again, too."""

    class Down:
        async def read(self, mails: Sequence[MemoryMail], run: str = "") -> MailBatch:
            raise ModelDown(f"{len(mails)} {run}", "no answer")

    async with house(tmp_path, reader=Down()) as at:
        await at.mail(1, PROMISE)
        builds: BuildService = replace(at.builds, every=DAY)
        failed = await BuildSchedule(builds=builds, clock=at.clock).look()
        status = await builds.status()

    assert failed
    assert failed.stage is BuildStage.FAILED
    assert status.next_at == failed.started_at + timedelta(hours=1)

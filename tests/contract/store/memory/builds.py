"""What every store must do for builds of the team's memory."""

from dataclasses import replace

import pytest

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import HOSTILE, HeldClock, ended, opened
from triage.domain.memory.builds import BuildKind, BuildStage, ReadMail
from triage.domain.memory.errors import BuildLost, BuildRunning
from triage.domain.ports import BuildStore


def read(number: int, count: int = 2, sender: str = "ann@acme.example") -> ReadMail:
    """A mail that was read."""
    return ReadMail(
        case=f"case-{number}", sender=sender, day="2026-11-03", observations=f"[{HOSTILE!r}]" * count, count=count
    )


class BuildsContract:
    """Builds, one at a time, and the mails that they have read."""

    async def test_one_build_at_a_time(self, store: SqlStore, second_store: SqlStore, clock: HeldClock) -> None:
        """A second one is refused while the first gives signs of life; a silent one is taken over, and its process hears of it."""
        builds: BuildStore = store.memory_builds
        assert await builds.latest() is None
        first = await builds.begin(BuildKind.BUILD, "ada", 20)
        with pytest.raises(BuildRunning):
            await second_store.memory_builds.begin(BuildKind.REFRESH, "grace", 20)
        await clock.sleep(10)
        first = await builds.beat(replace(first, stage=BuildStage.READ, done=3, total=9, figures={"mails": 3}))
        await clock.sleep(15)
        with pytest.raises(BuildRunning):
            await second_store.memory_builds.begin(BuildKind.BUILD, "grace", 20)
        await clock.sleep(10)
        taken = await second_store.memory_builds.begin(BuildKind.BUILD, "grace", 20)

        assert (taken.id, taken.stage, taken.done, taken.figures) == (first.id, BuildStage.READ, 3, {"mails": 3})
        with pytest.raises(BuildLost):
            await builds.beat(first)

    async def test_a_silent_build_of_another_kind_is_over(self, store: SqlStore, clock: HeldClock) -> None:
        """It is marked as failed; a build that has ended stands in nobody's way."""
        builds = store.memory_builds
        first = await builds.begin(BuildKind.BUILD, "ada", 20)
        await clock.sleep(30)
        second = await builds.begin(BuildKind.RECONCILE, HOSTILE, 20)
        over = await builds.beat(replace(second, stage=BuildStage.COMPLETE, ended_at=clock.now()))
        third = await builds.begin(BuildKind.REFRESH, "ada", 20)

        assert first.id < over.id < third.id
        assert await builds.latest() == third

    async def test_each_mail_is_read_once(self, store: SqlStore) -> None:
        """Ended cases that no build has read come in order; what was read is kept once, written, and its copy dropped."""
        builds: BuildStore = store.memory_builds
        for number in (1, 2, 3):
            await ended(await opened(store, number), None)
        await opened(store, 4)
        assert [case.id for case in await builds.cases("", 2, unread=True)] == ["case-1", "case-2"]
        assert (await builds.backlog()).unread == 3
        await builds.keep([])
        await builds.keep([read(1), read(2, 0), read(3, 5, "bob@acme.example")])
        await builds.keep([read(1, 7)])

        assert await builds.cases("", 9, unread=True) == ()
        assert [case.id for case in await builds.cases("case-1", 9, unread=False)] == ["case-2", "case-3"]
        assert (await builds.backlog()).unread == 0
        assert [mail.case for mail in await builds.unwritten(9)] == ["case-1", "case-3"]
        assert await builds.unwritten(1) == (read(1),)
        await builds.wrote("case-1")
        assert [mail.case for mail in await builds.unwritten(9)] == ["case-3"]
        assert (await builds.backlog()).unwritten == 1
        assert await builds.kept("ann@acme.example", "2026-11-03") == 2
        assert await builds.kept("ann@acme.example", "2026-11-04") == 0

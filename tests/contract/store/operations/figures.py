"""What every `Figures` must do."""

from dataclasses import replace
from datetime import timedelta

import pytest

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import MORNING, OPENING, TURN, HeldClock, ended, leased, mail, opened, step
from triage.domain.cases import Outcome
from triage.domain.operations.figures import SECONDS, BacklogFigures, Today
from triage.domain.ports import Figures

DAY = timedelta(days=1)


class FiguresContract:
    """Sums over the store."""

    async def test_backlog(self, store: SqlStore, clock: HeldClock) -> None:
        """Mails that have not ended count by what becomes of them, with the age of the oldest; ended ones do not."""
        figures: Figures = store.figures
        empty = await figures.backlog()
        for number in range(4):
            await store.inbox.accept(mail(number))
            await clock.sleep(10)
        done, tried, _ = [await leased(store) for _ in range(3)]
        await ended(store.jobs.open(done), "OPS-1")
        await store.jobs.open(done).cases.finish()
        await store.jobs.postpone(tried, 60, "Jira is down")

        assert empty == BacklogFigures()
        backlog = await figures.backlog()
        assert replace(backlog, leased_until=None) == BacklogFigures(
            ready=1, working=1, retrying=1, oldest=MORNING + timedelta(seconds=10)
        )
        assert backlog.leased_until
        assert backlog.leased_until > clock.now()
        assert (await figures.today(MORNING)).came_in == 4
        assert (await figures.today(MORNING + timedelta(seconds=30))).came_in == 1

    async def test_today(self, store: SqlStore, clock: HeldClock) -> None:
        """What ended since then counts by its outcome whenever it came in, once however often it was decided."""
        figures: Figures = store.figures
        for number in range(2):
            await store.inbox.accept(mail(number))
        early, late = [store.jobs.open(await leased(store)) for _ in range(2)]
        ticketed = (await early.cases.load()).closed(Outcome.TICKETED, "new")
        await early.cases.save(ticketed, step("dispatch"), ended=True)
        await clock.sleep(100)
        began = clock.now()
        ticketed = (await late.cases.load()).closed(Outcome.TICKETED, "new")
        for _ in range(2):
            await late.cases.save(ticketed, step("dispatch"), ended=True)

        assert await figures.today(MORNING) == Today(came_in=2, ended={"ticketed": 2})
        assert await figures.today(began) == Today(came_in=0, ended={"ticketed": 1})
        assert await figures.today(clock.now() + DAY) == Today(came_in=0, ended={})

    async def test_growth(self, store: SqlStore, clock: HeldClock) -> None:
        """Between two moments: mails by source, ends by outcome, steps and answers with their durations."""
        figures: Figures = store.figures
        leased_case = await opened(store)
        await clock.sleep(100)
        began = clock.now()
        case = leased_case.lease.case
        await store.inbox.accept(mail(2, source="imap:support"))
        await leased_case.journal.keep_opening(f"{case}/1", "jira", OPENING)
        await leased_case.journal.keep_turn(f"{case}/1", 1, TURN, 1500.0)
        await leased_case.journal.keep_turn(
            f"{case}/1", 2, replace(TURN, model="playbook", usage=replace(TURN.usage, cost_usd=None)), 1.0
        )
        loaded = await leased_case.cases.load()
        await leased_case.cases.save(loaded, step("read"))
        await leased_case.cases.save(loaded.closed(Outcome.IGNORED, "spam"), step("dispatch"), ended=True)
        await clock.sleep(100)
        await store.inbox.accept(mail(3))
        grown = await figures.growth(began, clock.now())

        assert await figures.sources(began) == {"file": 1}
        assert await figures.sources(clock.now() + DAY) == {"file": 2, "imap:support": 1}
        assert grown.mails == {"imap:support": 1}
        assert grown.ended == {"ignored": 1}
        assert {(one.name, one.count) for one in grown.steps} == {("read", 1), ("dispatch", 1)}
        assert [one.seconds for one in grown.steps] == [pytest.approx(0.0125)] * 2
        (used,) = grown.models
        assert (used.name, used.count, used.input_tokens, used.output_tokens) == ("some-model", 1, 900, 40)
        assert used.cost_usd == pytest.approx(0.004)
        assert dict(zip(SECONDS, used.within, strict=True))[1.0] == 0
        assert dict(zip(SECONDS, used.within, strict=True))[2.5] == 1
        assert await figures.growth(clock.now() + DAY, clock.now() + 2 * DAY) == replace(
            grown, mails={}, ended={}, steps=(), models=()
        )
        assert await figures.letters() == {}

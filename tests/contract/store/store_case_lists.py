"""What every `CaseLists` and `ViewStore` must do."""

from dataclasses import replace
from datetime import timedelta

import pytest

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import MESSAGE, MORNING, HeldClock, approval, full, mail, opened, step
from triage.domain.approvals import ApprovalState
from triage.domain.cases import Outcome
from triage.domain.errors import CaseNotFound
from triage.domain.mail import Address
from triage.domain.operations.case_lists import Pulse, SavedView
from triage.domain.ports import LeasedCase
from triage.domain.reports import EVERY_CASE, CaseFilter
from triage.domain.untrusted import Untrusted

HARD = "50 % _off_ / NEVER\\ 'x' ÄRGER"
"""Characters that mean something to a database."""
NEEDS = CaseFilter(needs_at=MORNING)


async def lies(
    store: SqlStore, number: int, subject: str, *, outcome: Outcome = Outcome.TICKETED, thread: str = "", who: str = ""
) -> LeasedCase:
    """A case that has ended."""
    leased = await opened(store, number)
    case = full(await leased.cases.load())
    message = replace(MESSAGE, subject=Untrusted(subject), sender=Address(address="k@x.example", name=Untrusted(who)))
    case = replace(case, message=message, identity=replace(case.identity, thread_key=thread), outcome=outcome)
    await leased.cases.save(case, step())
    await store.jobs.open(leased.lease).cases.finish()
    return leased


async def found(store: SqlStore, where: CaseFilter, before: str | None = None) -> list[int]:
    """Numbers of the cases that pass."""
    return [int(line.case.id[5:]) for line in await store.case_lists.page(50, before, where)]


class CaseListsContract:
    """Lists of the inbox."""

    async def test_searches(self, store: SqlStore) -> None:
        """Each text is found in its own field, in capitals or not, whatever characters it has; words in any."""
        await lies(store, 1, HARD, who="Kim Öz")
        await lies(store, 2, "Kim writes", who="Ada")
        assert await found(store, CaseFilter(subject=HARD.casefold())) == [1]
        for text in ("% _OFF_", "ärger", "never\\", "'x'"):
            assert await found(store, CaseFilter(words=(text,))) == [1], text
        for text in ("50 _", "5%f", "/%", "never/"):
            assert await found(store, CaseFilter(words=(text,))) == [], text
        assert await found(store, CaseFilter(sender="kIM ö")) == [1]
        assert await found(store, CaseFilter(subject="kim")) == [2]
        assert await found(store, CaseFilter(words=("kim",))) == [2, 1]
        assert await found(store, CaseFilter(words=("kim", "ada"))) == [2]
        assert await found(store, CaseFilter(reason="new bug", subject="kim")) == [2]
        assert await found(store, CaseFilter(reason="kim")) == []
        assert await found(store, CaseFilter(ticket="OPS-42")) == [2, 1]
        assert await found(store, CaseFilter(states=("ignored", "ticketed"), words=("ada",))) == [2]

    async def test_threads(self, store: SqlStore) -> None:
        """Of a thread the newest case that passes is shown, with the number of its mails; the others unfold."""
        for number, thread in enumerate(("<a@x>", "", "<a@x>", "<b@x>", ""), 1):
            await lies(store, number, f"mail {number}", thread=thread)
        by_thread = CaseFilter(one_per_thread=True)
        lines = await store.case_lists.page(50, None, by_thread)

        assert [(line.case.id, line.mails) for line in lines] == [
            ("case-5", 1),
            ("case-4", 1),
            ("case-3", 2),
            ("case-2", 1),
        ]
        assert await found(store, by_thread, "case-4") == [3, 2]
        assert await found(store, replace(by_thread, subject="mail 1")) == [1]
        assert [line.case.id for line in await store.case_lists.thread("case-1", 10)] == ["case-3", "case-1"]
        assert [line.case.id for line in await store.case_lists.thread("case-2", 10)] == ["case-2"]
        assert await store.case_lists.thread("case-99", 10) == ()
        assert [line.case.id for line in await store.case_lists.lines(["case-1", "case-5", "x"])] == [
            "case-5",
            "case-1",
        ]

    async def test_what_needs_somebody(self, store: SqlStore) -> None:
        """Waiting, quarantined, dead, in trouble, an open approval; not what a worker is about to change."""
        for number, outcome in enumerate((Outcome.WAITING, Outcome.QUARANTINED, Outcome.IGNORED), 1):
            await lies(store, number, "x", outcome=outcome)
        leased = await opened(store, 4)
        await store.jobs.dead_letter(leased.lease, "dead")
        troubled = await opened(store, 5)
        await store.jobs.postpone(troubled.lease, 60, "Jira is down")
        asking = await opened(store, 6)
        parked = await asking.approvals.park(approval(asking.lease.case))
        await store.jobs.open(asking.lease).cases.finish()
        await store.inbox.accept(mail(7))

        assert await found(store, NEEDS) == [6, 5, 4, 2, 1]
        assert await store.case_lists.count(NEEDS) == 5
        assert [line.waits for line in await store.case_lists.page(1, None, NEEDS)] == [1]
        states = {state: await found(store, CaseFilter(states=(state,))) for state in ("dead", "retrying", "ready")}
        assert (states["dead"], states["retrying"], states["ready"]) == ([4], [5], [7])
        await store.decisions.decide(parked.id, ApprovalState.REJECTED, "ada")
        await store.jobs.lease_case("case-7", "w", 60)
        assert await found(store, NEEDS) == [5, 4, 2, 1]
        assert await found(store, CaseFilter(states=("working",))) == [7]

    async def test_what_is_put_off(self, store: SqlStore, clock: HeldClock) -> None:
        """A snoozed case needs nobody until its time, and stands among the snoozed; the last word counts."""
        await lies(store, 1, "x", outcome=Outcome.WAITING)
        later = MORNING + timedelta(hours=3)
        await store.case_lists.snooze("case-1", MORNING + timedelta(days=9), "ada")
        await store.case_lists.snooze("case-1", later, "ada")

        assert (await found(store, NEEDS), await found(store, CaseFilter(snoozed_at=MORNING))) == ([], [1])
        assert [line.snoozed_until for line in await store.archive.cases()] == [later]
        assert await found(store, CaseFilter(needs_at=later)) == [1]
        await store.case_lists.snooze("case-1", clock.now(), "ada")
        assert (await found(store, NEEDS), await found(store, CaseFilter(snoozed_at=MORNING))) == ([1], [])
        with pytest.raises(CaseNotFound):
            await store.case_lists.snooze("case-99", later, "ada")

    async def test_days(self, store: SqlStore) -> None:
        """A filter of days looks at when the mail was received."""
        await lies(store, 1, "x")
        second = timedelta(seconds=1)

        assert await found(store, CaseFilter(since=MORNING, until=MORNING + second)) == [1]
        assert await found(store, CaseFilter(since=MORNING + second)) == []
        assert await found(store, CaseFilter(until=MORNING)) == []

    async def test_changes(self, store: SqlStore, clock: HeldClock) -> None:
        """Whatever changes a line is told with the line; where nothing has changed, the pulse is the same."""
        lists = store.case_lists
        began = (await lists.changes(None)).pulse
        assert began == Pulse() == (await lists.changes(began)).pulse

        async def told(since: Pulse) -> tuple[Pulse, list[str]]:
            changes = await lists.changes(since)
            assert (await lists.changes(changes.pulse)).lines == ()
            return changes.pulse, [line.case.id for line in changes.lines]

        await store.inbox.accept(mail(1))
        pulse, cases = await told(began)
        assert cases == ["case-1"]
        lease = await store.jobs.lease_case("case-1", "w", 60)
        assert lease
        pulse, cases = await told(pulse)
        assert cases == ["case-1"]
        leased = store.jobs.open(lease)
        await leased.approvals.park(approval("case-1"))
        await store.jobs.dead_letter(lease, "dead")
        pulse, cases = await told(pulse)
        assert cases == ["case-1"]
        await lists.snooze("case-1", clock.now(), "ada")
        pulse, cases = await told(pulse)
        assert cases == ["case-1"]
        assert (await lists.changes(Pulse.read(str(pulse)))).lines == ()
        for number in range(2, 104):
            await store.inbox.accept(mail(number))
        many = await lists.changes(pulse)
        assert (many.many, many.lines) == (True, ())
        assert (await lists.counts())["dead"] == 1

    async def test_views(self, store: SqlStore) -> None:
        """People see their own views and the shared ones; a name is taken once; a dropped one is gone."""
        views = store.views
        mine = SavedView(name="Mine", query="from:kim", tab="all", owner="ada", made_at=MORNING)
        await views.keep(replace(mine, query="old"))
        kept = await views.keep(mine)
        shared = await views.keep(replace(mine, name="All of us", owner="bea", shared=True))
        await views.keep(replace(mine, name="Hers", owner="bea"))

        assert await views.views("ada") == (shared, kept)
        assert replace(kept, id=0) == mine
        await views.drop(kept.id)
        await views.drop(999)
        assert await views.views("ada") == (shared,)
        assert await found(store, EVERY_CASE) == []

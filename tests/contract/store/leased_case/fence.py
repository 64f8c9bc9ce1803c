"""What every store must do with writes of a worker that has lost its case: refuse them."""

from collections.abc import Awaitable, Callable

import pytest

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import (
    OPENING,
    RESULT,
    TURN,
    HeldClock,
    approval,
    effect,
    full,
    leased,
    mail,
    next_lease,
    step,
)
from triage.domain.cases import Lease
from triage.domain.errors import LeaseLost
from triage.domain.ports import LeasedCase

Write = Callable[[SqlStore, LeasedCase, Lease], Awaitable[object]]

BOOK_WRITES: dict[str, Write] = {
    "save": lambda _s, b, le: save(b),
    "renew": lambda _s, b, le: b.cases.renew(60),
    "keep_opening": lambda _s, b, le: b.journal.keep_opening("case-1/1", "jira", OPENING),
    "keep_turn": lambda _s, b, le: b.journal.keep_turn("case-1/1", 1, TURN, 5.0),
    "keep_result": lambda _s, b, le: b.journal.keep_result("case-1/1", "call-1", "tool", "{}", "[]"),
    "keep_run": lambda _s, b, le: b.journal.keep_run("case-1/1", RESULT),
    "intend": lambda _s, b, le: b.ledger.intend(effect(le.case)),
    "settle": lambda _s, b, le: b.ledger.settle(effect(le.case)),
    "saw": lambda _s, b, le: _saw(b),
    "park": lambda _s, b, le: b.approvals.park(approval(le.case)),
    "link": lambda _s, b, le: b.threads.link(["1@example.com"], "hash", "OPS-1"),
    "link nothing": lambda _s, b, le: b.threads.link([], "hash", None),
    "event": lambda _s, b, le: b.cases.event("seen", n=1),
}
STORE_WRITES: dict[str, Write] = {
    "finish": lambda s, _b, le: s.jobs.open(le).cases.finish(),
    "postpone": lambda s, _b, le: s.jobs.postpone(le, 5, "later"),
    "bury": lambda s, _b, le: s.jobs.dead_letter(le, "dead"),
}
WRITES = BOOK_WRITES | STORE_WRITES


async def save(leased_case: LeasedCase) -> None:
    """All that a case can hold, as after a step."""
    await leased_case.cases.save(full(await leased_case.cases.load()), step())


async def _saw(leased_case: LeasedCase) -> None:
    await leased_case.ledger.saw("OPS", 42)
    await leased_case.cases.flush()


class FenceContract:
    """Who may still write."""

    @pytest.mark.parametrize("name", WRITES)
    async def test_zombie_is_fenced(self, store: SqlStore, clock: HeldClock, name: str) -> None:
        """A worker that was thought dead writes nothing once another has its case."""
        case = await store.inbox.accept(mail())
        zombie = await leased(store)
        await clock.sleep(60)
        heir = await leased(store)
        before = await everything(store, heir)

        with pytest.raises(LeaseLost):
            await WRITES[name](store, store.jobs.open(zombie), zombie)

        assert before == await everything(store, heir)
        assert case == zombie.case == heir.case

    @pytest.mark.parametrize("name", WRITES)
    async def test_let_go_is_fenced(self, store: SqlStore, name: str) -> None:
        """Who has given a case back writes nothing more about it."""
        await store.inbox.accept(mail())
        lease = await leased(store)
        await store.jobs.postpone(lease, 5, "later")
        before = await everything(store, lease)

        with pytest.raises(LeaseLost):
            await WRITES[name](store, store.jobs.open(lease), lease)

        assert before == await everything(store, lease)

    @pytest.mark.parametrize("name", WRITES)
    async def test_late_but_not_replaced(self, store: SqlStore, clock: HeldClock, name: str) -> None:
        """A lease that has run out while nobody else came still counts: no work is thrown away."""
        await store.inbox.accept(mail())
        lease = await leased(store)
        leased_case = store.jobs.open(lease)
        await leased_case.ledger.intend(effect(lease.case))
        await clock.sleep(3600)

        await WRITES[name](store, leased_case, lease)


async def everything(store: SqlStore, lease: Lease) -> tuple[object, ...]:
    """All that a write about a case could change."""
    leased_case = store.jobs.open(next_lease(lease))
    return (
        await store.archive.report(lease.case),
        await store.archive.counts(),
        await store.jobs.next_due(),
        await leased_case.ledger.highest("OPS"),
        await leased_case.threads.thread_ticket(["1@example.com"]),
        await leased_case.journal.opening("case-1/1"),
        await leased_case.journal.turn("case-1/1", 1),
        await leased_case.journal.result("case-1/1", "call-1"),
    )

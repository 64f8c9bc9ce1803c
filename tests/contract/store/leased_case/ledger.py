"""What every `Ledger` must do."""

from dataclasses import replace

import pytest

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import Marks, effect, next_lease, opened, settled
from tests.contract.store.store_tickets import ticket
from triage.domain.effects import EffectState, Reports
from triage.domain.errors import Paused
from triage.domain.ports import LeasedCase


class LedgerContract:
    """Effects are intended once."""

    async def test_intend_once(self, store: SqlStore, marks: Marks) -> None:
        """An intent is kept once; where the key is known, the row as it stands comes back."""
        leased_case = await opened(store)
        first = effect(leased_case.lease.case)
        assert first == await leased_case.ledger.intend(first)
        assert marks.seen[-1] == "effect.intent"
        done = settled(first)
        await leased_case.ledger.settle(done)

        assert done == await leased_case.ledger.intend(first)
        assert (done,) == await leased_case.ledger.effects()

    async def test_settle(self, store: SqlStore, marks: Marks) -> None:
        """What became of an effect is kept; only a done one is a landmark."""
        leased_case = await opened(store)
        intent = await leased_case.ledger.intend(effect(leased_case.lease.case))
        marks.seen.clear()

        for state in (EffectState.UNKNOWN, EffectState.REFUSED):
            await leased_case.ledger.settle(settled(intent, state))
            assert state == (await leased_case.ledger.effects())[0].state
        assert marks.seen == []
        await leased_case.ledger.settle(settled(intent))

        assert (settled(intent),) == await leased_case.ledger.effects()
        assert marks.seen == ["effect.committed"]

    async def test_settle_what_was_never_intended(self, store: SqlStore) -> None:
        """An effect without an intent is a mistake of ours, not a silent nothing."""
        leased_case = await opened(store)

        with pytest.raises(LookupError, match="never intended"):
            await leased_case.ledger.settle(effect(leased_case.lease.case))

    async def test_made_tickets_are_stored_with_the_next_write(self, store: SqlStore) -> None:
        """A ticket that a case has created is found as soon as the case's next write is committed, and not before; told twice, it is one."""
        leased_case, made = await opened(store), ticket(9, "Export fails")
        await leased_case.ledger.made([made])
        await leased_case.ledger.made([made])
        assert await store.tickets.tickets(["OPS-9"]) == ()
        await leased_case.cases.flush()

        assert await store.tickets.tickets(["OPS-9"]) == (made,)
        assert await store.tickets.last_change("OPS") == 1

    async def test_made_tickets_outlive_a_lost_write(self, store: SqlStore) -> None:
        """A write that fails stores no ticket; the one that is tried after it does."""
        leased_case, made = await opened(store), ticket(9, "Export fails")
        await leased_case.ledger.made([made])
        await store.kill_switch.pause("Ada", "a storm")
        with pytest.raises(Paused):
            await leased_case.ledger.intend(effect(leased_case.lease.case))
        assert await store.tickets.tickets(["OPS-9"]) == ()
        await leased_case.cases.flush()

        assert await store.tickets.tickets(["OPS-9"]) == (made,)

    async def test_effects_follow_writes(self, store: SqlStore) -> None:
        """Who has looked at the effects sees each later write of his, as the store holds it."""
        leased_case, other = await opened(store, 1), await opened(store, 2)
        mine, theirs = effect(leased_case.lease.case), effect(other.lease.case)
        await other.ledger.intend(theirs)
        assert await leased_case.ledger.effects() == ()
        for one in (mine, theirs):
            await leased_case.ledger.intend(one)
        await leased_case.ledger.settle(settled(mine))
        stored = await store.jobs.open(next_lease(leased_case.lease)).ledger.effects()

        assert await leased_case.ledger.effects() == stored == (settled(mine),)

    async def test_effects_in_order(self, store: SqlStore) -> None:
        """Effects come in the order of their intents, those of other cases apart."""
        leased_case, other = await opened(store, 1), await opened(store, 2)
        for number in (3, 1, 2):
            await leased_case.ledger.intend(effect(leased_case.lease.case, number))
            await other.ledger.intend(effect(other.lease.case, number))

        assert [e.key for e in await leased_case.ledger.effects()] == [
            "case-1:create:3",
            "case-1:create:1",
            "case-1:create:2",
        ]

    async def test_a_file_is_known_by_its_hash(self, store: SqlStore) -> None:
        """Whichever case hung it there; on another ticket, or only intended, it is not there."""
        leased_case, other = await opened(store, 1), await opened(store, 2)
        file = replace(effect(leased_case.lease.case), kind="attach", target="OPS-7", body_hash="f00d")
        await leased_case.ledger.intend(file)
        assert not await other.ledger.attached("OPS-7", "f00d")

        await leased_case.ledger.settle(settled(file))

        assert await other.ledger.attached("OPS-7", "f00d")
        assert not await other.ledger.attached("OPS-8", "f00d")
        assert not await other.ledger.attached("OPS-7", "beef")

    async def test_highest(self, store: SqlStore) -> None:
        """The highest ticket number of a project only rises, whichever case saw it."""
        leased_case, other = await opened(store, 1), await opened(store, 2)
        assert await leased_case.ledger.highest("OPS") == 0

        for number in (41, 44, 43):
            await leased_case.ledger.saw("OPS", number)
        await other.ledger.saw("WEB", 7)
        await leased_case.cases.flush()
        await other.cases.flush()

        assert (await other.ledger.highest("OPS"), await leased_case.ledger.highest("WEB")) == (44, 7)

    async def test_reports_on_a_ticket(self, store: SqlStore) -> None:
        """Comments that stand alone, mails that one comment collects, by sender, and who writes that comment."""
        one, two, three = [await opened(store, number) for number in (1, 2, 3)]
        bare = await three.ledger.reports("OPS-7")
        for case, kind, end in (
            (one, "comment", "1"), (one, "report", "1"), (two, "report", "1"), (three, "report", "1"),
        ):  # fmt: skip
            await _done(case, kind, end)
        before = await three.ledger.reports("OPS-7")
        first = await one.ledger.reports("OPS-7")
        await _done(one, "comment", "reports", result="42")
        after = await three.ledger.reports("OPS-7")

        assert bare == Reports()
        assert (before.comments, before.count, before.different, before.comment, before.writer) == (
            1,
            3,
            1,
            "",
            "case-1",
        )
        assert [(count, last) for _, count, last in before.senders] == [(3, "case-3")]
        assert (first.comments, first.writer) == (0, None)
        assert (after.comments, after.comment, after.writer) == (1, "42", None)
        assert (await three.ledger.reports("OPS-8")).count == 0


async def _done(case: LeasedCase, kind: str, end: str, result: str = "") -> None:
    """An effect of this kind on OPS-7."""
    key = f"{case.lease.case}:{kind}:OPS-7:{end}"
    row = replace(effect(case.lease.case), key=key, kind=kind, target="OPS-7")
    await case.ledger.intend(row)
    await case.ledger.settle(replace(settled(row), result=result))

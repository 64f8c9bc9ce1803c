"""What every `CaseApprovals`, `Decisions` and `KillSwitch` must do."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import (
    HOSTILE,
    HOUR,
    HeldClock,
    approval,
    due,
    effect,
    opened,
    step,
)
from triage.domain.approvals import MERGE, AnswerDetails, Approval, ApprovalState
from triage.domain.cases import Outcome
from triage.domain.errors import ApprovalClosed, Paused


class CaseApprovalsContract:
    """What a case asks people."""

    async def test_a_case_knows_what_it_has_parked(self, store: SqlStore) -> None:
        """Its own only, in order, with what was decided."""
        leased_case, other = await opened(store), await opened(store, 2)
        first, second = (
            await leased_case.approvals.park(approval("case-1")),
            await leased_case.approvals.park(approval("case-1", "x")),
        )
        await other.approvals.park(approval("case-2"))
        decided = await store.decisions.decide(first.id, ApprovalState.ACCEPTED, "ada")

        assert await leased_case.approvals.approvals() == (decided, second)

    async def test_a_merged_ticket_leads_to_its_survivor(self, store: SqlStore) -> None:
        """Over several merges, not over one that was taken back, and nowhere in a circle."""
        leased_case, made = await opened(store), []
        for gone, stays in (("OPS-1", "OPS-2"), ("OPS-2", "OPS-3"), ("OPS-8", "OPS-9"), ("OPS-9", "OPS-8")):
            order = replace(approval("case-1", gone), tool=MERGE, state=ApprovalState.ACCEPTED, by="ada")
            made.append(await store.decisions.order(replace(order, ticket=gone, becomes=stays)))
        over = [await leased_case.history.survivor(key) for key in ("OPS-1", "OPS-3", "OPS-8")]
        await leased_case.approvals.void(made[1].id)

        assert over == ["OPS-3", "OPS-3", "OPS-8"]
        assert await leased_case.history.survivor("OPS-1") == "OPS-2"

    async def test_park_once(self, store: SqlStore) -> None:
        """The same call of the same case waits once; other arguments or another case wait apart."""
        leased_case, other = await opened(store, 1), await opened(store, 2)

        parked = await leased_case.approvals.park(approval("case-1"))
        assert parked == await leased_case.approvals.park(approval("case-1"))
        longer = await leased_case.approvals.park(approval("case-1", "x" * 10_000))
        third = await other.approvals.park(approval("case-2"))

        assert (parked, longer, third) == await store.archive.approvals()
        assert len({parked.id, longer.id, third.id}) == 3
        assert (parked.case, parked.arguments) == ("case-1", '{"ticket_key":"OPS-7"}')

    @pytest.mark.parametrize("end", ["finish", "dead_letter", None])
    async def test_a_decision_is_a_job(self, store: SqlStore, clock: HeldClock, end: str | None) -> None:
        """Its case is due in the same commit; one that a worker has at the time is due once that one is done with it."""
        leased_case = await opened(store)
        lease = leased_case.lease
        parked = await leased_case.approvals.park(approval(lease.case))
        if end is None:
            await store.jobs.open(lease).cases.finish()

        await store.decisions.decide(parked.id, ApprovalState.ACCEPTED, "ada")

        if end is not None:
            assert await due(store, clock) == ()
            await (
                store.jobs.open(lease).cases.finish() if end == "finish" else store.jobs.dead_letter(lease, "broken")
            )
        assert await due(store, clock) == (lease.case,)
        again = await store.jobs.lease_case(lease.case, "w", 60)
        assert again is not None
        assert again.attempts == 1
        await store.jobs.open(again).cases.finish()
        await clock.sleep(60)
        assert await due(store, clock) == ()

    async def test_a_decision_frees_those_it_stands_for(self, store: SqlStore, clock: HeldClock) -> None:
        """The case of a proposal that has given way to the decided one is due, too."""
        books = [await opened(store, number) for number in (1, 2, 3)]
        for number, leased_case in enumerate(books[:2], 1):
            wanted = replace(approval(f"case-{number}", f"status {number}"), ticket="OPS-7", field="status")
            parked = await leased_case.approvals.park(wanted)
        for leased_case in books:
            await store.jobs.open(leased_case.lease).cases.finish()

        await store.decisions.decide(parked.id, ApprovalState.REJECTED, "ada")

        assert await due(store, clock) == ("case-1", "case-2")

    async def test_a_later_proposal_supersedes(self, store: SqlStore) -> None:
        """For one field of one ticket the latest stands and the older ones name it; other fields and comments stay."""
        books = [await opened(store, number) for number in (1, 2, 3)]

        def wanted(number: int, field: str, becomes: str, ticket: str = "OPS-7") -> Approval:
            about = {
                "ticket": ticket,
                "field": field,
                "was": "To Do",
                "becomes": becomes,
                "sender": "Ada",
                "trust": "weak",
            }
            return replace(approval(f"case-{number}", f"{field} {becomes} {ticket}"), **about)  # type: ignore[arg-type] # texts all

        first = await books[0].approvals.park(wanted(1, "status", "Done"))
        beside = [
            await books[0].approvals.park(wanted(1, "comment", "a")),
            await books[1].approvals.park(wanted(2, "comment", "b")),
            await books[1].approvals.park(wanted(2, "summary", "b")),
            await books[1].approvals.park(wanted(2, "status", "Done", "OPS-8")),
        ]
        second = await books[1].approvals.park(wanted(2, "status", "In Review"))
        third = await books[2].approvals.park(wanted(3, "status", "Done"))

        assert await store.archive.approvals() == (*beside, third)
        [gone] = [one for one in await books[0].approvals.approvals() if one.field == "status"]
        assert gone == replace(
            first, state=ApprovalState.SUPERSEDED, superseded_by=third.id, successor=ApprovalState.OPEN
        )
        assert (await store.archive.report("case-1")).approvals[0] == gone
        assert [one.id for one in await store.decisions.superseded(third.id)] == [first.id, second.id]
        assert await store.decisions.superseded(second.id) == ()
        with pytest.raises(ApprovalClosed):
            await store.decisions.decide(first.id, ApprovalState.ACCEPTED, "ada")
        assert await books[0].approvals.park(wanted(1, "status", "Done")) == first
        assert [one.id for one in await store.decisions.superseded(first.id)] == [second.id, third.id]
        await store.decisions.decide(first.id, ApprovalState.ACCEPTED, "ada")
        [released] = [one for one in await books[2].approvals.approvals() if one.field == "status"]
        assert (released.superseded_by, released.successor) == (first.id, ApprovalState.ACCEPTED)
        assert (await books[2].approvals.park(wanted(3, "status", "Done"))).state is ApprovalState.OPEN
        assert (await books[0].approvals.park(wanted(1, "status", "Done"))).state is ApprovalState.ACCEPTED

    async def test_void(self, store: SqlStore) -> None:
        """Only what is accepted can be overtaken, and only by its own case."""
        leased_case, other = await opened(store), await opened(store, 2)
        first = await leased_case.approvals.park(approval("case-1"))
        second = await leased_case.approvals.park(approval("case-1", "x"))
        await store.decisions.decide(first.id, ApprovalState.ACCEPTED, "ada")

        await other.approvals.void(first.id)
        await leased_case.approvals.void(second.id)
        before = [one.state for one in await leased_case.approvals.approvals()]
        await leased_case.approvals.void(first.id)

        assert before == [ApprovalState.ACCEPTED, ApprovalState.OPEN]
        assert [one.state for one in await leased_case.approvals.approvals()] == [
            ApprovalState.VOID,
            ApprovalState.OPEN,
        ]

    async def test_a_newer_mail_of_the_thread(self, store: SqlStore) -> None:
        """The latest later case of the same thread; earlier ones, ignored ones and those of no thread are none."""
        books = [await opened(store, number) for number in range(1, 6)]
        lanes = ("<a@x>", "<a@x>", "<b@x>", "", "<a@x>")
        for book, lane in zip(books, lanes, strict=True):
            case = await book.cases.load()
            outcome = Outcome.IGNORED if book is books[4] else None
            threaded = replace(case, identity=replace(case.identity, thread_key=lane), outcome=outcome)
            await book.cases.save(threaded, step())

        assert [await book.approvals.newer_mail() for book in books] == ["case-2", None, None, None, None]


class DecisionsContract:
    """What people answer."""

    async def test_decide_once(self, store: SqlStore) -> None:
        """One person's word counts, once."""
        leased_case = await opened(store)
        parked = await leased_case.approvals.park(approval(leased_case.lease.case))
        words = [store.decisions.decide(parked.id, ApprovalState.ACCEPTED, f"p{number}") for number in range(5)]

        said = await asyncio.gather(*words, return_exceptions=True)

        [decided] = [word for word in said if not isinstance(word, BaseException)]
        assert len([word for word in said if isinstance(word, ApprovalClosed)]) == 4
        assert (decided.state, decided.arguments) == (ApprovalState.ACCEPTED, parked.arguments)
        assert await store.archive.approvals() == ()
        assert (await store.archive.report(leased_case.lease.case)).approvals == (decided,)
        assert decided == await leased_case.approvals.park(approval(leased_case.lease.case))

    async def test_decide_what_nobody_asked(self, store: SqlStore) -> None:
        """There is nothing to decide where nothing waits."""
        with pytest.raises(ApprovalClosed, match="triage approve"):
            await store.decisions.decide(7, ApprovalState.REJECTED, "ada")

    async def test_it_tells_who_was_first(self, store: SqlStore) -> None:
        """Whoever comes too late is told what became of it and by whom."""
        leased_case = await opened(store)
        parked = await leased_case.approvals.park(approval(leased_case.lease.case))
        await store.decisions.decide(parked.id, ApprovalState.REJECTED, "ada")

        with pytest.raises(ApprovalClosed, match="state=rejected, by=ada"):
            await store.decisions.decide(parked.id, ApprovalState.ACCEPTED, "bo")
        assert (await store.archive.approval(parked.id)).by == "ada"
        with pytest.raises(ApprovalClosed):
            await store.archive.approval(parked.id + 1)

    async def test_two_people(self, store: SqlStore, second_store: SqlStore) -> None:
        """Votes of two processes at one moment both count, for the same bytes; the second one closes it."""
        leased_case = await opened(store)
        parked = await leased_case.approvals.park(approval(leased_case.lease.case))
        two = AnswerDetails(eyes=2, shown=parked.hash)

        said = await asyncio.gather(
            store.decisions.decide(parked.id, ApprovalState.ACCEPTED, "ada", two),
            second_store.decisions.decide(parked.id, ApprovalState.ACCEPTED, "bo", two),
        )

        assert sorted(one.state for one in said) == [ApprovalState.ACCEPTED, ApprovalState.OPEN]
        assert set((await store.archive.approval(parked.id)).votes) == {"ada", "bo"}

    async def test_an_edit_keeps_the_original(self, store: SqlStore) -> None:
        """And it makes another hash, to which the decision is bound."""
        leased_case = await opened(store)
        parked = await leased_case.approvals.park(approval(leased_case.lease.case))
        edited = AnswerDetails(edited='{"ticket_key":"OPS-8"}', instruction=HOSTILE)

        decided = await store.decisions.decide(parked.id, ApprovalState.ACCEPTED, "ada", edited)

        assert (decided.arguments, decided.edited) == (parked.arguments, edited.edited)
        assert decided.bound == decided.hash != parked.hash
        assert await leased_case.approvals.approvals() == (decided,)

    async def test_an_order(self, store: SqlStore, clock: HeldClock) -> None:
        """What a person wants unasked is accepted at birth, once, with its case due."""
        leased_case = await opened(store)
        await store.jobs.open(leased_case.lease).cases.finish()
        wish = replace(approval("case-1"), tool="undo", state=ApprovalState.ACCEPTED, by="ada")

        ordered = await store.decisions.order(wish)
        assert (ordered.state, ordered.by, ordered.bound) == (ApprovalState.ACCEPTED, "ada", wish.hash)
        assert await due(store, clock) == ("case-1",)
        assert await store.decisions.order(replace(wish, by="bo")) == ordered
        assert await leased_case.approvals.approvals() == (ordered,)

    async def test_it_expires(self, store: SqlStore, clock: HeldClock) -> None:
        """Once, with its case due. What has no end waits for ever."""
        leased_case = await opened(store)
        for_ever = await leased_case.approvals.park(approval("case-1"))
        ends = replace(approval("case-1", "ends"), expires_at=clock.now() + timedelta(hours=72))
        parked = await leased_case.approvals.park(ends)
        await store.jobs.open(leased_case.lease).cases.finish()

        await clock.sleep(71.5 * HOUR)
        assert await store.decisions.expire() == ()
        await clock.sleep(HOUR)
        with pytest.raises(ApprovalClosed, match="expired"):
            await store.decisions.decide(parked.id, ApprovalState.ACCEPTED, "ada")
        assert [(one.id, one.state) for one in await store.decisions.expire()] == [(parked.id, ApprovalState.EXPIRED)]
        assert await due(store, clock) == ("case-1",)
        assert (await store.decisions.expire(), await store.archive.approvals()) == ((), (for_ever,))


class KillSwitchContract:
    """What stops all writing."""

    async def test_nothing_is_intended_while_paused(
        self, store: SqlStore, second_store: SqlStore, clock: HeldClock
    ) -> None:
        """The commit before each write refuses, in every process; the row of an earlier intent stays as it was."""
        leased_case = await opened(store)
        before = await leased_case.ledger.intend(effect("case-1"))
        pause = await second_store.kill_switch.pause("ada", "it writes nonsense")

        with pytest.raises(Paused, match="by=ada, why=it writes nonsense"):
            await leased_case.ledger.intend(replace(before, key="case-1:create:2"))
        with pytest.raises(Paused):
            await leased_case.ledger.intend(before)
        assert await leased_case.ledger.effects() == (before,)
        await clock.sleep(1)
        assert await store.kill_switch.pause("bo", "") == pause == await store.kill_switch.paused()
        assert (await store.kill_switch.resume(), await store.kill_switch.resume()) == (pause, None)
        assert await leased_case.ledger.intend(before) == before

    async def test_what_waited_is_due(self, store: SqlStore, clock: HeldClock) -> None:
        """The end of a pause wakes the cases that it had stopped, and no others."""
        first, second = await opened(store, 1), await opened(store, 2)
        await store.kill_switch.pause("ada", "")
        await store.jobs.postpone(first.lease, 300, str(Paused("ada")), counted=False)
        await store.jobs.postpone(second.lease, 300, "Jira did not answer", counted=False)

        await store.kill_switch.resume()

        assert await due(store, clock) == ("case-1",)

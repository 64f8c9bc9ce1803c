"""What every `DeedLog` must do."""

from datetime import timedelta

from integrations.sql.store import SqlStore
from tests.contract.store.letters.queue import letter
from tests.contract.store.store_samples import MORNING, HeldClock, approval, effect, opened, settled
from triage.domain.approvals import ApprovalState, Correction
from triage.domain.effects import EffectState
from triage.domain.findings import Disposition
from triage.domain.operations.audit import AuditFilter
from triage.domain.ports import DeedLog


class DeedsContract:
    """Writes, letters, decisions and corrections as one list."""

    async def test_deeds(self, store: SqlStore, clock: HeldClock) -> None:
        """What Triage wrote and what people decided stand together, newest first; what has not happened yet does not."""
        log: DeedLog = store.deeds
        leased = await opened(store)
        await leased.ledger.settle(settled(await leased.ledger.intend(effect("case-1"))))
        await leased.ledger.intend(effect("case-1", 2))
        parked = [await leased.approvals.park(approval("case-1", arguments)) for arguments in ("x", "y")]
        await clock.sleep(1)
        await store.decisions.decide(parked[0].id, ApprovalState.REJECTED, "ada")
        await clock.sleep(1)
        await store.decisions.correct(Correction(case="case-1", disposition=Disposition.QUESTION, by="bea"))
        await clock.sleep(1)
        await store.letters.queue(letter())
        assert len(await log.deeds(AuditFilter(), 10)) == 3
        await store.letters.lease(60, per_minute=30)
        found = await log.deeds(AuditFilter(), 10)

        assert [(one.by, one.kind, one.state) for one in found] == [
            ("", "letter", "sending"),
            ("bea", "correction", "question"),
            ("ada", "approval", "rejected"),
            ("", effect("case-1").kind, "done"),
        ]
        assert {one.case for one in found} == {"case-1"}
        assert await log.deeds(AuditFilter(), 1, people=True) == found[1:2]
        assert await log.deeds(AuditFilter(), 10, people=True) == found[1:3]
        assert found[-1].ticket == settled(effect("case-1")).result
        assert await log.deeds(AuditFilter(), 2) == found[:2]
        assert await log.deeds(AuditFilter(since=MORNING + timedelta(seconds=1)), 10) == found[:3]
        assert await log.deeds(AuditFilter(until=MORNING + timedelta(seconds=1)), 10) == found[3:]
        assert await log.deeds(AuditFilter(case="case-2"), 10) == ()
        assert await log.deeds(AuditFilter(profile="jira"), 10) == ()

    async def test_a_refused_write_names_no_ticket(self, store: SqlStore) -> None:
        """A ticket that was not created has no key, and its state says so."""
        leased = await opened(store)
        intent = await leased.ledger.intend(effect("case-1"))
        await leased.ledger.settle(settled(intent, EffectState.REFUSED))
        (one,) = await store.deeds.deeds(AuditFilter(), 10)

        assert (one.ticket, one.state) == ("", "refused")

    async def test_a_change_of_the_installation(self, store: SqlStore, clock: HeldClock) -> None:
        """It stands among what people did, with its case if it has one, and outlives what it is about."""
        await opened(store)
        await store.deeds.record("role_changed", "ada", "bob@example.com, admin")
        await clock.sleep(1)
        await store.deeds.record("lesson_dropped", "bea", "not_for_us", "case-1")
        found = await store.deeds.deeds(AuditFilter(), 10, people=True)

        assert [(one.at, one.kind, one.state, one.by, one.detail, one.case) for one in found] == [
            (MORNING + timedelta(seconds=1), "lesson_dropped", "done", "bea", "not_for_us", "case-1"),
            (MORNING, "role_changed", "done", "ada", "bob@example.com, admin", ""),
        ]
        assert await store.deeds.deeds(AuditFilter(case="case-1"), 10) == found[:1]

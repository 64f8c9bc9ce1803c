"""What nobody decides ends."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from integrations.sql.store import open_store
from tests.contract.store.store_samples import HOUR, HeldClock, approval, due, opened
from triage.domain.approvals import ApprovalState
from triage.services.approvals.expiry import ApprovalExpiry


async def test_expired(tmp_path: Path) -> None:
    """The approval ends when its time is over, not before, and then the case is due, to end visibly."""
    clock = HeldClock()
    store = await open_store(f"sqlite:///{tmp_path / 'triage.db'}", clock)
    expiry = ApprovalExpiry(decisions=store.decisions, clock=clock)
    leased = await opened(store)
    ends = clock.now() + timedelta(hours=72)
    parked = await leased.approvals.park(replace(approval("case-1"), expires_at=ends, ticket="OPS-7", field="status"))
    await store.jobs.finish(leased.lease)

    await clock.sleep(71 * HOUR)
    await expiry.look()
    before = (await store.archive.approval(parked.id)).state
    await clock.sleep(2 * HOUR)
    await expiry.look()

    assert before is ApprovalState.OPEN
    assert (await store.archive.approval(parked.id)).state is ApprovalState.EXPIRED
    assert await due(store, clock) == ("case-1",)
    await store.close()

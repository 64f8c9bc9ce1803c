"""What nobody decides ends, and people are reminded before."""

from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

from integrations.sql.store import open_store
from tests.contract.store.store_samples import HOUR, HeldClock, approval, due, opened
from triage.config.autonomy.approvals import ApprovalRules
from triage.domain.approvals import ApprovalState
from triage.domain.channels.notices import Bulletin
from triage.services.approvals.expiry import ApprovalExpiry
from triage.services.channels.notices import Notices


@dataclass
class Heard:
    """A channel that remembers."""

    name: str = "heard"
    said: list[Bulletin] = field(default_factory=list)

    async def send(self, bulletin: Bulletin) -> None:
        """Here."""
        self.said.append(bulletin)


async def test_reminded_then_expired(tmp_path: Path) -> None:
    """One reminder before the end, and then the case is due, to end visibly."""
    clock, channel = HeldClock(), Heard()
    store = await open_store(f"sqlite:///{tmp_path / 'triage.db'}", clock)
    notices = Notices(store=store.notices, clock=clock, channels=(channel,))
    expiry = ApprovalExpiry(decisions=store.decisions, notices=notices, clock=clock, rules=ApprovalRules)
    leased = await opened(store)
    ends = clock.now() + timedelta(hours=72)
    parked = await leased.approvals.park(replace(approval("case-1"), expires_at=ends, ticket="OPS-7", field="status"))
    await store.jobs.finish(leased.lease)

    await expiry.look()
    await clock.sleep(61 * HOUR)
    await expiry.look()
    await expiry.look()
    await notices.send_due()
    await clock.sleep(12 * HOUR)
    await expiry.look()

    [told] = channel.said
    assert "No. 1 expires at 2026-11-23 09:00 UTC" in told.body
    assert (await store.archive.approval(parked.id)).state is ApprovalState.EXPIRED
    assert await due(store, clock) == ("case-1",)
    await store.close()


async def test_reminded_by_the_rules_of_now(tmp_path: Path) -> None:
    """A changed `remind_hours` counts at the next look, without a restart."""
    clock, channel, rules = HeldClock(), Heard(), [ApprovalRules()]
    store = await open_store(f"sqlite:///{tmp_path / 'triage.db'}", clock)
    notices = Notices(store=store.notices, clock=clock, channels=(channel,))
    expiry = ApprovalExpiry(decisions=store.decisions, notices=notices, clock=clock, rules=lambda: rules[-1])
    leased = await opened(store)
    await leased.approvals.park(replace(approval("case-1"), expires_at=clock.now() + timedelta(hours=72)))

    await expiry.look()
    await notices.send_due()
    before = len(channel.said)
    rules.append(ApprovalRules(remind_hours=80))
    await expiry.look()
    await notices.send_due()

    assert (before, len(channel.said)) == (0, 1)
    await store.close()

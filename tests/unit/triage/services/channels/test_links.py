"""Links decide once, as they were shown, by whom they name, until they expire; whatever else is refused and noted."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from integrations.sql.store import SqlStore, open_store
from tests.contract.store.store_samples import HeldClock, approval, opened
from tests.database import migrated
from tests.unit.triage.services.channels.test_notices import Channel
from tests.unit.triage.services.test_approvals import service
from triage.config.autonomy.approvals import ApprovalRules, ApproverRules
from triage.domain.approvals import Approval, ApprovalState, Approver
from triage.domain.channels.errors import LinkBusy, LinkExpired, LinkInvalid, LinkUsed
from triage.domain.errors import ApprovalClosed, Moved, NotAnApprover
from triage.policy.channels.signed_links import LinkAnswer
from triage.services.approvals import ApprovalService
from triage.services.channels.links import ApprovalLinks
from triage.services.channels.notices import Notices

ADA = "ada@example.org"


@dataclass
class Door:
    """Links over a real store."""

    store: SqlStore
    clock: HeldClock
    channel: Channel
    links: ApprovalLinks

    async def waits(self, number: int = 1) -> Approval:
        """Something that waits for a person."""
        leased = await opened(self.store, number)
        await leased.approvals.park(approval(leased.lease.case, f'{{"ticket_key":"OPS-{number}"}}'))
        return (await self.store.archive.approvals())[-1]

    def token(self, waiting: Approval, answer: LinkAnswer = LinkAnswer.YES, person: str = ADA) -> str:
        """What stands in the link."""
        return self.links.link(waiting, answer, person).partition("/approve/")[2]


@pytest.fixture
async def door(tmp_path: Path) -> AsyncIterator[Door]:
    """One approver, Ada; four eyes for letters."""
    clock, channel = HeldClock(), Channel()
    store = await open_store(f"sqlite:///{migrated(tmp_path / 'triage.db')}", clock)
    approvals = service(store, ApprovalRules(approvers=ApproverRules(people=frozenset({ADA}))))
    links = ApprovalLinks(
        approvals=approvals,
        commands=store.ticket_notes,
        notices=Notices(store=store.notices, clock=clock, channels=(channel,)),
        clock=clock,
        secret=b"k" * 32,
        address="https://triage.example.org",
    )
    yield Door(store, clock, channel, links)
    await store.close()


async def test_a_link_decides_once(door: Door) -> None:
    """Looking at it decides nothing; the second use is refused and told."""
    token = door.token(await door.waits())
    offers = [await door.links.offer(token) for _ in range(3)]
    decided = await door.links.decide(token)
    with pytest.raises(LinkUsed):
        await door.links.decide(token)
    await door.links.notices.send_due()

    assert [one.approval.state for one in offers] == [ApprovalState.OPEN] * 3
    assert (decided.state, decided.by) == (ApprovalState.ACCEPTED, ADA)
    assert [one.title for one in door.channel.taken] == ["Triage: link refused"]


async def test_no(door: Door) -> None:
    """The other link rejects; then the first one says that somebody has decided."""
    waiting = await door.waits()
    decided = await door.links.decide(door.token(waiting, LinkAnswer.NO))

    assert decided.state is ApprovalState.REJECTED
    with pytest.raises(ApprovalClosed):
        await door.links.decide(door.token(waiting))


async def test_forged(door: Door) -> None:
    """A token of another key, of another approval or none at all is refused; people hear of it once a day."""
    waiting, other = await door.waits(1), await door.waits(2)
    mine, theirs = door.token(waiting), door.token(other)
    for token in (mine.partition(".")[0] + "." + theirs.partition(".")[2], "", "nonsense", mine + "x"):
        with pytest.raises(LinkInvalid):
            await door.links.decide(token)
        with pytest.raises(LinkInvalid):
            await door.links.offer(token)
    await door.links.notices.send_due()

    assert [one.id for one in await door.store.archive.approvals()] == [waiting.id, other.id]
    assert len(door.channel.taken) == 1


async def test_expired(door: Door) -> None:
    """After its time a link decides nothing."""
    token = door.token(await door.waits())
    await door.clock.sleep(3 * 86_400)

    with pytest.raises(LinkExpired):
        await door.links.offer(token)
    with pytest.raises(LinkExpired):
        await door.links.decide(token)


async def test_another_person(door: Door) -> None:
    """A link decides in the name that it was made for: of somebody who is no approver any more it decides nothing."""
    waiting = await door.waits()

    with pytest.raises(NotAnApprover):
        await door.links.decide(door.token(waiting, person="eve@example.org"))
    assert (await door.links.approvals.get(waiting.id)).state is ApprovalState.OPEN


async def test_what_was_shown(door: Door) -> None:
    """A link about other bytes than those that wait now is refused."""
    waiting = await door.waits()
    other = Approval(**{**{name: getattr(waiting, name) for name in waiting.__slots__}, "arguments": "{}"})

    with pytest.raises(Moved):
        await door.links.decide(door.token(other))


async def test_two_at_once(door: Door) -> None:
    """Of two uses at the same moment one waits for the other."""
    token = door.token(await door.waits())
    decide = door.links.approvals.accept

    async def slow(number: int, who: Approver, *, shown: str = "") -> Approval:
        with pytest.raises(LinkBusy):
            await door.links.decide(token)
        return await decide(number, who, shown=shown)

    object.__setattr__(door.links, "approvals", _Slow(door.links.approvals, slow))
    assert (await door.links.decide(token)).state is ApprovalState.ACCEPTED


class _Slow:
    """The service, whose `accept` is interrupted."""

    def __init__(self, service: ApprovalService, accept: object) -> None:
        self.get = service.get
        self.accept = accept

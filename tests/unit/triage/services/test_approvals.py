"""Every door decides by the same service, over a real store."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from integrations.local_notifier import LocalNotifier
from integrations.sql.store import SqlStore, open_store
from tests.contract.store.store_samples import HOUR, HeldClock, approval, due, opened
from tests.database import migrated
from triage.config.autonomy.approvals import ApprovalRules, ApproverRules
from triage.domain.approvals import Approval, ApprovalState, Approver, ApproverProof
from triage.domain.cases import Case
from triage.domain.conversation import Json
from triage.domain.errors import ApprovalClosed, Moved, NotAnApprover, OwnMail, ReworkSpent
from triage.services.approvals import ApprovalService, with_address

SHELL = Approver(name="root", proof=ApproverProof.SHELL)
ADA = Approver(name="Ada", proof=ApproverProof.MAIL, address="ada@example.com")
BO = Approver(name="Bo", proof=ApproverProof.JIRA, account="acc-bo")
EVE = Approver(name="Ada", proof=ApproverProof.MAIL, address="eve@evil.example")
RULES = ApprovalRules(
    approvers=ApproverRules(people=frozenset({"ada@example.com"}), groups=("leads",)),
    four_eyes=frozenset({"letter"}),
    rework=1,
)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqlStore]:
    """A store with nothing in it."""
    store = await open_store(f"sqlite:///{migrated(tmp_path / 'triage.db')}", HeldClock())
    yield store
    await store.close()


async def changed(_: Case, about: Approval, changes: Mapping[str, Json]) -> str:
    """The arguments of the test, as a person changed them."""
    return f"{about.arguments}{sorted(changes)}"


async def leads() -> frozenset[str]:
    """The members of the group."""
    return frozenset({"acc-bo"})


def service(store: SqlStore, rules: ApprovalRules = RULES) -> ApprovalService:
    """The service over this store."""
    return ApprovalService(
        archive=store.archive,
        decisions=store.decisions,
        kill_switch=store.kill_switch,
        deeds=store.deeds,
        letters=store.letters,
        notifier=LocalNotifier(),
        edit_arguments=changed,
        rules=lambda: rules,
        members=leads,
    )


async def waiting(store: SqlStore, **more: object) -> Approval:
    """A parked call."""
    leased = await opened(store)
    wanted = replace(approval(leased.lease.case), **more)  # type: ignore[arg-type] # fields of the noun
    parked = await leased.approvals.park(wanted)
    await store.jobs.open(leased.lease).cases.finish()
    return parked


async def test_accept(store: SqlStore) -> None:
    """What was shown is accepted, by a group's member too; whoever comes later is told by whom."""
    parked = await waiting(store)
    desk = service(store)

    decided = await desk.accept(parked.id, BO, shown=parked.hash)

    assert (decided.state, decided.by, decided.bound) == (ApprovalState.ACCEPTED, "acc-bo", parked.hash)
    assert (await desk.get(parked.id), await store.archive.approvals()) == (decided, ())
    with pytest.raises(ApprovalClosed, match="state=accepted, by=acc-bo"):
        await desk.ignore(parked.id, SHELL)


@pytest.mark.parametrize("who", [EVE, Approver(name="Bo", proof=ApproverProof.JIRA, account="acc-customer")])
async def test_a_stranger_decides_nothing(store: SqlStore, who: Approver) -> None:
    """Neither about a proposal nor about the bot; the proposal still waits."""
    parked = await waiting(store)
    desk = service(store)

    for attempt in (
        desk.accept(parked.id, who),
        desk.edit(parked.id, {}, who),
        desk.respond(parked.id, "do more", who),
        desk.ignore(parked.id, who),
        desk.pause(who),
        desk.resume(who),
    ):
        with pytest.raises(NotAnApprover):
            await attempt
    assert await store.archive.approvals() == (parked,)


async def test_nobody_approves_his_own_mail(store: SqlStore) -> None:
    """An approver who wrote the mail is refused, also where the tracker knows his address and he has proven an account."""
    parked = await waiting(store, sender="Ada Byron <Ada@Example.com>")

    async def from_the_tracker(who: Approver) -> Approver:
        return with_address(who, "ada@example.com")

    with pytest.raises(OwnMail):
        await service(store).accept(parked.id, ADA)
    with pytest.raises(OwnMail):
        await replace(service(store), known=from_the_tracker).ignore(parked.id, BO)
    assert (await service(store).accept(parked.id, SHELL)).by == "root"


async def test_what_was_not_shown_is_not_accepted(store: SqlStore) -> None:
    """A decision is bound to the bytes that were shown."""
    parked = await waiting(store)

    with pytest.raises(Moved):
        await service(store).accept(parked.id, SHELL, shown="0" * 64)
    assert await store.archive.approvals() == (parked,)


async def test_edit(store: SqlStore) -> None:
    """What a person changed is what runs; the original is kept, and the decision is bound to the new bytes."""
    parked = await waiting(store)

    decided = await service(store).edit(parked.id, {"subject": "x"}, ADA)

    assert (decided.arguments, decided.edited) == (parked.arguments, f"{parked.arguments}['subject']")
    assert decided.exact == decided.edited
    assert decided.bound == decided.hash != parked.hash


async def test_four_eyes(store: SqlStore) -> None:
    """Two people accept the same bytes: one alone counts once, and an edit begins anew."""
    parked = await waiting(store, effect="letter")
    desk = service(store)

    first = await desk.accept(parked.id, ADA)
    again = await desk.accept(parked.id, ADA)
    assert (first.state, first.votes, again.votes) == (ApprovalState.OPEN, ("ada@example.com",), first.votes)
    edited = await desk.edit(parked.id, {"body": "x"}, BO)
    assert (edited.state, edited.votes) == (ApprovalState.OPEN, ("acc-bo",))
    with pytest.raises(Moved):
        await desk.accept(parked.id, ADA, shown=parked.hash)
    done = await desk.accept(parked.id, ADA, shown=edited.hash)
    assert (done.state, done.votes, done.by) == (
        ApprovalState.ACCEPTED,
        ("acc-bo", "ada@example.com"),
        "ada@example.com",
    )


async def test_respond_is_bounded(store: SqlStore) -> None:
    """An instruction answers the proposal; after so many in a row it has to be accepted, edited or rejected."""
    parked = await waiting(store)
    answered = await service(store).respond(parked.id, " ask for the version ", ADA)
    assert (answered.state, answered.instruction) == (ApprovalState.ANSWERED, "ask for the version")

    late = await waiting(store, rework=1, arguments="{}")
    with pytest.raises(ReworkSpent):
        await service(store).respond(late.id, "again", ADA)
    assert (await service(store).ignore(late.id, ADA)).state is ApprovalState.REJECTED


async def test_pause_and_resume(store: SqlStore) -> None:
    """The first pause stands until somebody ends it."""
    desk = service(store)

    stopped = await desk.pause(ADA, "it writes nonsense")
    assert await desk.pause(SHELL, "me too") == stopped == await store.kill_switch.paused()
    assert (stopped.by, stopped.why) == ("ada@example.com", "it writes nonsense")
    assert await desk.resume(SHELL) == stopped
    assert (await store.kill_switch.paused(), await desk.resume(SHELL)) == (None, None)


async def test_eight_at_once(store: SqlStore) -> None:
    """Of eight who accept and reject at the same moment one wins, and all others are told what it is."""
    parked = await waiting(store)
    desk = service(store)
    words = [
        (desk.accept if n % 2 else desk.ignore)(parked.id, Approver(name=f"p{n}", proof=ApproverProof.SHELL))
        for n in range(8)
    ]

    said = await asyncio.gather(*words, return_exceptions=True)

    [won] = [word for word in said if isinstance(word, Approval)]
    closed = [word for word in said if isinstance(word, ApprovalClosed)]
    assert len(closed) == 7
    assert {(word.state, word.by) for word in closed} == {(won.state, won.by)}


async def test_late(store: SqlStore) -> None:
    """What has expired cannot be accepted, even before anybody has noticed."""
    parked = await waiting(store, expires_at=HeldClock().now() - timedelta(seconds=1))

    with pytest.raises(ApprovalClosed, match="expired"):
        await service(store).accept(parked.id, SHELL)


async def test_what_nobody_decides_ends(store: SqlStore) -> None:
    """The approval ends when its time is over, not before, and then the case is due, to end visibly."""
    clock = store.clock
    parked = await waiting(store, expires_at=clock.now() + timedelta(hours=72), ticket="OPS-7", field="status")
    desk = service(store)

    await clock.sleep(71 * HOUR)
    await desk.expire()
    before = (await store.archive.approval(parked.id)).state
    await clock.sleep(2 * HOUR)
    await desk.expire()

    assert before is ApprovalState.OPEN
    assert (await store.archive.approval(parked.id)).state is ApprovalState.EXPIRED
    assert await due(store, clock) == ("case-1",)

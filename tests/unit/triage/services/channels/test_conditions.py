"""What goes wrong is seen in the store and told, over real HTTP, with its cure."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from integrations.notify.apprise_channel import channels_of
from integrations.sql.store import SqlStore
from tests.contract.store.letters.queue import SENT, letter
from tests.contract.store.store_samples import HeldClock, approval, opened
from tests.servers.ntfy import Ntfy, ntfy
from triage.config.autonomy.approvals import ApprovalRules
from triage.domain.letters import LetterState
from triage.domain.mailboxes import Phase, SyncCursor
from triage.services.channels.conditions import Conditions
from triage.services.channels.notices import Notices
from triage.services.health import HealthService


@pytest.fixture
def push() -> Iterator[Ntfy]:
    """Where people hear of it."""
    with ntfy() as server:
        yield server


def conditions(store: SqlStore, clock: HeldClock, push: Ntfy) -> Conditions:
    """The watch, as a new process makes it."""
    return Conditions(
        notices=Notices(store=store.notices, clock=clock, channels=channels_of([push.url])),
        health=HealthService(
            store=store.health, cursors=store.mailboxes, kill_switch=store.kill_switch, clock=clock, poll_seconds=120
        ),
        troubles=store.notices,
        archive=store.archive,
        letters=store.letters,
        clock=clock,
    )


async def look(store: SqlStore, clock: HeldClock, push: Ntfy) -> None:
    """One turn of a process that was just started."""
    watch = conditions(store, clock, push)
    await watch.record()
    await watch.notices.send_due()


async def test_a_mailbox_stalls_and_recovers(store: SqlStore, clock: HeldClock, push: Ntfy) -> None:
    """It is told once, however often a process looks or starts again, and so is its recovery."""
    now = clock.now()
    stalled = SyncCursor(
        name="support", account="a", floor=now, complete_at=now, phase=Phase.STALLED, trouble="no login", changed_at=now
    )
    await store.mailboxes.keep(stalled)
    await look(store, clock, push)
    assert push.taken == []

    for _ in range(3):
        await clock.sleep(150)
        await look(store, clock, push)
    well = SyncCursor(name="support", account="a", floor=now, complete_at=clock.now(), changed_at=clock.now())
    await store.mailboxes.keep(well)
    await look(store, clock, push)

    assert push.titles == ["Triage: mailbox stalled", "Triage: recovered"]
    assert "no login" in push.taken[0]["message"]
    assert "→ triage watch --status" in push.taken[0]["message"]


async def test_mails_that_wait_and_die(store: SqlStore, clock: HeldClock, push: Ntfy) -> None:
    """Jira that is down for long and a mail that nobody takes any more are told of with their cures."""
    waits, dead = await opened(store, 1), await opened(store, 2)
    await store.jobs.postpone(waits.lease, 60, "Jira does not answer, or not as Jira (detail=503)")
    await store.jobs.dead_letter(dead.lease, "no room for it")
    await clock.sleep(timedelta(minutes=11).total_seconds())
    await look(store, clock, push)

    assert push.titles == ["Triage: Jira does not work", "Triage: mail needs a person"]
    assert "triage doctor --jira" in push.taken[0]["message"]
    assert "(case-2)" in push.taken[1]["message"]


async def test_a_pause_is_told_and_its_end(store: SqlStore, clock: HeldClock, push: Ntfy) -> None:
    """Who did it and why, once, and that writing goes on."""
    await store.kill_switch.pause("ada", "Jira is being moved")
    for _ in range(2):
        await look(store, clock, push)
    await store.kill_switch.resume()
    await look(store, clock, push)

    assert push.titles == ["Triage: writing is paused", "Triage: recovered"]
    assert (
        "ada has paused all writing to Jira and by mail since 2026-11-20 09:00 UTC: Jira is being moved"
        in push.taken[0]["message"]
    )
    assert "triage resume" in push.taken[0]["message"]
    assert "Writing goes on" in push.taken[1]["message"]


async def test_an_approval_waits(store: SqlStore, clock: HeldClock, push: Ntfy) -> None:
    """Who decides is told that something waits, once."""
    leased = await opened(store)
    await leased.approvals.park(approval(leased.lease.case))
    for _ in range(2):
        await look(store, clock, push)

    assert push.titles == ["Triage: approval waits"]
    assert "closes a ticket" in push.taken[0]["message"]


async def test_an_approval_expires_soon(store: SqlStore, clock: HeldClock, push: Ntfy) -> None:
    """Who decides is reminded once, by the rules of now: a changed `remind_hours` counts at the next look."""
    leased = await opened(store)
    ends = clock.now() + timedelta(hours=72)
    await leased.approvals.park(replace(approval(leased.lease.case), expires_at=ends))
    await look(store, clock, push)
    watch = replace(conditions(store, clock, push), approvals=lambda: ApprovalRules(remind_hours=80))
    for _ in range(2):
        await watch.record()
        await watch.notices.send_due()

    assert push.titles == ["Triage: approval waits", "Triage: approval expires soon"]
    assert "It expires at 2026-11-23 09:00 UTC" in push.taken[1]["message"]


async def test_a_letter_in_doubt(store: SqlStore, clock: HeldClock, push: Ntfy) -> None:
    """People hear once of a letter that may have left, when it is no longer looked for; of others they hear nothing."""
    await opened(store)
    for number in (1, 2):
        await store.letters.queue(letter(number=number, due_at=clock.now()))
    taken = await store.letters.lease(60, per_minute=30)
    assert taken is not None
    doubtful = replace(taken, state=LetterState.UNKNOWN, due_at=clock.now() + timedelta(minutes=1))
    await store.letters.settle(doubtful, was=SENT)
    await look(store, clock, push)
    assert push.taken == []

    await store.letters.settle(replace(doubtful, due_at=None), was=SENT)
    for _ in range(2):
        await look(store, clock, push)

    assert push.titles == ["Triage: letter in doubt"]
    assert "“Re: Export” (no. 1)" in push.taken[0]["message"]
    assert "triage letters again 1" in push.taken[0]["message"]

"""The status over a real store."""

from dataclasses import replace
from datetime import timedelta

import pytest

from cli.wiring.intake import health_of
from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import HeldClock, approval, mail, opened, step
from tests.unit.triage.services.operations.journal import answered
from triage.config.settings import Isolated, load
from triage.domain.cases import Outcome
from triage.domain.mailboxes import Phase, SyncCursor
from triage.services.operations.stats import Spending
from triage.services.operations.status import StatusService


@pytest.fixture
def service(store: SqlStore, clock: HeldClock) -> StatusService:
    """The service, as wiring builds it."""
    return StatusService(
        figures=store.figures,
        archive=store.archive,
        troubles=store.notices,
        log=store.audit,
        health=health_of(load(Isolated), store),
        spending=Spending(log=store.audit, clock=clock, cap=5.0),
        claims=store.tracker_claims,
        clock=clock,
    )


async def test_nothing_needs_a_person(service: StatusService, store: SqlStore, clock: HeldClock) -> None:
    """An installation that works needs nobody; yesterday's mails and cost are not today's."""
    await answered(store, 1, [0.5])
    await clock.sleep(86_400)
    await answered(store, 2, [0.25])
    now = await service.now()

    assert now.needs == ()
    assert now.last_error == ""
    assert (now.today.came_in, dict(now.today.ended)) == (1, {})
    assert now.backlog.all == 2
    assert now.backlog.oldest == clock.now() - timedelta(days=1)
    assert (now.cost_today_usd, now.budget.spent_usd, now.budget.cap_usd) == (0.25, 0.75, 5.0)


async def test_everything_needs_a_person(service: StatusService, store: SqlStore, clock: HeldClock) -> None:
    """A pause, a mailbox in trouble, an approval and a mail that was given up are told, each with the command for it."""
    leased = await opened(store)
    parked = await leased.approvals.park(approval(leased.lease.case))
    await store.jobs.dead_letter(leased.lease, "the model answers nonsense")
    await store.kill_switch.pause("ada", "a drill")
    late = SyncCursor(
        name="help@example.com",
        account="a",
        floor=clock.now(),
        complete_at=clock.now(),
        changed_at=clock.now(),
        phase=Phase.STALLED,
        trouble="the password is wrong",
    )
    await store.mailboxes.keep(late)
    now = await service.now()

    assert now.oldest_approval == parked.parked_at
    assert now.needs == (
        "paused by ada: `triage resume`",
        "mailbox h…@example.com: the password is wrong",
        "open approvals: 1 (`triage approvals`)",
        "mails that could not be worked on: 1 (`triage cases --state dead`)",
    )
    assert now.last_error == "the model answers nonsense"


async def test_a_backlog_without_a_worker_needs_a_person(
    service: StatusService, store: SqlStore, clock: HeldClock
) -> None:
    """Mails that nobody will work on are told with the command that does: whether none has a lease that still runs, nor claims
    the database; what a killed worker had in hand counts, too.
    """
    await store.inbox.accept(mail(2))
    nobody = (await service.now()).needs
    await opened(store)
    leased = (await service.now()).needs
    await clock.sleep(3600)
    killed = (await service.now()).needs
    await store.tracker_claims.claim("OPS at https://acme.example", 60)
    idle = (await service.now()).needs

    assert nobody == ("no worker runs: start `triage serve` or `triage work`; mails that wait: 1",)
    assert killed == ("no worker runs: start `triage serve` or `triage work`; mails that wait: 2",)
    assert (leased, idle) == ((), ())


async def test_an_unsure_mail_needs_a_person(service: StatusService, store: SqlStore, clock: HeldClock) -> None:
    """A mail that waits without an approval is told until somebody puts it off; one with an approval is told once."""
    for number in (1, 2):
        leased = await opened(store, number)
        if number == 2:
            await leased.approvals.park(approval(leased.lease.case))
        await leased.cases.save(replace(await leased.cases.load(), outcome=Outcome.WAITING), step())
        await store.jobs.open(leased.lease).cases.finish()
    before = (await service.now()).needs
    await store.case_lists.snooze("case-1", clock.now() + timedelta(hours=1), "ada")

    assert before == (
        "open approvals: 1 (`triage approvals`)",
        "mails that wait for a person: 1 (`triage cases --state waiting`)",
    )
    assert (await service.now()).needs == before[:1]


async def test_what_delays_most(service: StatusService, store: SqlStore) -> None:
    """The last error is the one that most mails wait for."""
    for number, trouble in enumerate(("Jira is down", "no model", "no model")):
        await store.inbox.accept(mail(number))
        lease = await store.jobs.lease("w", 60)
        assert lease
        await store.jobs.postpone(lease, 600, trouble)

    assert (await service.now()).last_error == "no model"

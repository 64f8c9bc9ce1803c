"""What every `Archive` must do."""

import json
from dataclasses import replace
from datetime import timedelta

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import (
    HOUR,
    MORNING,
    OPENING,
    TURN,
    HeldClock,
    about,
    approval,
    effect,
    ended,
    full,
    mail,
    opened,
    other,
    step,
)
from triage.domain.cases import Outcome
from triage.domain.reports import CaseFilter, CaseLine, TurnLine
from triage.domain.traces import (
    Flood,
    Group,
)
from triage.domain.untrusted import Untrusted


class ArchiveContract:
    """Lists, reports and floods."""

    async def test_lists(self, store: SqlStore) -> None:
        """A list shows who wrote about what and what came of it, the latest first."""
        leased_case = await opened(store, 1)
        await leased_case.cases.save(full(await leased_case.cases.load()), step())
        await store.jobs.open(leased_case.lease).cases.finish()
        await store.inbox.accept(mail(2))

        newest, oldest = await store.archive.cases()
        assert (newest.id, newest.state, newest.sender, newest.subject) == ("case-2", "ready", "", "")
        assert oldest == CaseLine(
            id="case-1",
            received_at=MORNING,
            sender="Ada Byron <ada@example.com>",
            subject="Export größer als erwartet",
            state="ticketed",
            ticket="OPS-42",
            reason="a new bug",
        )
        assert (newest,) == await store.archive.cases(limit=1)
        assert (oldest,) == await store.archive.cases(state="ticketed")
        assert await store.archive.cases(state="dead") == ()

    async def test_lists_of_some(self, store: SqlStore) -> None:
        """A filter leaves out other tickets, other senders and other times; `%` is a character like another."""
        leased_case = await opened(store, 1)
        await leased_case.cases.save(full(await leased_case.cases.load()), step())
        await store.inbox.accept(mail(2))
        later = MORNING + timedelta(seconds=1)
        asked = {
            "ticket": (CaseFilter(ticket="OPS-42"), CaseFilter(ticket="OPS-4")),
            "sender": (CaseFilter(sender="aDA byr"), CaseFilter(sender="a%n")),
            "since": (CaseFilter(since=MORNING, ticket="OPS-42"), CaseFilter(since=later)),
            "until": (CaseFilter(until=later, ticket="OPS-42"), CaseFilter(until=MORNING)),
        }

        for name, (some, none) in asked.items():
            assert [line.id for line in await store.archive.cases(where=some)] == ["case-1"], name
            assert await store.archive.cases(where=none) == (), name

    async def test_report(self, store: SqlStore, clock: HeldClock) -> None:
        """A report joins what the journal, the ledger and the audit know."""
        leased_case = await opened(store)
        case = full(await leased_case.cases.load())
        await leased_case.journal.keep_opening("case-1/2", "jira", OPENING)
        await leased_case.journal.keep_turn("case-1/2", 1, TURN, 812.5)
        await leased_case.cases.event("jira.calls", n=2)
        await clock.sleep(1)
        await leased_case.cases.event("jira.calls", n=1)
        await leased_case.cases.event("note", text="größer", list=[1, None])
        intended = await leased_case.ledger.intend(effect(case.id))
        parked = await leased_case.approvals.park(approval(case.id))
        await leased_case.cases.save(case, step())
        other = await opened(store, 2)
        await other.cases.event("jira.calls", n=50)

        report = await store.archive.report(case.id)

        assert (report.case, report.state, report.attempts, report.jira_calls) == (case, "working", 1, 3)
        assert (report.effects, report.approvals) == ((intended,), (parked,))
        assert report.turns == (
            TurnLine(
                run=2,
                number=1,
                model="some-model",
                text="I search first.",
                calls=("read_jira_tickets",),
                input_tokens=900,
                output_tokens=40,
                cost_usd=0.004,
                ms=812.5,
            ),
        )
        assert [(at, name, json.loads(facts)) for at, name, facts in report.events] == [
            (MORNING, "jira.calls", {"n": 2}),
            (clock.now(), "jira.calls", {"n": 1}),
            (clock.now(), "note", {"text": "größer", "list": [1, None]}),
        ]

    async def test_floods(self, store: SqlStore, clock: HeldClock) -> None:
        """What each limit holds for each ticket, told and unreported, in lists and in the report of every mail it holds."""
        books = [await opened(store, number) for number in range(5)]
        assert await store.archive.floods() == ()
        for number, leased_case in enumerate(books):
            await leased_case.threads.trace(other(number), HOUR)
            await leased_case.cases.save(about(await leased_case.cases.load(), f"Disk {number}"), step())
        for leased_case in books[1:4]:
            held = await leased_case.throttle.throttle(Group.STORM, seconds=HOUR, every=10, apart=60)
            await ended(leased_case, "OPS-1", Outcome.COMMENTED)
            await (
                store.jobs.postpone(leased_case.lease, 900, "", counted=False)
                if held.collects
                else store.jobs.open(leased_case.lease).cases.finish()
            )
        await books[4].throttle.throttle(Group.SENDER, seconds=HOUR, every=10, apart=60)
        await ended(books[4], "OPS-2", Outcome.COMMENTED)

        storm = Flood(
            group=Group.STORM,
            ticket="OPS-1",
            held=3,
            reported=1,
            since=MORNING,
            until=MORNING,
            newest=Untrusted("Disk 3"),
            case="case-4",
            due=MORNING + timedelta(seconds=900),
        )
        assert set(await store.archive.floods()) == {
            storm,
            replace(
                storm, group=Group.SENDER, ticket="OPS-2", held=1, newest=Untrusted("Disk 4"), case="case-5", due=None
            ),
        }
        assert len(await store.archive.floods(1)) == 1
        assert [(await store.archive.report(f"case-{n}")).flood for n in (1, 2, 4)] == [None, storm, storm]
        assert [(await store.archive.report(f"case-{n}")).state for n in (3, 4)] == ["commented", "commented"]

"""What every `Insights` must do."""

from dataclasses import replace
from datetime import date

import pytest

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import MORNING, RESULT, SAME, HeldClock, approval, ended, opened, other, step
from triage.domain.approvals import AMEND, Approval, ApprovalState, Correction
from triage.domain.cases import Case, Outcome
from triage.domain.conversation import ToolRun
from triage.domain.findings import (
    Alert,
    AlertSeverity,
    AlertState,
    Classification,
    Cue,
    Cues,
    Disposition,
    DispositionFinding,
    Identity,
    Joined,
    Route,
)
from triage.domain.operations.insights import Count, PersonLoad
from triage.domain.ports import Insights
from triage.domain.tickets import Person, Ticket
from triage.domain.traces import Group
from triage.domain.untrusted import Untrusted

TODAY = date(2026, 11, 20)
MADE = ToolRun(
    tool="create_jira_ticket",
    arguments={"components": ["asked"]},
    result={"status": "created", "key": "OPS-1", "written": {"components": ["Billing"]}},
    iteration=1,
)


def read(case: Case, disposition: Disposition = Disposition.WORK) -> Case:
    """The case as its steps have found it."""
    cues = Cues(type=Cue(value="bug"), languages=("de", "nl"))
    finding = DispositionFinding(disposition=disposition, confidence=0.9)
    return replace(
        case,
        classification=Classification(cues=cues, disposition=finding),
        result=replace(RESULT, tool_calls=(MADE,)),
        route=Route(rule="web", project="WEB"),
    )


async def ended_case(store: SqlStore) -> str:
    """A second case that has ended."""
    leased = await opened(store, 2)
    await leased.cases.save((await leased.cases.load()).closed(Outcome.TICKETED, "yes"), step(), ended=True)
    await store.jobs.open(leased.lease).cases.finish()
    return leased.lease.case


class InsightsContract:
    """Counts by day."""

    async def test_ended_cases(self, store: SqlStore, clock: HeldClock) -> None:
        """Each ended case counts on the day of its mail, by what is known of it; a later end replaces it, not its pace."""
        insights: Insights = store.insights
        for number in (1, 2, 3):
            leased = await opened(store, number)
            case = read(await leased.cases.load(), Disposition.WORK if number < 3 else Disposition.NOT_FOR_US)
            if number == 2:
                alert = Alert(
                    source="nagios",
                    severity=AlertSeverity.HIGH,
                    object=Untrusted("x"),
                    state=AlertState.FIRING,
                    key="k",
                )
                case = replace(case, identity=Identity(alert=alert, joined=Joined.ALERT))
            await clock.sleep(90)
            end = (Outcome.TICKETED, Outcome.COMMENTED, Outcome.IGNORED)[number - 1]
            done = case.closed(end, "why", "OPS-1" if number < 3 else None)
            await leased.cases.save(done, step("dispatch"), ended=True)
            if number == 1:
                await clock.sleep(86_400)
                await leased.cases.save(done, step("dispatch"), ended=True)
                await clock.sleep(-86_400)

        days = await insights.ended(TODAY, TODAY)
        found = {
            (facet, key, one.project): n
            for one in days
            for facet, counts in one.counts.items()
            for key, n in counts.items()
        }
        assert found == {
            ("outcome", "ticketed", "OPS"): 1,
            ("outcome", "commented", "OPS"): 1,
            ("outcome", "ignored", "WEB"): 1,
            ("cause", "bug", "OPS"): 1,
            ("cause", "alert: nagios", "OPS"): 1,
            ("cause", "not for us", "WEB"): 1,
            ("component", "Billing", "OPS"): 1,
            ("language", "de", "OPS"): 2,
            ("language", "de", "WEB"): 1,
            ("joined", "new ticket", "OPS"): 1,
            ("joined", "same thread", "OPS"): 1,
        }
        assert [(one.day, one.project, len(one.seconds)) for one in days] == [(TODAY, "OPS", 2), (TODAY, "WEB", 0)]
        assert days[0].seconds == pytest.approx([90, 90], abs=0.1)
        assert await insights.ended(date(2026, 11, 21), date(2026, 12, 31)) == ()

    async def test_what_people_said(self, store: SqlStore, clock: HeldClock) -> None:
        """A corrected mail counts once, on its own day; decisions on the day of the decision."""
        insights: Insights = store.insights
        leased = await opened(store)
        case = leased.lease.case
        parked = [await leased.approvals.park(approval(case, f'{{"ticket_key":"OPS-{n}"}}')) for n in (1, 2)]
        await leased.cases.save((await leased.cases.load()).closed(Outcome.IGNORED, "no"), step(), ended=True)
        await store.jobs.open(leased.lease).cases.finish()
        await clock.sleep(86_400)
        for disposition in (Disposition.WORK, Disposition.QUESTION):
            await store.decisions.correct(Correction(case=case, disposition=disposition, by="ada"))
        await store.decisions.decide(parked[0].id, ApprovalState.ACCEPTED, "ada")
        await store.decisions.decide(parked[1].id, ApprovalState.REJECTED, "ada")

        other_case = await ended_case(store)
        order = Approval(case=other_case, tool=AMEND, arguments="{}", reason="", state=ApprovalState.ACCEPTED, by="ada")
        amended = await store.decisions.order(order)

        assert await insights.corrected() == (Count(TODAY, "", "", 1), Count(date(2026, 11, 21), "", "", 1))
        assert await insights.amended() == (amended,)
        assert sorted(await insights.decided(TODAY), key=lambda one: one.key) == [
            Count(date(2026, 11, 21), "", "accepted", 1),
            Count(date(2026, 11, 21), "", "rejected", 1),
        ]
        assert await insights.decided(date(2026, 11, 22)) == ()

    async def test_held_by_day(self, store: SqlStore) -> None:
        """A mail that a rate limit holds counts by its group."""
        insights: Insights = store.insights
        first = await opened(store, 1)
        await first.threads.trace(SAME, 60)
        await ended(first, "OPS-1")
        second = await opened(store, 2)
        await second.threads.trace(other(2), 60)
        await second.throttle.throttle(Group.SENDER, seconds=60, every=10, apart=60)

        assert await insights.held(TODAY) == (Count(TODAY, "", "sender", 1),)

    async def test_loads(self, store: SqlStore) -> None:
        """Open tickets by person, the busiest first; done ones and those of nobody do not count."""
        insights: Insights = store.insights
        people = {name: Person(id=name, name=Untrusted(name.title())) for name in ("ada", "grace")}
        given = (("ada", "new"), ("ada", "indeterminate"), ("grace", "new"), ("grace", "done"), ("", "new"))
        await store.tickets.keep(
            [
                Ticket(
                    key=f"OPS-{number}",
                    summary=Untrusted("x"),
                    status="s",
                    category=category,
                    issue_type="Bug",
                    assignee=people.get(name),
                    created=MORNING,
                )
                for number, (name, category) in enumerate(given, start=1)
            ]
        )

        assert await insights.loads(5) == (PersonLoad("Ada", 1, 1), PersonLoad("Grace", 1, 0))
        assert await insights.loads(1) == (PersonLoad("Ada", 1, 1),)

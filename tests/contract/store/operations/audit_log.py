"""What every `AuditLog` must do."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import HOSTILE, MORNING, OPENING, RESULT, TURN, HeldClock, mail, opened
from triage.domain.conversation import Usage
from triage.domain.operations.audit import AuditFilter, DayCount, Spent
from triage.domain.operations.mcp import McpCall
from triage.domain.ports import AnswerLog, AuditLog, McpLog

MIDNIGHT = datetime(2026, 11, 21, tzinfo=UTC)


class AuditLogContract:
    """Runs, answers, events and what they cost."""

    async def test_audit(self, store: SqlStore, clock: HeldClock) -> None:
        """Rows are found by case, profile and time, newest first; costs are summed by day in UTC and by model."""
        log: AuditLog = store.audit
        clock.time = MIDNIGHT - timedelta(seconds=1)
        leased = await opened(store)
        await leased.journal.keep_opening("case-1/1", "jira", OPENING)
        await leased.journal.keep_turn("case-1/1", 1, TURN, 20.0)
        clock.time = MIDNIGHT
        await leased.journal.keep_turn("case-1/1", 2, replace(TURN, usage=Usage(input_tokens=5)), 20.0)
        await leased.journal.keep_run("case-1/1", RESULT)
        playbook = replace(TURN, model="playbook", usage=Usage())
        await leased.journal.keep_opening("case-1/2", "other", OPENING)
        await leased.journal.keep_turn("case-1/2", 1, playbook, 1.0)

        (new, old) = await log.runs(AuditFilter(), 5)
        assert (new.run, new.profile, new.ended_at) == ("case-1/2", "other", None)
        assert (old.status, old.usage) == (RESULT.status, RESULT.usage)
        assert [(one.run, one.number) for one in await log.calls(AuditFilter(case="case-1", profile="jira"), 5)] == [
            ("case-1/1", 2),
            ("case-1/1", 1),
        ]
        day = Spent(
            day=date(2026, 11, 21),
            profile="jira",
            model=TURN.model,
            calls=1,
            input_tokens=5,
            output_tokens=0,
            cost_usd=0,
            unpriced=1,
        )
        assert await log.spending(AuditFilter()) == (
            day,
            replace(day, day=date(2026, 11, 20), input_tokens=900, output_tokens=40, cost_usd=0.004, unpriced=0),
        )
        assert await log.spending(AuditFilter(since=MIDNIGHT)) == (day,)
        cost, unpriced = await log.spent(MORNING)
        assert cost == pytest.approx(0.004)
        assert unpriced == 1
        assert await log.spent(MIDNIGHT + timedelta(days=1)) == (0, 0)

    async def test_events_in_order(self, store: SqlStore, clock: HeldClock) -> None:
        """Events are read forward from a number and backward from the newest, by case and by time."""
        log: AuditLog = store.audit
        assert await log.last_event() == 0
        leased = await opened(store)
        for number in range(3):
            await leased.cases.event("seen", number=number)
            await clock.sleep(10)
        last = await log.last_event()

        ahead = await log.events_after(last - 2, clock.now(), 10)
        assert [(one.case, one.name, one.facts) for one in ahead] == [
            ("case-1", "seen", {"number": number}) for number in (1, 2)
        ]
        assert await log.events_after(last - 2, MORNING + timedelta(seconds=20), 10) == ahead[:1]
        assert await log.events_after(last - 2, clock.now(), 1) == ahead[:1]
        assert await log.events(AuditFilter(since=MORNING + timedelta(seconds=10)), 10) == ahead[::-1]
        assert len(await log.events(AuditFilter(case="case-1"), 10)) == 3
        assert await log.events(AuditFilter(profile="jira"), 10) == ()
        assert await log.events(AuditFilter(case="case-9"), 10) == ()

    async def test_mails_by_day(self, store: SqlStore, clock: HeldClock) -> None:
        """Mails are counted on the day, in UTC, on which they were accepted."""
        for number, at in enumerate((MORNING, MIDNIGHT - timedelta(seconds=1), MIDNIGHT)):
            clock.time = at
            await store.inbox.accept(mail(number))

        today, yesterday = DayCount(day=date(2026, 11, 21), mails=1), DayCount(day=date(2026, 11, 20), mails=2)
        assert await store.audit.mails_by_day(MORNING) == (today, yesterday)
        assert await store.audit.mails_by_day(MIDNIGHT) == (today,)

    async def test_calls_of_mcp_clients(self, store: SqlStore, clock: HeldClock) -> None:
        """Sessions stand among the runs with the number of their calls; calls are found by time and server, newest first."""
        log: McpLog = store.mcp_log
        await log.begin("mcp-1", "mcp:tickets", "token 1 (claude)", clock.now())
        who = {"server": "tickets", "client": "token 1 (claude)"}
        rows = [
            McpCall(run="mcp-1", number=n, at=clock.now(), tool="search", arguments=HOSTILE, outcome="ok", **who)
            for n in (1, 2)
        ]
        for row in rows:
            await log.keep(row)
        leased = await opened(store)
        await leased.journal.keep_opening("case-1/1", "jira", OPENING)
        await leased.journal.keep_result("case-1/1", "1.1", "search", "{}", "{}")

        found = await store.audit.mcp_calls(AuditFilter(), 5)
        assert [replace(one, arguments=HOSTILE) for one in found] == rows[::-1]
        assert await store.audit.mcp_calls(AuditFilter(case="case-1"), 5) == ()
        assert await store.audit.mcp_calls(AuditFilter(profile="mcp:mail"), 5) == ()
        (session,) = await store.audit.runs(AuditFilter(profile="mcp:tickets"), 5)
        assert (session.case, session.model, session.iterations, session.ended_at) == (
            "",
            "token 1 (claude)",
            2,
            clock.now(),
        )

    async def test_answers_about_no_case_are_counted(self, store: SqlStore, clock: HeldClock) -> None:
        """Runs of builds stand in the audit with their sums, count toward the month, and keep no words."""
        log: AnswerLog = store.answer_log
        for _ in range(2):
            await log.keep("memory-3", "email_reader", TURN, clock.now(), 12.0)
        used = TURN.usage

        (run,) = await store.audit.runs(AuditFilter(profile="email_reader"), 5)
        calls = await store.audit.calls(AuditFilter(), 5)
        (spent,) = await store.audit.spending(AuditFilter())
        assert (run.run, run.case, run.iterations, run.usage) == ("memory-3", "", 2, used + used)
        assert sorted((one.run, one.number, one.ms) for one in calls) == [("memory-3", 1, 12.0), ("memory-3", 2, 12.0)]
        assert (spent.profile, spent.calls, spent.input_tokens) == ("email_reader", 2, 2 * used.input_tokens)
        assert (await store.audit.spent(MORNING))[0] == 2 * (used.cost_usd or 0)

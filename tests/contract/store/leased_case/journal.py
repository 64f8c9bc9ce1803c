"""What every `Journal` must do."""

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import (
    OPENING,
    RESULT,
    TURN,
    Marks,
    effect,
    next_lease,
    opened,
)
from triage.domain.conversation import AgentResult, ChatMessage, Role, RunStatus, Turn
from triage.domain.reports import RunLine


class JournalContract:
    """Answers and results are kept as they came first."""

    async def test_opening(self, store: SqlStore) -> None:
        """The first messages of a run are kept as sent, and those sent first stand."""
        leased_case = await opened(store)
        assert await leased_case.journal.opening("case-1/1") is None

        await leased_case.journal.keep_opening("case-1/1", "jira", OPENING)
        await leased_case.journal.keep_opening("case-1/1", "jira", (ChatMessage(role=Role.USER, text="later"),))

        assert await leased_case.journal.opening("case-1/1") == OPENING
        assert await leased_case.journal.opening("case-1/2") is None

    async def test_turn(self, store: SqlStore, marks: Marks) -> None:
        """A model's answer is kept whole, and the first one stands."""
        leased_case = await opened(store)
        assert await leased_case.journal.turn("case-1/1", 1) is None

        await leased_case.journal.keep_turn("case-1/1", 1, TURN, 812.5)
        await leased_case.journal.keep_turn("case-1/1", 1, Turn(text="another answer"), 1.0)
        await leased_case.journal.keep_turn("case-1/1", 2, Turn(text="done"), 3.0)

        assert await leased_case.journal.turn("case-1/1", 1) == TURN
        assert Turn(text="done") == await leased_case.journal.turn("case-1/1", 2)
        assert await leased_case.journal.turn("case-1/2", 1) is None
        assert marks.seen[-1] == "llm.journalled"

    async def test_tool_result(self, store: SqlStore) -> None:
        """A tool's answer is kept by run and call, and the first one stands."""
        leased_case = await opened(store)
        assert await leased_case.journal.result("case-1/1", "call-1") is None

        await leased_case.journal.keep_result("case-1/1", "call-1", "read_jira_tickets", "{}", '{"tickets": []}')
        await leased_case.journal.keep_result("case-1/1", "call-1", "read_jira_tickets", "{}", "other")

        assert await leased_case.journal.result("case-1/1", "call-1") == '{"tickets": []}'
        assert await leased_case.journal.result("case-1/2", "call-1") is None

    async def test_deferring(self, store: SqlStore) -> None:
        """What is deferred can be read again at once, and is committed with the intent of the effect that it leads to."""
        leased_case = await opened(store)
        case, journal = leased_case.lease.case, leased_case.journal.deferring()
        assert await journal.opening("case-1/1") is None
        await journal.keep_opening("case-1/1", "jira", OPENING)
        await journal.keep_turn("case-1/1", 1, TURN, 0.5)
        await journal.keep_result("case-1/1", "call-1", "read_jira_tickets", "{}", "[]")
        await journal.keep_result("case-1/1", "call-1", "read_jira_tickets", "{}", "other")

        assert (await journal.turn("case-1/1", 1), await journal.turn("case-1/1", 2)) == (TURN, None)
        assert await leased_case.journal.result("case-1/1", "call-1") == "[]"
        assert (await store.archive.report(case)).runs == ()

        await leased_case.ledger.intend(effect(case))
        await journal.keep_run("case-1/1", RESULT)
        await leased_case.cases.flush()

        report = await store.archive.report(case)
        assert [run.status for run in report.runs] == ["completed"]
        assert [turn.text for turn in report.turns] == [TURN.text]

    async def test_run(self, store: SqlStore) -> None:
        """A run is in the report from its opening on, and ends with its result."""
        leased_case = await opened(store)
        await leased_case.journal.keep_opening("case-1/1", "jira", OPENING)
        begun = RunLine(
            run=1, profile="jira", status="running", system=OPENING[0].text, user=OPENING[1].text, result=None
        )
        assert (begun,) == (await store.archive.report(leased_case.lease.case)).runs

        await leased_case.journal.keep_run("case-1/1", RESULT)

        [ended] = (await store.archive.report(leased_case.lease.case)).runs
        assert (ended.status, ended.profile, ended.system, ended.result) == ("completed", "jira", begun.system, RESULT)
        assert await store.jobs.open(next_lease(leased_case.lease)).journal.opening("case-1/1") == OPENING
        assert await leased_case.journal.opening("case-1/1") == OPENING

    async def test_run_that_never_opened(self, store: SqlStore) -> None:
        """A run that failed before its first message is kept too."""
        leased_case = await opened(store)
        failed = AgentResult(status=RunStatus.ERROR, error="no profile")

        await leased_case.journal.keep_run("case-1/3", failed)

        [run] = (await store.archive.report(leased_case.lease.case)).runs
        assert (run.run, run.status, run.result) == (3, "error", failed)

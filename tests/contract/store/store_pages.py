"""What every store must do with the pages of a case: journal, ledger, thread, approvals, and the report of it all."""

import asyncio
import json
from dataclasses import replace

import pytest
from sqlalchemy import text

from integrations.sql.store import SqlStore
from tests.contract.store.store_jobs import leased
from tests.contract.store.store_samples import (
    HOSTILE,
    MORNING,
    OPENING,
    RESULT,
    TURN,
    HeldClock,
    Marks,
    approval,
    effect,
    full,
    mail,
    settled,
    step,
)
from triage.domain.cases import Approval, ApprovalState, CaseLine, EffectState, Outcome, RunLine, StepLine, TurnLine
from triage.domain.conversation import AgentResult, ChatMessage, Role, RunStatus, Turn
from triage.domain.errors import ApprovalClosed
from triage.domain.ports import LeasedCase
from triage.domain.untrusted import Untrusted

OLD_CASE = json.dumps(
    {
        "id": "case-1",
        "source": "file",
        "received_at": "2026-11-20T09:00:00Z",
        "position": 6,
        "message": {"subject": "Labels are cut off", "text": "On the right.", "reply": "On the right."},
        "lane": "1@example.com",
        "candidates": [
            {
                "ticket": {
                    "key": "OPS-7",
                    "summary": "Labels",
                    "description": "They are cut off. " * 100,
                    "status": "Open",
                    "category": "new",
                    "issue_type": "Bug",
                    "priority": "High",
                    "assignee": {"id": "u1", "name": "Grace", "email": "", "active": True},
                    "reporter": None,
                    "labels": ["triage-0123"],
                    "components": ["Printing"],
                    "created": "2026-11-19T09:00:00Z",
                    "updated": None,
                    "url": "https://jira.example/browse/OPS-7",
                    "duplicates": [],
                    "mark": "",
                },
                "score": 0.42,
                "evidence": ["title: labels"],
            }
        ],
        "searched": True,
    }
)
"""A row as version 0.1.0 wrote it before candidates were lines and steps had names."""
DONE_THEN = ("read", "identify", "restrain", "route", "classify", "retrieve")


async def opened(store: SqlStore, number: int = 1) -> LeasedCase:
    """A new mail's case, leased."""
    case = await store.inbox.accept(mail(number))
    lease = await store.jobs.lease_case(case, "w", 60)
    assert lease is not None
    return store.jobs.open(lease)


class PagesContract:
    """All that is written about one case."""

    # --- the case -----------------------------------------------------------------------------

    async def test_load_and_raw(self, store: SqlStore) -> None:
        """A leased case is as accepted and the mail as it came."""
        leased_case = await opened(store)

        case = await leased_case.cases.load()

        assert (case.id, case.done, case.message, case.outcome) == (leased_case.lease.case, (), None, None)
        assert mail(1).raw == await leased_case.cases.raw()

    async def test_save(self, store: SqlStore, marks: Marks) -> None:
        """A saved case comes back as it was, with its step in the journal."""
        leased_case = await opened(store)
        case = full(await leased_case.cases.load())

        await leased_case.cases.save(case, step())

        assert case == await leased_case.cases.load()
        assert (await store.archive.report(case.id)).steps == (
            StepLine(at=MORNING, name="classify", ms=12.5, note="bug, High"),
        )
        assert marks.seen[-1] == "step.saved"

    async def test_old_row(self, store: SqlStore) -> None:
        """A case that an older version has written, whole tickets in it, is read, and goes on."""
        leased_case = await opened(store)
        loaded = await leased_case.cases.load()
        await store._database.write(lambda c: c.execute(text("UPDATE cases SET data = :old"), {"old": OLD_CASE}))

        old = await leased_case.cases.load()
        (candidate,) = old.candidates
        assert (old.id, old.done, old.mail.subject) == (loaded.id, DONE_THEN, "Labels are cut off")
        assert (candidate.ticket.key, candidate.ticket.open, candidate.score) == ("OPS-7", True, 0.42)
        assert (candidate.evidence, candidate.excerpt) == (("title: labels",), "")
        await leased_case.cases.save(old, step())
        assert old == await leased_case.cases.load() == (await store.archive.report(old.id)).case

    async def test_lists(self, store: SqlStore) -> None:
        """A list shows who wrote about what and what came of it, the latest first."""
        leased_case = await opened(store, 1)
        await leased_case.cases.save(full(await leased_case.cases.load()), step())
        await store.jobs.finish(leased_case.lease)
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

    async def test_rows_of_an_older_version(self, store: SqlStore) -> None:
        """A case that an older version wrote, and one with keys of a newer one, can be read."""
        leased_case = await opened(store)
        case = await leased_case.cases.load()
        old = {"id": case.id, "source": "file", "received_at": MORNING.isoformat(), "of_a_newer_version": {"a": 1}}

        statement = text("UPDATE cases SET data = :data").bindparams(data=json.dumps(old))
        await store._database.write(lambda c: c.execute(statement).close())

        assert case == await leased_case.cases.load()

    # --- the journal --------------------------------------------------------------------------

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
        assert await leased_case.journal.opening("case-1/1") == OPENING

    async def test_run_that_never_opened(self, store: SqlStore) -> None:
        """A run that failed before its first message is kept too."""
        leased_case = await opened(store)
        failed = AgentResult(status=RunStatus.ERROR, error="no profile")

        await leased_case.journal.keep_run("case-1/3", failed)

        [run] = (await store.archive.report(leased_case.lease.case)).runs
        assert (run.run, run.status, run.result) == (3, "error", failed)

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

    async def test_hostile_text(self, store: SqlStore) -> None:
        """No text of a mail, a model or a tool can make a write fail."""
        leased_case = await opened(store)
        case = full(await leased_case.cases.load()).closed(Outcome.IGNORED, HOSTILE)
        nasty = Untrusted(HOSTILE)

        await leased_case.cases.save(case, replace(step(), note=HOSTILE))
        await leased_case.journal.keep_opening("case-1/1", "jira", (ChatMessage(role=Role.USER, text=HOSTILE),))
        await leased_case.journal.keep_turn("case-1/1", 1, Turn(text=HOSTILE, model=HOSTILE), 1)
        await leased_case.journal.keep_result("case-1/1", HOSTILE, HOSTILE, HOSTILE, HOSTILE)
        await leased_case.journal.keep_run(
            "case-1/1", AgentResult(status=RunStatus.ERROR, final_message=HOSTILE, error=HOSTILE)
        )
        await leased_case.cases.event("seen", text=HOSTILE, nested={HOSTILE: [HOSTILE]})
        await leased_case.approvals.park(approval(case.id, HOSTILE))
        await leased_case.threads.link([HOSTILE], "hash", HOSTILE)
        await store.jobs.postpone(leased_case.lease, 1, HOSTILE)

        report = await store.archive.report(case.id)
        assert report.turns[0].text.startswith("NUL \0, half a pair")
        assert report.case.reason.endswith("emoji \N{PILE OF POO}, quote ', percent %(x)s :x")
        assert (await leased_case.threads.thread_ticket([nasty]) or "").startswith("NUL")
        assert (await leased_case.journal.result("case-1/1", HOSTILE) or "").startswith("NUL")

    # --- the ledger ---------------------------------------------------------------------------

    async def test_intend_once(self, store: SqlStore, marks: Marks) -> None:
        """An intent is kept once; where the key is known, the row as it stands comes back."""
        leased_case = await opened(store)
        first = effect(leased_case.lease.case)
        assert first == await leased_case.ledger.intend(first)
        assert marks.seen[-1] == "effect.intent"
        done = settled(first)
        await leased_case.ledger.settle(done)

        assert done == await leased_case.ledger.intend(first)
        assert (done,) == await leased_case.ledger.effects()

    async def test_settle(self, store: SqlStore, marks: Marks) -> None:
        """What became of an effect is kept; only a done one is a landmark."""
        leased_case = await opened(store)
        intent = await leased_case.ledger.intend(effect(leased_case.lease.case))
        marks.seen.clear()

        for state in (EffectState.UNKNOWN, EffectState.REFUSED):
            await leased_case.ledger.settle(settled(intent, state))
            assert state == (await leased_case.ledger.effects())[0].state
        assert marks.seen == []
        await leased_case.ledger.settle(settled(intent))

        assert (settled(intent),) == await leased_case.ledger.effects()
        assert marks.seen == ["effect.committed"]

    async def test_settle_what_was_never_intended(self, store: SqlStore) -> None:
        """An effect without an intent is a mistake of ours, not a silent nothing."""
        leased_case = await opened(store)

        with pytest.raises(LookupError, match="never intended"):
            await leased_case.ledger.settle(effect(leased_case.lease.case))

    async def test_effects_in_order(self, store: SqlStore) -> None:
        """Effects come in the order of their intents, those of other cases apart."""
        leased_case, other = await opened(store, 1), await opened(store, 2)
        for number in (3, 1, 2):
            await leased_case.ledger.intend(effect(leased_case.lease.case, number))
            await other.ledger.intend(effect(other.lease.case, number))

        assert [e.key for e in await leased_case.ledger.effects()] == [
            "case-1:create:3",
            "case-1:create:1",
            "case-1:create:2",
        ]

    async def test_a_file_is_known_by_its_hash(self, store: SqlStore) -> None:
        """Whichever case hung it there; on another ticket, or only intended, it is not there."""
        leased_case, other = await opened(store, 1), await opened(store, 2)
        file = replace(effect(leased_case.lease.case), kind="attach", target="OPS-7", body_hash="f00d")
        await leased_case.ledger.intend(file)
        assert not await other.ledger.attached("OPS-7", "f00d")

        await leased_case.ledger.settle(settled(file))

        assert await other.ledger.attached("OPS-7", "f00d")
        assert not await other.ledger.attached("OPS-8", "f00d")
        assert not await other.ledger.attached("OPS-7", "beef")

    async def test_highest(self, store: SqlStore) -> None:
        """The highest ticket number of a project only rises, whichever case saw it."""
        leased_case, other = await opened(store, 1), await opened(store, 2)
        assert await leased_case.ledger.highest("OPS") == 0

        for number in (41, 44, 43):
            await leased_case.ledger.saw("OPS", number)
        await other.ledger.saw("WEB", 7)

        assert (await other.ledger.highest("OPS"), await leased_case.ledger.highest("WEB")) == (44, 7)

    # --- approvals ----------------------------------------------------------------------------

    async def test_a_case_knows_what_it_has_parked(self, store: SqlStore) -> None:
        """Its own only, in order, with what was decided."""
        leased_case, other = await opened(store), await opened(store, 2)
        first, second = (
            await leased_case.approvals.park(approval("case-1")),
            await leased_case.approvals.park(approval("case-1", "x")),
        )
        await other.approvals.park(approval("case-2"))
        decided = await store.decisions.decide(first.id, ApprovalState.ACCEPTED, "ada")

        assert await leased_case.approvals.approvals() == (decided, second)

    async def test_park_once(self, store: SqlStore) -> None:
        """The same call of the same case waits once; other arguments or another case wait apart."""
        leased_case, other = await opened(store, 1), await opened(store, 2)

        parked = await leased_case.approvals.park(approval("case-1"))
        assert parked == await leased_case.approvals.park(approval("case-1"))
        longer = await leased_case.approvals.park(approval("case-1", "x" * 10_000))
        third = await other.approvals.park(approval("case-2"))

        assert (parked, longer, third) == await store.archive.approvals()
        assert len({parked.id, longer.id, third.id}) == 3
        assert (parked.case, parked.arguments) == ("case-1", '{"ticket_key":"OPS-7"}')

    async def test_decide_once(self, store: SqlStore) -> None:
        """One person's word counts, once."""
        leased_case = await opened(store)
        parked = await leased_case.approvals.park(approval(leased_case.lease.case))
        words = [store.decisions.decide(parked.id, ApprovalState.ACCEPTED, f"p{number}") for number in range(5)]

        said = await asyncio.gather(*words, return_exceptions=True)

        [decided] = [word for word in said if not isinstance(word, BaseException)]
        assert len([word for word in said if isinstance(word, ApprovalClosed)]) == 4
        assert (decided.state, decided.arguments) == (ApprovalState.ACCEPTED, parked.arguments)
        assert await store.archive.approvals() == ()
        assert (await store.archive.report(leased_case.lease.case)).approvals == (decided,)
        assert decided == await leased_case.approvals.park(approval(leased_case.lease.case))

    async def test_a_later_proposal_supersedes(self, store: SqlStore) -> None:
        """For one field of one ticket the latest stands and the older ones name it; other fields and comments stay."""
        books = [await opened(store, number) for number in (1, 2, 3)]

        def wanted(number: int, field: str, becomes: str, ticket: str = "OPS-7") -> Approval:
            about = {
                "ticket": ticket,
                "field": field,
                "was": "To Do",
                "becomes": becomes,
                "sender": "Ada",
                "trust": "weak",
            }
            return replace(approval(f"case-{number}", f"{field} {becomes} {ticket}"), **about)  # type: ignore[arg-type] # texts all

        first = await books[0].approvals.park(wanted(1, "status", "Done"))
        beside = [
            await books[0].approvals.park(wanted(1, "comment", "a")),
            await books[1].approvals.park(wanted(2, "comment", "b")),
            await books[1].approvals.park(wanted(2, "summary", "b")),
            await books[1].approvals.park(wanted(2, "status", "Done", "OPS-8")),
        ]
        second = await books[1].approvals.park(wanted(2, "status", "In Review"))
        third = await books[2].approvals.park(wanted(3, "status", "Done"))

        assert await store.archive.approvals() == (*beside, third)
        [gone] = [one for one in await books[0].approvals.approvals() if one.field == "status"]
        assert gone == replace(first, state=ApprovalState.SUPERSEDED, superseded_by=third.id)
        assert [one.id for one in await store.decisions.superseded(third.id)] == [first.id, second.id]
        assert await store.decisions.superseded(second.id) == ()
        with pytest.raises(ApprovalClosed):
            await store.decisions.decide(first.id, ApprovalState.ACCEPTED, "ada")
        assert await books[0].approvals.park(wanted(1, "status", "Done")) == first
        assert [one.id for one in await store.decisions.superseded(first.id)] == [second.id, third.id]
        await store.decisions.decide(first.id, ApprovalState.ACCEPTED, "ada")
        assert (await books[2].approvals.park(wanted(3, "status", "Done"))).state is ApprovalState.OPEN
        assert (await books[0].approvals.park(wanted(1, "status", "Done"))).state is ApprovalState.ACCEPTED

    async def test_decide_what_nobody_asked(self, store: SqlStore) -> None:
        """There is nothing to decide where nothing waits."""
        with pytest.raises(ApprovalClosed, match="triage approve"):
            await store.decisions.decide(7, ApprovalState.REJECTED, "ada")

    # --- the thread ---------------------------------------------------------------------------

    async def test_thread_ticket(self, store: SqlStore) -> None:
        """The ticket of the nearest mail that has one."""
        leased_case, other = await opened(store, 1), await opened(store, 2)
        await leased_case.threads.link(["a@x", "b@x"], "hash-1", None)
        assert await other.threads.thread_ticket(["a@x"]) is None

        await leased_case.threads.link(["a@x", "b@x", "a@x"], "hash-1", "OPS-1")
        await other.threads.link(["c@x"], "hash-2", "OPS-2")

        assert await other.threads.thread_ticket(["none@x", "c@x", "a@x"]) == "OPS-2"
        assert await other.threads.thread_ticket(["b@x", "c@x"]) == "OPS-1"
        assert await other.threads.thread_ticket([]) is None

    async def test_ticket_stays(self, store: SqlStore) -> None:
        """A mail that has a ticket keeps it when it is linked without one, and follows it to another."""
        leased_case = await opened(store)
        await leased_case.threads.link(["a@x"], "hash", "OPS-1")
        await leased_case.threads.link(["a@x"], "hash", None)
        assert await leased_case.threads.thread_ticket(["a@x"]) == "OPS-1"

        await leased_case.threads.link(["a@x"], "hash", "OPS-2")

        assert await leased_case.threads.thread_ticket(["a@x"]) == "OPS-2"

    async def test_borrowed_message_id(self, store: SqlStore) -> None:
        """Who reuses another mail's id cannot pull its thread to his ticket."""
        leased_case, thief = await opened(store, 1), await opened(store, 2)
        await thief.threads.link(["a@x"], "hash-2", "OPS-666")
        await leased_case.threads.link(["a@x"], "hash-1", "OPS-1")

        assert await thief.threads.thread_ticket(["a@x"]) == "OPS-1"

    async def test_endless_ids(self, store: SqlStore) -> None:
        """Ids may be longer than an index takes, and more than anybody needs."""
        leased_case = await opened(store)
        long = "x" * 10_000 + "@example.com"
        many = [long, *(f"{number}@example.com" for number in range(50_000))]

        await leased_case.threads.link(many, "hash", "OPS-1")

        assert await leased_case.threads.thread_ticket([long]) == "OPS-1"
        assert await leased_case.threads.thread_ticket(many[1:]) == "OPS-1"

    # --- the lane -----------------------------------------------------------------------------

    async def test_ahead(self, store: SqlStore) -> None:
        """A case waits for the earlier one of its lane until that is finished, and for none of another lane."""
        first, second = await self._in_lane(store, 1, "a@x"), await self._in_lane(store, 2, "a@x")

        assert await second.threads.ahead("a@x") == ("case-1",)
        assert await second.threads.ahead("b@x") == ()
        assert await first.threads.ahead("a@x") == ()
        await store.jobs.postpone(first.lease, 60, "Jira is down")
        assert await second.threads.ahead("a@x") == ("case-1",)

    @pytest.mark.parametrize("how", ["finish", "bury"])
    async def test_nothing_ahead(self, store: SqlStore, how: str) -> None:
        """What is finished or buried holds nobody up."""
        first, second = await self._in_lane(store, 1, "a@x"), await self._in_lane(store, 2, "a@x")
        await (store.jobs.finish(first.lease) if how == "finish" else store.jobs.dead_letter(first.lease, "dead"))

        assert await second.threads.ahead("a@x") == ()

    async def test_ahead_of_unread(self, store: SqlStore) -> None:
        """An earlier mail that nobody has read yet may be of this lane."""
        await store.inbox.accept(mail(1))
        second = await self._in_lane(store, 2, "a@x")

        assert await second.threads.ahead("a@x") == ("case-1",)
        first = store.jobs.open(await leased(store))
        await first.cases.save(full(await first.cases.load()), step())
        assert await second.threads.ahead("a@x") == ()

    async def test_ahead_ends(self, store: SqlStore, clock: HeldClock) -> None:
        """A case that is stuck for an hour is in nobody's way."""
        await self._in_lane(store, 1, "a@x")
        await clock.sleep(1800)
        second = await self._in_lane(store, 2, "a@x")
        await clock.sleep(1799)

        assert await second.threads.ahead("a@x") == ("case-1",)
        await clock.sleep(1)
        assert await second.threads.ahead("a@x") == ()

    async def _in_lane(self, store: SqlStore, number: int, lane: str) -> LeasedCase:
        leased_case = await opened(store, number)
        await leased_case.cases.save(replace(await leased_case.cases.load(), lane=lane), step())
        return leased_case

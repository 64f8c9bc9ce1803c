"""What every store must do with the pages of a case: journal, ledger, thread, approvals, and the report of it all."""

import asyncio
import json
from dataclasses import replace

import pytest
from sqlalchemy import text

from integrations.sql.book import SqlBook
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
from triage.domain.conversation import AgentResult, Role, RunStatus, Said, Turn
from triage.domain.errors import ApprovalClosed
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


async def opened(store: SqlStore, number: int = 1) -> SqlBook:
    """The book of a new mail's case."""
    case = await store.accept(mail(number))
    lease = await store.lease_case(case, "w", 60)
    assert lease is not None
    return store.book(lease)


class PagesContract:
    """All that is written about one case."""

    # --- the case -----------------------------------------------------------------------------

    async def test_load_and_raw(self, store: SqlStore) -> None:
        """A book opens with the case as accepted and the mail as it came."""
        book = await opened(store)

        case = await book.load()

        assert (case.id, case.done, case.message, case.outcome) == (book.lease.case, (), None, None)
        assert mail(1).raw == await book.raw()

    async def test_save(self, store: SqlStore, marks: Marks) -> None:
        """A saved case comes back as it was, with its step in the journal."""
        book = await opened(store)
        case = full(await book.load())

        await book.save(case, step())

        assert case == await book.load()
        assert (await store.report(case.id)).steps == (
            StepLine(at=MORNING, name="classify", ms=12.5, note="bug, High"),
        )
        assert marks.seen[-1] == "step.saved"

    async def test_old_row(self, store: SqlStore) -> None:
        """A case that an older version has written, whole tickets in it, is read, and goes on."""
        book = await opened(store)
        loaded = await book.load()
        await store._database.write(lambda c: c.execute(text("UPDATE cases SET data = :old"), {"old": OLD_CASE}))

        old = await book.load()
        (candidate,) = old.candidates
        assert (old.id, old.done, old.mail.subject) == (loaded.id, DONE_THEN, "Labels are cut off")
        assert (candidate.ticket.key, candidate.ticket.open, candidate.score) == ("OPS-7", True, 0.42)
        assert (candidate.evidence, candidate.excerpt) == (("title: labels",), "")
        await book.save(old, step())
        assert old == await book.load() == (await store.report(old.id)).case

    async def test_lists(self, store: SqlStore) -> None:
        """A list shows who wrote about what and what came of it, the latest first."""
        book = await opened(store, 1)
        await book.save(full(await book.load()), step())
        await store.finish(book.lease)
        await store.accept(mail(2))

        newest, oldest = await store.cases()
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
        assert (newest,) == await store.cases(limit=1)
        assert (oldest,) == await store.cases(state="ticketed")
        assert await store.cases(state="dead") == ()

    async def test_rows_of_an_older_version(self, store: SqlStore) -> None:
        """A case that an older version wrote, and one with keys of a newer one, can be read."""
        book = await opened(store)
        case = await book.load()
        old = {"id": case.id, "source": "file", "received_at": MORNING.isoformat(), "of_a_newer_version": {"a": 1}}

        statement = text("UPDATE cases SET data = :data").bindparams(data=json.dumps(old))
        await store._database.write(lambda c: c.execute(statement).close())

        assert case == await book.load()

    # --- the journal --------------------------------------------------------------------------

    async def test_opening(self, store: SqlStore) -> None:
        """The first messages of a run are kept as sent, and those sent first stand."""
        book = await opened(store)
        assert await book.opening(1) is None

        await book.keep_opening(1, "jira", OPENING)
        await book.keep_opening(1, "jira", (Said(role=Role.USER, text="later"),))

        assert await book.opening(1) == OPENING
        assert await book.opening(2) is None

    async def test_turn(self, store: SqlStore, marks: Marks) -> None:
        """A model's answer is kept whole, and the first one stands."""
        book = await opened(store)
        assert await book.turn(1, 1) is None

        await book.keep_turn(1, 1, TURN, 812.5)
        await book.keep_turn(1, 1, Turn(text="another answer"), 1.0)
        await book.keep_turn(1, 2, Turn(text="done"), 3.0)

        assert await book.turn(1, 1) == TURN
        assert Turn(text="done") == await book.turn(1, 2)
        assert await book.turn(2, 1) is None
        assert marks.seen[-1] == "llm.journalled"

    async def test_tool_result(self, store: SqlStore) -> None:
        """A tool's answer is kept by run and call, and the first one stands."""
        book = await opened(store)
        assert await book.result(1, "call-1") is None

        await book.keep_result(1, "call-1", "read_jira_tickets", "{}", '{"tickets": []}')
        await book.keep_result(1, "call-1", "read_jira_tickets", "{}", "other")

        assert await book.result(1, "call-1") == '{"tickets": []}'
        assert await book.result(2, "call-1") is None

    async def test_run(self, store: SqlStore) -> None:
        """A run is in the report from its opening on, and ends with its result."""
        book = await opened(store)
        await book.keep_opening(1, "jira", OPENING)
        begun = RunLine(
            run=1, profile="jira", status="running", system=OPENING[0].text, user=OPENING[1].text, result=None
        )
        assert (begun,) == (await store.report(book.lease.case)).runs

        await book.keep_run(1, RESULT)

        [ended] = (await store.report(book.lease.case)).runs
        assert (ended.status, ended.profile, ended.system, ended.result) == ("completed", "jira", begun.system, RESULT)
        assert await book.opening(1) == OPENING

    async def test_run_that_never_opened(self, store: SqlStore) -> None:
        """A run that failed before its first message is kept too."""
        book = await opened(store)
        failed = AgentResult(status=RunStatus.ERROR, error="no profile")

        await book.keep_run(3, failed)

        [run] = (await store.report(book.lease.case)).runs
        assert (run.run, run.status, run.result) == (3, "error", failed)

    async def test_report(self, store: SqlStore, clock: HeldClock) -> None:
        """A report joins what the journal, the ledger and the audit know."""
        book = await opened(store)
        case = full(await book.load())
        await book.keep_turn(2, 1, TURN, 812.5)
        await book.event("jira.calls", n=2)
        await clock.sleep(1)
        await book.event("jira.calls", n=1)
        await book.event("note", text="größer", list=[1, None])
        intended = await book.intend(effect(case.id))
        parked = await book.park(approval(case.id))
        await book.save(case, step())
        other = await opened(store, 2)
        await other.event("jira.calls", n=50)

        report = await store.report(case.id)

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
        book = await opened(store)
        case = full(await book.load()).closed(Outcome.IGNORED, HOSTILE)
        nasty = Untrusted(HOSTILE)

        await book.save(case, replace(step(), note=HOSTILE))
        await book.keep_opening(1, "jira", (Said(role=Role.USER, text=HOSTILE),))
        await book.keep_turn(1, 1, Turn(text=HOSTILE, model=HOSTILE), 1)
        await book.keep_result(1, HOSTILE, HOSTILE, HOSTILE, HOSTILE)
        await book.keep_run(1, AgentResult(status=RunStatus.ERROR, final_message=HOSTILE, error=HOSTILE))
        await book.event("seen", text=HOSTILE, nested={HOSTILE: [HOSTILE]})
        await book.park(approval(case.id, HOSTILE))
        await book.link([HOSTILE], "hash", HOSTILE)
        await store.postpone(book.lease, 1, HOSTILE)

        report = await store.report(case.id)
        assert report.turns[0].text.startswith("NUL \0, half a pair")
        assert report.case.reason.endswith("emoji \N{PILE OF POO}, quote ', percent %(x)s :x")
        assert (await book.thread_ticket([nasty]) or "").startswith("NUL")
        assert (await book.result(1, HOSTILE) or "").startswith("NUL")

    # --- the ledger ---------------------------------------------------------------------------

    async def test_intend_once(self, store: SqlStore, marks: Marks) -> None:
        """An intent is kept once; where the key is known, the row as it stands comes back."""
        book = await opened(store)
        first = effect(book.lease.case)
        assert first == await book.intend(first)
        assert marks.seen[-1] == "effect.intent"
        done = settled(first)
        await book.settle(done)

        assert done == await book.intend(first)
        assert (done,) == await book.effects()

    async def test_settle(self, store: SqlStore, marks: Marks) -> None:
        """What became of an effect is kept; only a done one is a landmark."""
        book = await opened(store)
        intent = await book.intend(effect(book.lease.case))
        marks.seen.clear()

        for state in (EffectState.UNKNOWN, EffectState.REFUSED):
            await book.settle(settled(intent, state))
            assert state == (await book.effects())[0].state
        assert marks.seen == []
        await book.settle(settled(intent))

        assert (settled(intent),) == await book.effects()
        assert marks.seen == ["effect.committed"]

    async def test_settle_what_was_never_intended(self, store: SqlStore) -> None:
        """An effect without an intent is a mistake of ours, not a silent nothing."""
        book = await opened(store)

        with pytest.raises(LookupError, match="never intended"):
            await book.settle(effect(book.lease.case))

    async def test_effects_in_order(self, store: SqlStore) -> None:
        """Effects come in the order of their intents, those of other cases apart."""
        book, other = await opened(store, 1), await opened(store, 2)
        for number in (3, 1, 2):
            await book.intend(effect(book.lease.case, number))
            await other.intend(effect(other.lease.case, number))

        assert [e.key for e in await book.effects()] == ["case-1:create:3", "case-1:create:1", "case-1:create:2"]

    async def test_a_file_is_known_by_its_hash(self, store: SqlStore) -> None:
        """Whichever case hung it there; on another ticket, or only intended, it is not there."""
        book, other = await opened(store, 1), await opened(store, 2)
        file = replace(effect(book.lease.case), kind="attach", target="OPS-7", body_hash="f00d")
        await book.intend(file)
        assert not await other.attached("OPS-7", "f00d")

        await book.settle(settled(file))

        assert await other.attached("OPS-7", "f00d")
        assert not await other.attached("OPS-8", "f00d")
        assert not await other.attached("OPS-7", "beef")

    async def test_highest(self, store: SqlStore) -> None:
        """The highest ticket number of a project only rises, whichever case saw it."""
        book, other = await opened(store, 1), await opened(store, 2)
        assert await book.highest("OPS") == 0

        for number in (41, 44, 43):
            await book.saw("OPS", number)
        await other.saw("WEB", 7)

        assert (await other.highest("OPS"), await book.highest("WEB")) == (44, 7)

    # --- approvals ----------------------------------------------------------------------------

    async def test_a_case_knows_what_it_has_parked(self, store: SqlStore) -> None:
        """Its own only, in order, with what was decided."""
        book, other = await opened(store), await opened(store, 2)
        first, second = await book.park(approval("case-1")), await book.park(approval("case-1", "x"))
        await other.park(approval("case-2"))
        decided = await store.decide(first.id, ApprovalState.ACCEPTED, "ada")

        assert await book.approvals() == (decided, second)

    async def test_park_once(self, store: SqlStore) -> None:
        """The same call of the same case waits once; other arguments or another case wait apart."""
        book, other = await opened(store, 1), await opened(store, 2)

        parked = await book.park(approval("case-1"))
        assert parked == await book.park(approval("case-1"))
        longer = await book.park(approval("case-1", "x" * 10_000))
        third = await other.park(approval("case-2"))

        assert (parked, longer, third) == await store.approvals()
        assert len({parked.id, longer.id, third.id}) == 3
        assert (parked.case, parked.arguments) == ("case-1", '{"ticket_key":"OPS-7"}')

    async def test_decide_once(self, store: SqlStore) -> None:
        """One person's word counts, once."""
        book = await opened(store)
        parked = await book.park(approval(book.lease.case))
        words = [store.decide(parked.id, ApprovalState.ACCEPTED, f"p{number}") for number in range(5)]

        said = await asyncio.gather(*words, return_exceptions=True)

        [decided] = [word for word in said if not isinstance(word, BaseException)]
        assert len([word for word in said if isinstance(word, ApprovalClosed)]) == 4
        assert (decided.state, decided.arguments) == (ApprovalState.ACCEPTED, parked.arguments)
        assert await store.approvals() == ()
        assert (await store.report(book.lease.case)).approvals == (decided,)
        assert decided == await book.park(approval(book.lease.case))

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

        first = await books[0].park(wanted(1, "status", "Done"))
        beside = [
            await books[0].park(wanted(1, "comment", "a")),
            await books[1].park(wanted(2, "comment", "b")),
            await books[1].park(wanted(2, "summary", "b")),
            await books[1].park(wanted(2, "status", "Done", "OPS-8")),
        ]
        second = await books[1].park(wanted(2, "status", "In Review"))
        third = await books[2].park(wanted(3, "status", "Done"))

        assert await store.approvals() == (*beside, third)
        [gone] = [one for one in await books[0].approvals() if one.field == "status"]
        assert gone == replace(first, state=ApprovalState.SUPERSEDED, superseded_by=third.id)
        assert [one.id for one in await store.superseded(third.id)] == [first.id, second.id]
        assert await store.superseded(second.id) == ()
        with pytest.raises(ApprovalClosed):
            await store.decide(first.id, ApprovalState.ACCEPTED, "ada")
        assert await books[0].park(wanted(1, "status", "Done")) == first
        assert [one.id for one in await store.superseded(first.id)] == [second.id, third.id]
        await store.decide(first.id, ApprovalState.ACCEPTED, "ada")
        assert (await books[2].park(wanted(3, "status", "Done"))).state is ApprovalState.OPEN
        assert (await books[0].park(wanted(1, "status", "Done"))).state is ApprovalState.ACCEPTED

    async def test_decide_what_nobody_asked(self, store: SqlStore) -> None:
        """There is nothing to decide where nothing waits."""
        with pytest.raises(ApprovalClosed, match="triage approve"):
            await store.decide(7, ApprovalState.REJECTED, "ada")

    # --- the thread ---------------------------------------------------------------------------

    async def test_thread_ticket(self, store: SqlStore) -> None:
        """The ticket of the nearest mail that has one."""
        book, other = await opened(store, 1), await opened(store, 2)
        await book.link(["a@x", "b@x"], "hash-1", None)
        assert await other.thread_ticket(["a@x"]) is None

        await book.link(["a@x", "b@x", "a@x"], "hash-1", "OPS-1")
        await other.link(["c@x"], "hash-2", "OPS-2")

        assert await other.thread_ticket(["none@x", "c@x", "a@x"]) == "OPS-2"
        assert await other.thread_ticket(["b@x", "c@x"]) == "OPS-1"
        assert await other.thread_ticket([]) is None

    async def test_ticket_stays(self, store: SqlStore) -> None:
        """A mail that has a ticket keeps it when it is linked without one, and follows it to another."""
        book = await opened(store)
        await book.link(["a@x"], "hash", "OPS-1")
        await book.link(["a@x"], "hash", None)
        assert await book.thread_ticket(["a@x"]) == "OPS-1"

        await book.link(["a@x"], "hash", "OPS-2")

        assert await book.thread_ticket(["a@x"]) == "OPS-2"

    async def test_borrowed_message_id(self, store: SqlStore) -> None:
        """Who reuses another mail's id cannot pull its thread to his ticket."""
        book, thief = await opened(store, 1), await opened(store, 2)
        await thief.link(["a@x"], "hash-2", "OPS-666")
        await book.link(["a@x"], "hash-1", "OPS-1")

        assert await thief.thread_ticket(["a@x"]) == "OPS-1"

    async def test_endless_ids(self, store: SqlStore) -> None:
        """Ids may be longer than an index takes, and more than anybody needs."""
        book = await opened(store)
        long = "x" * 10_000 + "@example.com"
        many = [long, *(f"{number}@example.com" for number in range(50_000))]

        await book.link(many, "hash", "OPS-1")

        assert await book.thread_ticket([long]) == "OPS-1"
        assert await book.thread_ticket(many[1:]) == "OPS-1"

    # --- the lane -----------------------------------------------------------------------------

    async def test_ahead(self, store: SqlStore) -> None:
        """A case waits for the earlier one of its lane until that is finished, and for none of another lane."""
        first, second = await self._in_lane(store, 1, "a@x"), await self._in_lane(store, 2, "a@x")

        assert await second.ahead("a@x") == ("case-1",)
        assert await second.ahead("b@x") == ()
        assert await first.ahead("a@x") == ()
        await store.postpone(first.lease, 60, "Jira is down")
        assert await second.ahead("a@x") == ("case-1",)

    @pytest.mark.parametrize("how", ["finish", "bury"])
    async def test_nothing_ahead(self, store: SqlStore, how: str) -> None:
        """What is finished or buried holds nobody up."""
        first, second = await self._in_lane(store, 1, "a@x"), await self._in_lane(store, 2, "a@x")
        await (store.finish(first.lease) if how == "finish" else store.bury(first.lease, "dead"))

        assert await second.ahead("a@x") == ()

    async def test_ahead_of_unread(self, store: SqlStore) -> None:
        """An earlier mail that nobody has read yet may be of this lane."""
        await store.accept(mail(1))
        second = await self._in_lane(store, 2, "a@x")

        assert await second.ahead("a@x") == ("case-1",)
        first = store.book(await leased(store))
        await first.save(full(await first.load()), step())
        assert await second.ahead("a@x") == ()

    async def test_ahead_ends(self, store: SqlStore, clock: HeldClock) -> None:
        """A case that is stuck for an hour is in nobody's way."""
        await self._in_lane(store, 1, "a@x")
        await clock.sleep(1800)
        second = await self._in_lane(store, 2, "a@x")
        await clock.sleep(1799)

        assert await second.ahead("a@x") == ("case-1",)
        await clock.sleep(1)
        assert await second.ahead("a@x") == ()

    async def _in_lane(self, store: SqlStore, number: int, lane: str) -> SqlBook:
        book = await opened(store, number)
        await book.save(replace(await book.load(), lane=lane), step())
        return book

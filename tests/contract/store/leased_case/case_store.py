"""What every `CaseStore` must do."""

import json
from dataclasses import replace

import pytest
from sqlalchemy import text

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import (
    HOSTILE,
    MORNING,
    Marks,
    approval,
    effect,
    ended,
    full,
    mail,
    opened,
    step,
)
from triage.domain.cases import Outcome
from triage.domain.conversation import AgentResult, ChatMessage, Role, RunStatus, Turn
from triage.domain.errors import LeaseLost, Paused
from triage.domain.reports import StepLine
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


class CaseStoreContract:
    """The case and its mail."""

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

    async def test_deferred(self, store: SqlStore) -> None:
        """A deferred step is committed with the next write of the case, each with its line; only the last state counts."""
        leased_case = await opened(store)
        case = await leased_case.cases.load()
        for name in ("route", "classify"):
            case = replace(full(case), done=(*case.done, name))
            await leased_case.cases.save(case, step(name), deferred=True)
        assert (await store.archive.report(case.id)).steps == ()

        await leased_case.ledger.intend(effect(case.id))

        report = await store.archive.report(case.id)
        assert ([line.name for line in report.steps], report.case) == (["route", "classify"], case)
        await leased_case.cases.flush()
        assert report.steps == (await store.archive.report(case.id)).steps

    async def test_load_what_was_deferred(self, store: SqlStore) -> None:
        """The worker that gives a case up goes on from its last step, deferred or not."""
        leased_case = await opened(store)
        case = full(await leased_case.cases.load())

        await leased_case.cases.save(case, step(), deferred=True)

        assert case == await leased_case.cases.load() == (await store.archive.report(case.id)).case

    async def test_deferred_outlives_a_refused_intent(self, store: SqlStore) -> None:
        """A write that is rolled back takes nothing with it: what was deferred comes with the next one."""
        leased_case = await opened(store)
        case = full(await leased_case.cases.load())
        await leased_case.cases.save(case, step(), deferred=True)
        await store.kill_switch.pause("Ada", "a storm")

        with pytest.raises(Paused):
            await leased_case.ledger.intend(effect(case.id))
        assert (await store.archive.report(case.id)).steps == ()
        await leased_case.cases.flush()

        assert [line.name for line in (await store.archive.report(case.id)).steps] == ["classify"]

    async def test_deferred_without_a_lease(self, store: SqlStore) -> None:
        """Who has lost the case commits nothing that he deferred."""
        leased_case = await opened(store)
        case = full(await leased_case.cases.load())
        await leased_case.cases.save(case, step(), deferred=True)
        await store.jobs.open(leased_case.lease).cases.finish()

        with pytest.raises(LeaseLost):
            await leased_case.cases.flush()
        assert (await store.archive.report(case.id)).steps == ()

    async def test_old_row(self, store: SqlStore) -> None:
        """A case that an older version has written, whole tickets in it, is read, and goes on."""
        leased_case = await opened(store)
        loaded = await leased_case.cases.load()
        await store._database.write(lambda c: c.execute(text("UPDATE cases SET data = :old"), {"old": OLD_CASE}))

        old = await leased_case.cases.load()
        (candidate,) = old.retrieval.candidates
        assert (old.id, old.done, old.mail.subject) == (loaded.id, DONE_THEN, "Labels are cut off")
        assert (candidate.ticket.key, candidate.ticket.open, candidate.probability) == ("OPS-7", True, 0.42)
        assert (candidate.evidence, candidate.excerpt) == (("title: labels",), "")
        await leased_case.cases.save(old, step())
        assert old == await leased_case.cases.load() == (await store.archive.report(old.id)).case

    async def test_rows_of_an_older_version(self, store: SqlStore) -> None:
        """A case that an older version wrote, and one with keys of a newer one, can be read."""
        leased_case = await opened(store)
        case = await leased_case.cases.load()
        old = {"id": case.id, "source": "file", "received_at": MORNING.isoformat(), "of_a_newer_version": {"a": 1}}

        statement = text("UPDATE cases SET data = :data").bindparams(data=json.dumps(old))
        await store._database.write(lambda c: c.execute(statement).close())

        assert case == await leased_case.cases.load()

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

    async def test_peek(self, store: SqlStore) -> None:
        """Another case as it stands, and none where there is none."""
        first, second = await opened(store, 1), await opened(store, 2)
        await ended(second, "OPS-2")

        assert await first.cases.peek("case-2") == await second.cases.load()
        assert (await first.cases.peek("case-3"), await first.cases.peek("another")) == (None, None)

"""Every case ends in one way, whoever ended it: its thread is tied to its ticket, and the index knows of it."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from cli.mail.process import worked
from tests.e2e.opened import ADA, again, house, judge, take
from tests.e2e.scripted_model import ScriptedModel
from tests.e2e.triage.services.decisions import CLOSE, FIXED, SEARCH, decided, mail, proposing
from tests.servers.sandbox import RunningJira
from triage.domain.approvals import ApprovalState
from triage.domain.cases import Outcome
from triage.policy.decision.run_record import is_settled
from triage.services.intake import received_from_file
from triage_sandbox.jira import Fault
from triage_sandbox.openai_app import openai_app
from triage_sandbox.server import Served

ANSWER = mail(2, "One more thing about it.", In_Reply_To="<1@example.com>", Subject="Re: Queue depth alarm")


async def test_an_answer_finds_the_ticket_of_an_approval(tmp_path: Path, any_jira: RunningJira) -> None:
    """A mail whose only effect was approved by a person has a thread: the answer joins that ticket."""
    async with proposing(any_jira, tmp_path, SEARCH, CLOSE) as opened:
        waiting = await take(opened, raw=FIXED)
        done = await decided(opened, waiting)
        ticket = await opened.tracker.tickets.get("HARB-45")
    async with house(any_jira, tmp_path) as opened:
        answer = await take(opened, raw=ANSWER)

    assert (waiting.case.outcome, waiting.case.ticket) == (Outcome.WAITING, None)
    assert (done.case.outcome, done.case.ticket, ticket.open) == (Outcome.UPDATED, "HARB-45", False)
    assert done.case.reason.startswith("HARB-45: moved to Done. ada accepted it.")
    assert "thread of HARB-45" in next(step.note for step in answer.steps if step.name == "identify")
    assert answer.case.ticket == "HARB-45"


@pytest.mark.parametrize("counted", [12, 10], ids=["parked", "running"])
async def test_a_case_of_the_version_before_ends_rightly(tmp_path: Path, cloud_jira: RunningJira, counted: int) -> None:
    """A row whose steps an older version has counted goes on at the step after those, and ends as any other."""
    async with proposing(cloud_jira, tmp_path, SEARCH, CLOSE) as opened:
        waiting = await take(opened, raw=FIXED)
    with closing(sqlite3.connect(tmp_path / "triage.db")) as books, books:
        old = json.loads(books.execute("SELECT data FROM cases").fetchone()[0])
        del old["done"]
        for record in ("identity", "classification", "retrieval"):
            old |= old.pop(record)
        old["position"] = counted
        if counted < 12:
            books.execute("UPDATE cases SET outcome = NULL")
            books.execute("UPDATE jobs SET state = 'ready', due = '2000-01-01 00:00:00.000000'")
            old |= {"outcome": None, "reason": "", "review": None}
        books.execute("UPDATE cases SET data = ?", [json.dumps(old)])
    async with house(cloud_jira, tmp_path) as opened:
        await worked(opened, waiting.case.id)
        ended = await opened.store.archive.report(waiting.case.id)
        done = await decided(opened, ended)

    names = [step.name for step in done.steps]
    assert (ended.case.outcome, ended.case.reason) == (waiting.case.outcome, waiting.case.reason)
    assert (done.case.outcome, done.case.ticket, names.count("act")) == (Outcome.UPDATED, "HARB-45", 1)
    assert names[12:] == [*(["review", "dispatch"] if counted < 12 else []), "decision", *names[8:12]]


async def test_a_decision_while_a_worker_has_the_case(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A word is taken at any time; what the worker that has the case does not see is carried out by the next one, once."""
    async with proposing(cloud_jira, tmp_path, SEARCH, CLOSE) as opened:
        waiting = await take(opened, raw=FIXED)
        lease = await opened.store.jobs.claim(waiting.case.id, "busy", 60)
        decided = await opened.approvals.accept(waiting.approvals[0].id, ADA)
        settled = is_settled(await opened.store.archive.report(waiting.case.id))
        await opened.store.jobs.open(lease).cases.finish()
        await opened.worker.drain()
        done = await opened.store.archive.report(waiting.case.id)

    assert (decided.state, settled) == (ApprovalState.ACCEPTED, False)
    assert (done.case.outcome, done.case.ticket, len(done.effects)) == (Outcome.UPDATED, "HARB-45", 1)
    assert len(cloud_jira.requests("POST", "transitions")) == 1
    assert [step.name for step in done.steps][-5:] == ["decision", "settle", "attach", "review", "dispatch"]


async def test_what_a_person_rejects_ends_the_case(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Nothing is written and nothing waits; the reason says who said no, and to what."""
    async with proposing(cloud_jira, tmp_path, SEARCH, CLOSE) as opened:
        done = await decided(opened, await take(opened, raw=FIXED), accept=False)
        ticket = await opened.tracker.tickets.get("HARB-45")

    assert (done.case.outcome, done.effects, ticket.open) == (Outcome.IGNORED, (), True)
    assert done.case.reason.startswith("ada rejected this: HARB-45 would move to Done")


async def test_a_decision_outlives_a_jira_that_is_down(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A person has spoken once: what could not be done then is done by the next worker, without asking again."""
    async with proposing(cloud_jira, tmp_path, SEARCH, CLOSE) as opened:
        waiting = await take(opened, raw=FIXED)
        cloud_jira.fault(Fault(do="answer", status=503, path="transitions", count=0))
        down = await decided(opened, waiting)
        cloud_jira.app.faults.clear()
        lease = await opened.store.jobs.claim(waiting.case.id, "test", 60)
        await opened.store.jobs.postpone(lease, 0, "", counted=False)
        await worked(opened, waiting.case.id)
        done = await opened.store.archive.report(waiting.case.id)

    assert (down.case.outcome, down.approvals[0].state, bool(down.trouble)) == (None, ApprovalState.ACCEPTED, True)
    assert (done.case.outcome, done.case.ticket, len(done.effects)) == (Outcome.UPDATED, "HARB-45", 1)
    assert len(cloud_jira.requests("POST", "transitions")) >= 1


async def test_what_cannot_be_done_any_more_is_told(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A ticket that went meanwhile: the case waits for a person again and says why."""
    async with proposing(cloud_jira, tmp_path, SEARCH, CLOSE) as opened:
        waiting = await take(opened, raw=FIXED)
        with cloud_jira.api() as api:
            api.delete("/issue/HARB-45", params={"deleteSubtasks": "true"}).raise_for_status()
        done = await decided(opened, waiting)

    assert done.case.outcome is Outcome.WAITING
    assert "ada accepted this: HARB-45 would move to Done" in done.case.reason
    assert "HARB-45" in done.case.reason.partition("; but ")[2]


async def test_a_replay_does_what_was_accepted_no_second_time(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Decided anew, the same proposal is neither parked for ever nor done twice."""
    async with proposing(cloud_jira, tmp_path, SEARCH, CLOSE) as opened:
        done = await decided(opened, await take(opened, raw=FIXED))
        moved = len(cloud_jira.requests("POST", "transitions"))
        await opened.cases.replay(done.case.id)
        await worked(opened, done.case.id)
        again = await opened.store.archive.report(done.case.id)

    assert (again.case.outcome, again.case.ticket, again.case.run) == (Outcome.UPDATED, "HARB-45", 2)
    assert len(cloud_jira.requests("POST", "transitions")) == moved == 1


async def test_a_case_that_a_worker_gives_up_keeps_its_thread(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A ticket was made, then the case was handed to a person: the answer joins that ticket all the same."""

    def failing(name: str) -> None:
        if name == "step.attach":
            raise RuntimeError(name)

    async with house(cloud_jira, tmp_path, MAX_ATTEMPTS="1") as opened:
        broken = replace(
            opened.worker, services=lambda leased: replace(opened.worker.services(leased), failpoint=failing)
        )
        zebra = mail(1, "A wholly new matter: the zebra importer eats commas.", Subject="Zebra")
        case = await opened.intake.accept(received_from_file("1", zebra, opened.worker.clock.now()))
        await broken.handle(case)
        report = await opened.store.archive.report(case)
        answer = await take(opened, raw=mail(2, "And tabs.", In_Reply_To="<1@example.com>", Subject="Re: Zebra"))

    assert (report.case.outcome, answer.case.ticket) == (Outcome.WAITING, report.case.ticket)
    assert "a person has to look: unexpected RuntimeError" in report.case.reason
    assert judge(cloud_jira, tmp_path).created() == [report.case.ticket]


def test_approve_shows_what_came_of_it(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """From a shell, with no worker running: the decision is carried out here and its end is printed."""
    installation = judge(cloud_jira, tmp_path)
    with Served(openai_app(ScriptedModel(SEARCH, CLOSE))) as served:
        installation.model_url = served.url
        (installation.folder / "1.eml").write_bytes(FIXED)
        installation.triage("process", "1.eml")
        done = installation.triage("approve", "1")
    report = installation.json("show", "1")

    assert done.stdout.decode().split(", ", 1)[0] == "case-1: updated"
    assert "moved to Done" in done.stdout.decode()
    assert [step["name"] for step in report["steps"]][-5:] == ["decision", "settle", "attach", "review", "dispatch"]
    assert json.loads(report["approvals"][0]["arguments"])["ticket_key"] == report["case"]["ticket"]


@pytest.fixture(autouse=True)
def _clean(cloud_jira: RunningJira) -> None:
    """No fault of an earlier test."""
    cloud_jira.app.faults.clear()


async def test_the_sentence_tells_what_jira_has(tmp_path: Path, any_jira: RunningJira) -> None:
    """A model that boasts: report and list tell type, priority and owner as written, not as wished or said."""
    wish = {"summary": "Zebra importer", "description": "x", "issue_type": "Bug", "priority": "Highest"}
    turns = (SEARCH, ("create_jira_ticket", wish))
    async with proposing(any_jira, tmp_path, *turns) as opened:
        report = await take(opened, raw=mail(1, "The zebra importer is down, urgent!", Subject="Zebra"))
        ticket = await opened.tracker.tickets.get(report.case.ticket or "")
        (line,) = await opened.store.archive.cases()

    assert (report.case.identity.trust, ticket.priority) == ("unverified", "High")
    assert report.case.reason.startswith(f"Created {ticket.key} (Bug, High). ")
    assert "Highest" not in report.case.reason
    assert line.reason == report.case.reason


async def test_a_ticket_found_again_is_told_as_it_is(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """The answer to the create was lost: what the ticket holds is read back before anything is said of it."""
    wish = {"summary": "Zebra importer", "description": "x", "issue_type": "Bug", "priority": "Low"}
    turns = (SEARCH, ("create_jira_ticket", wish))
    async with proposing(cloud_jira, tmp_path, *turns) as opened:
        cloud_jira.fault(Fault(do="reset_after", method="POST", path="issue", count=1))
        case = await opened.intake.accept(
            received_from_file("1", mail(1, "The zebra importer eats commas."), opened.worker.clock.now())
        )
        await opened.worker.handle(case)
        with cloud_jira.api() as api:
            (made,) = judge(cloud_jira, tmp_path).created()
            api.put(f"/issue/{made}", json={"fields": {"priority": {"name": "High"}}}).raise_for_status()
        report = await again(opened, await opened.store.archive.report(case))

    assert report.case.reason.startswith(f"Created {made} (Bug, High).")

"""Jira or the model in trouble: each ends in a visible state, nothing is lost, nothing is written twice."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from cli.demo.prompt_reader import PromptReader
from cli.mail.process import prepared, worked
from cli.wiring.app import App
from tests.e2e.opened import ADA, FIXED, KNOWN, NEW, again, delete, house, judge, modelled, take
from tests.servers.sandbox import RunningJira
from triage.domain.approvals import ApprovalState
from triage.domain.cases import Case, Outcome
from triage.domain.conversation import Turn
from triage.domain.effects import EffectState
from triage_sandbox.jira import Fault
from triage_sandbox.openai_app import Reply, Script, openai_app
from triage_sandbox.server import Served

Open = Callable[..., AsyncIterator[App]]


@pytest.mark.parametrize(
    ("fault", "hint"),
    [
        (Fault(do="answer", status=503), "does not answer"),
        (Fault(do="answer", status=500), "does not answer"),
        (Fault(do="answer", status=429, headers={"Retry-After": "60"}), "slow down"),
        (Fault(do="answer", status=401), "does not accept our account"),
        (Fault(do="answer", status=403), "does not accept our account"),
        (Fault(do="login_page"), "does not accept our account"),
        (Fault(do="truncate"), "does not answer, or not as Jira"),
        (Fault(do="reset"), "does not answer, or not as Jira"),
        (Fault(do="anonymous"), "does not accept our account"),
    ],
    ids=lambda x: f"{x.do}-{x.status}" if isinstance(x, Fault) else "",
)
async def test_a_search_that_fails_is_never_no_ticket(
    tmp_path: Path, cloud_jira: RunningJira, fault: Fault, hint: str
) -> None:
    """While Jira does not answer a search the mail waits, visibly; afterwards, by another process, it becomes one ticket."""
    async with house(cloud_jira, tmp_path) as opened:
        cloud_jira.fault(replace(fault, path="search", count=0))
        waiting = await take(opened)
    cloud_jira.app.faults.clear()
    async with house(cloud_jira, tmp_path) as opened:
        done = await again(opened, waiting)

    assert (waiting.case.outcome, hint in waiting.trouble) == (None, True), waiting.trouble
    assert (done.case.outcome, done.trouble) == (Outcome.TICKETED, "")
    assert judge(cloud_jira, tmp_path).created() == [done.case.ticket]


async def test_a_project_that_is_hidden_for_an_hour(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """While our account may not see the project, by a wrong key or a right taken away, the mail waits; then it goes on by itself."""
    async with house(cloud_jira, tmp_path, JIRA_PROJECT_KEY="NOPE") as opened:
        waiting = await take(opened)
    async with house(cloud_jira, tmp_path) as opened:
        done = await again(opened, waiting)

    assert (waiting.case.outcome, "no such project" in waiting.trouble) == (None, True), waiting.trouble
    assert (done.case.outcome, done.trouble) == (Outcome.TICKETED, "")


@pytest.mark.parametrize("do", ["reset", "reset_after", "truncate", "login_page"])
@pytest.mark.parametrize("status", [500])
async def test_a_lost_answer_makes_no_second_ticket(
    tmp_path: Path, any_jira: RunningJira, do: str, status: int
) -> None:
    """When the answer to the one POST is lost the ticket is looked for, adopted or sent once more: never twice."""
    async with house(any_jira, tmp_path) as opened:
        any_jira.fault(Fault(do=do, method="POST", path="/issue$", status=status))  # type: ignore[arg-type]
        report = await take(opened)
        if report.case.outcome is None:
            report = await again(opened, report)

    assert report.case.outcome is Outcome.TICKETED
    assert judge(any_jira, tmp_path).created() == [report.case.ticket]


async def test_a_lost_answer_and_a_late_look(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A ticket whose creation got no answer is found again even when the search index does not know it yet."""
    async with house(cloud_jira, tmp_path) as opened:
        cloud_jira.fault(Fault(do="reset_after", method="POST", path="/issue$"))
        first = await take(opened)
        effect = first.effects[0] if first.effects else None
        report = first if first.case.outcome else await again(opened, first)

    assert effect
    assert report.effects[0].state is EffectState.DONE
    assert judge(cloud_jira, tmp_path).created() == [report.case.ticket]


async def test_a_refused_field_is_dropped_and_told(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A 400 that names a field costs that field, not the ticket."""
    body = {"errorMessages": [], "errors": {"priority": "Field 'priority' cannot be set."}}
    cloud_jira.fault(Fault(do="answer", method="POST", path="/issue$", status=400, body=body))
    async with house(cloud_jira, tmp_path) as opened:
        report = await take(opened)

    assert (report.case.outcome, report.effects[0].note) == (Outcome.TICKETED, "without priority")


async def test_a_thread_whose_ticket_is_gone_starts_anew(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A reply to a deleted ticket becomes a ticket of its own."""
    async with house(cloud_jira, tmp_path) as opened:
        first = await take(opened, "04-signature-upload.eml")
        await delete(cloud_jira, str(first.case.ticket))
        second = await take(opened, "05-signature-upload-detail.eml")

    assert second.case.outcome is Outcome.TICKETED
    assert second.case.ticket != first.case.ticket
    assert "ticket-gone" in second.case.flags


# --- the model ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        Reply(status=401, body=b'{"error": {"message": "no"}}'),
        Reply(status=404, body=b'{"error": {"message": "no such model", "code": "model_not_found"}}'),
        Reply(status=500, body=b"oops", headers={"x-should-retry": "false"}),
        Reply(status=429, body=b"{}", headers={"retry-after": "300"}),
        Reply(status=200, body=b"<html>hello</html>"),
        Reply(status=200, body=b'{"choices": []}'),
        Reply(status=200, body=b'{"choices": [{"mess'),
    ],
    ids=["401", "404", "500", "429", "html", "no-choice", "cut"],
)
async def test_while_the_model_is_down_the_mail_waits(tmp_path: Path, cloud_jira: RunningJira, reply: Reply) -> None:
    """A model that refuses, fails or talks nonsense makes the mail wait, with the reason; nothing is written."""
    async with modelled(cloud_jira, tmp_path, Script(reply)) as (opened, _):
        report = await take(opened)

    assert (report.case.outcome, bool(report.trouble)) == (None, True)
    assert judge(cloud_jira, tmp_path).created() == []


async def test_after_some_patience_the_playbook_decides(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """When the model stays away the playbook makes the ticket and marks it for review."""
    down = Script(Reply(status=500, body=b"", headers={"x-should-retry": "false"}))
    async with modelled(cloud_jira, tmp_path, down, MODEL_PATIENCE="0") as (opened, _):
        report = await take(opened)
        ticket = await opened.tracker.tickets.get(str(report.case.ticket))

    assert (report.case.outcome, report.case.result and report.case.result.model) == (Outcome.TICKETED, "playbook")
    assert "needs-review" in ticket.labels


async def test_too_long_for_the_model(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A mail that the model cannot hold is asked again shorter, then decided by the playbook."""
    async with house_with_small_model(cloud_jira, tmp_path) as opened:
        report = await take(opened)

    assert (report.case.outcome, report.case.run) == (Outcome.TICKETED, 3)
    assert {"model-overflow", "model-down"} <= set(report.case.flags)


@asynccontextmanager
async def house_with_small_model(jira: RunningJira, folder: Path) -> AsyncIterator[App]:
    """A model that can read next to nothing."""
    with Served(openai_app(PromptReader(), context=100)) as served:
        async with house(jira, folder, OPENAI_BASE_URL=f"{served.url}/v1", OPENAI_API_KEY="x") as opened:
            yield opened


async def test_a_model_that_does_nothing_ends_no_mail(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A model cannot make a mail disappear by saying that nothing is to be done: a person looks."""
    async with modelled(cloud_jira, tmp_path, Script(Turn(text="This is spam."))) as (opened, _):
        report = await take(opened)

    assert (report.case.outcome, "This is spam." in report.case.reason) == (Outcome.WAITING, True)


async def decide(opened: App, approval: int, *, accept: bool = True) -> Case:
    """What becomes of the case once a person has spoken."""
    decided = await (opened.approvals.accept if accept else opened.approvals.ignore)(approval, ADA)
    await worked(opened, decided.case)
    return (await opened.store.archive.report(decided.case)).case


# --- people ---------------------------------------------------------------------------------------


async def test_an_approval_does_what_was_shown(tmp_path: Path, any_jira: RunningJira) -> None:
    """Accepting moves the ticket to done, once; the case ends as what was written."""
    async with house(any_jira, tmp_path) as opened:
        await prepared(opened)
        report = await take(opened, FIXED)
        (parked,) = report.approvals
        before = await opened.tracker.tickets.get("HARB-45")
        case = await decide(opened, parked.id)
        after = await opened.tracker.tickets.get("HARB-45")
        later = await opened.store.archive.report(report.case.id)

    assert (report.case.outcome, before.open, after.open) == (Outcome.WAITING, True, False)
    assert (case.outcome, later.approvals[0].state, later.approvals[0].by) == (
        Outcome.UPDATED,
        ApprovalState.ACCEPTED,
        "ada",
    )


async def test_a_rejection_leaves_it_undone(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Rejecting changes nothing in Jira and closes the case."""
    async with house(cloud_jira, tmp_path) as opened:
        await prepared(opened)
        report = await take(opened, FIXED)
        case = await decide(opened, report.approvals[0].id, accept=False)
        ticket = await opened.tracker.tickets.get("HARB-45")

    assert (case.outcome, ticket.open) == (Outcome.IGNORED, True)


async def test_a_dry_run_writes_nothing(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A dry run says what would be done, and Jira is only read."""
    async with house(cloud_jira, tmp_path, dry_run=True) as opened:
        await prepared(opened)
        new, known = await take(opened, NEW), await take(opened, KNOWN)

    assert (new.case.outcome, known.case.outcome, known.case.ticket) == (
        Outcome.TICKETED,
        Outcome.COMMENTED,
        "HARB-12",
    )
    assert (judge(cloud_jira, tmp_path).created(), judge(cloud_jira, tmp_path).comments("HARB-12")) == ([], [])
    assert not (tmp_path / "triage.db").exists()


# --- bad mail -------------------------------------------------------------------------------------

"""A person corrects person, type and priority of a ticket: written once, remembered as his, and taken back."""

import signal
from pathlib import Path

import pytest

from cli.wiring.app import App
from tests.e2e.installation import MAILS, Installation
from tests.e2e.opened import ADA, house, take
from tests.servers.sandbox import RunningJira
from triage.domain.reports import Report
from triage.domain.tickets import Ticket
from triage.policy.approvals.amendment import WantedChange
from triage.policy.decision.agreement.changelog import OverruledDecision
from triage.services.agreement.changelog import AgreementService

ALL = WantedChange(assignee="Priya Raman", issue_type="Task", priority="Low")


async def corrected(opened: App, case: str, wanted: WantedChange) -> Report:
    """Order it, and let the worker carry it out."""
    await opened.amending.order(await opened.amending.plan(case, wanted), ADA)
    await opened.worker.drain()
    return await opened.reports.report(case)


def fields(ticket: Ticket) -> tuple[str, str, str | None]:
    """The three that people correct."""
    return str(ticket.assignee.name) if ticket.assignee else "", ticket.issue_type, ticket.priority


async def test_it_is_written_remembered_and_taken_back(tmp_path: Path, any_jira: RunningJira) -> None:
    """The ticket has the new values by one request, agreement counts them as a person's word, insights as a correction; undo sets them back."""
    async with house(any_jira, tmp_path) as opened:
        report = await take(opened)
        key, before = report.case.ticket or "", len(any_jira.requests("PUT", "/issue/"))
        was = fields(await opened.tracker.tickets.get(key))
        done = await corrected(opened, report.case.id, ALL)
        now = fields(await opened.tracker.tickets.get(key))
        sent = len(any_jira.requests("PUT", "/issue/")) - before
        service = AgreementService(tracker=opened.tracker, amended=opened.store.insights.amended)
        (judged,) = await service.tickets(7, lambda *_: None)
        (corrections,) = await opened.store.insights.corrected()
        await opened.approvals.undo(report.case.id, ADA)
        await opened.worker.drain()
        back = await opened.reports.report(report.case.id)

    assert (now, sent) == (("Priya Raman", "Task", "Low"), 1)
    assert f"ada corrected: {key}: assignee" in done.case.reason
    assert done.case.outcome == report.case.outcome
    people = {kind for kind, change in judged.decided.items() if change and change.author_name == "ada"}
    assert {OverruledDecision.TYPE, OverruledDecision.PRIORITY} <= people
    assert corrections.n == 1
    assert f"type Task → {was[1]}" in back.case.reason


async def test_what_moved_on_meanwhile_stays(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A field that somebody changed between look and write is left to him; the others are written."""
    async with house(cloud_jira, tmp_path) as opened:
        report = await take(opened)
        key = report.case.ticket or ""
        plan = await opened.amending.plan(report.case.id, WantedChange(issue_type="Task", priority="Low"))
        with cloud_jira.api() as api:
            api.put(f"/issue/{key}", json={"fields": {"priority": {"name": "Lowest"}}}).raise_for_status()
        await opened.amending.order(plan, ADA)
        await opened.worker.drain()
        done, ticket = await opened.reports.report(report.case.id), await opened.tracker.tickets.get(key)

    assert (ticket.issue_type, ticket.priority) == ("Task", "Lowest")
    assert f"priority of {key} is Lowest meanwhile and stays" in done.case.reason


@pytest.mark.parametrize("point", ["effect.on_wire", "approval.executed"])
def test_killed_anywhere_it_is_written_once(installation: Installation, point: str) -> None:
    """Whoever goes on finishes it; the command shows first what would change."""
    installation.triage("process", str(MAILS / "01-barcode-cut-off.eml"))
    key = installation.json("show", "1")["case"]["ticket"]
    shown = installation.triage("correct", "1", "--priority", "low", "--preview").stdout.decode()
    before = len(installation.jira.requests("PUT", f"/issue/{key}"))
    died = installation.triage("correct", "1", "--priority", "low", TRIAGE_CRASH_AT=point)
    installation.triage("work", "--until-idle")
    report = installation.json("show", "1")

    assert "would get priority" in shown
    assert died.returncode == -signal.SIGKILL, died.stderr.decode()
    assert "→ Low" in report["case"]["reason"]
    assert len(installation.jira.requests("PUT", f"/issue/{key}")) - before == 1

"""Sprints and owners without a model: what is urgent goes into the running sprint, and the reports say so."""

from pathlib import Path

from cli.mail.process import worked
from tests.e2e.opened import house
from tests.e2e.triage.services.decisions import mail
from tests.servers.sandbox import RunningJira
from triage.domain.mail import Received


async def test_owner_and_points_are_told(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """With assignment switched on and no model, the sentence says whose the ticket is and why."""
    billing = mail(1, "The invoice PDF shows a wrong total, VAT is added twice.", Subject="Invoice total wrong")
    async with house(cloud_jira, tmp_path, ENABLE_SMART_ASSIGNMENT="true", MAY_BE_DUPLICATE_FROM="1") as opened:
        at = opened.worker.clock.now()
        case = await opened.intake.accept(Received(source="demo", source_id="1", raw=billing, at=at))
        await worked(opened, case)
        report = await opened.store.archive.report(case)
        ticket = await opened.tracker.tickets.get(report.case.ticket or "")

    assert ticket.assignee is not None
    assert f"for {ticket.assignee.name})" in report.case.reason
    assert f"{ticket.assignee.name} has {report.case.retrieval.proposals[0].score:g} points: " in report.case.reason

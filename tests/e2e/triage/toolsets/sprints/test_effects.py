"""A ticket is put into the running sprint."""

from pathlib import Path

from cli.mail.process import worked
from cli.wiring.app import App
from tests.e2e.service.test_trouble import house
from tests.e2e.triage.services.test_cases import mail
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Outcome
from triage.domain.mail import Received, Trust
from triage.domain.reports import Report

URGENT = mail(1, "The zebra importer is down for all depots, this is urgent!", Subject="Zebra importer down")


async def brought(opened: App, verdict: Trust) -> Report:
    """The urgent mail from a sender of whom our provider says this."""
    at = opened.worker.clock.now()
    case = await opened.intake.accept(Received(source="demo", source_id="1", raw=URGENT, at=at, verdict=verdict))
    await worked(opened, case)
    return await opened.store.archive.report(case)


def emptied(jira: RunningJira) -> None:
    """A running sprint with room."""
    with jira.app.site.db.write():
        jira.app.site.db.run("UPDATE issue SET sprint = NULL WHERE sprint = 2 AND id % 7 != 0")


def in_sprint(jira: RunningJira, key: str) -> bool:
    """Jira's own word."""
    path = "/search/jql" if jira.cloud else "/search"
    with jira.api() as api:
        found = api.get(path, params={"jql": f"key = {key} AND sprint in openSprints()", "fields": "summary"})
    return bool(found.raise_for_status().json()["issues"])


async def test_an_urgent_ticket_is_in_the_running_sprint(tmp_path: Path, any_jira: RunningJira) -> None:
    """From a proven sender and with room there: at once, and the sentence names the sprint."""
    emptied(any_jira)
    async with house(any_jira, tmp_path, ENABLE_SPRINTS="true") as opened:
        report = await brought(opened, Trust.VERIFIED)
        (line,) = await opened.store.archive.cases()

    assert (report.case.outcome, in_sprint(any_jira, report.case.ticket or "")) == (Outcome.TICKETED, True)
    assert report.case.reason.startswith(f"Created {report.case.ticket} (Bug, Highest, in HARB Sprint 12).")
    assert line.reason == report.case.reason

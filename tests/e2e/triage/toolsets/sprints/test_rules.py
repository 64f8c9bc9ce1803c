"""Who may put a ticket into a sprint, and when."""

from pathlib import Path

import pytest

from cli.mail.process import worked
from cli.wiring.app import App
from tests.e2e.service.test_trouble import house
from tests.e2e.triage.services.test_cases import decided, mail
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


async def test_a_full_sprint_holds_back_the_sprint_alone(tmp_path: Path, any_jira: RunningJira) -> None:
    """The ticket is made at once without it; a yes of a person puts it there."""
    async with house(any_jira, tmp_path, ENABLE_SPRINTS="true") as opened:
        waiting = await brought(opened, Trust.VERIFIED)
        before = in_sprint(any_jira, waiting.case.ticket or "")
        done = await decided(opened, waiting)

    assert (waiting.case.outcome, bool(waiting.case.ticket), before) == (Outcome.WAITING, True, False)
    assert waiting.case.reason.startswith(f"Created {waiting.case.ticket} (Bug, Highest). ")
    assert "holds as much as usual already" in waiting.case.reason
    assert (done.case.outcome, in_sprint(any_jira, waiting.case.ticket or "")) == (Outcome.TICKETED, True)
    assert f"{waiting.case.ticket}: put into the sprint. ada accepted it." in done.case.reason


@pytest.mark.parametrize("verdict", [Trust.UNVERIFIED, Trust.FAILED])
async def test_who_is_not_proven_puts_nothing_there(tmp_path: Path, cloud_jira: RunningJira, verdict: Trust) -> None:
    """An unproven sender's is proposed to a person, a failed one's is not even that; the ticket exists."""
    emptied(cloud_jira)
    async with house(cloud_jira, tmp_path, ENABLE_SPRINTS="true") as opened:
        report = await brought(opened, verdict)

    assert not in_sprint(cloud_jira, report.case.ticket or "")
    assert "Highest" not in report.case.reason
    assert len(report.approvals) == (1 if verdict is Trust.UNVERIFIED else 0)

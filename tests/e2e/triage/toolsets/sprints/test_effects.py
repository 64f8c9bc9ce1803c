"""A ticket is put into the running sprint."""

from pathlib import Path

from tests.e2e.opened import house
from tests.e2e.triage.toolsets.sprints.sprint_house import brought, emptied, in_sprint
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Outcome
from triage.domain.mail import Trust


async def test_an_urgent_ticket_is_in_the_running_sprint(tmp_path: Path, any_jira: RunningJira) -> None:
    """From a proven sender and with room there: at once, and the sentence names the sprint."""
    emptied(any_jira)
    async with house(any_jira, tmp_path, ENABLE_SPRINTS="true") as opened:
        report = await brought(opened, Trust.VERIFIED)
        (line,) = await opened.store.archive.cases()

    assert (report.case.outcome, in_sprint(any_jira, report.case.ticket or "")) == (Outcome.TICKETED, True)
    assert report.case.reason.startswith(f"Created {report.case.ticket} (Bug, Highest, in HARB Sprint 12).")
    assert line.reason == report.case.reason

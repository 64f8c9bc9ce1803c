"""Who may put a ticket into a sprint, and when."""

from pathlib import Path

import pytest

from tests.e2e.opened import house
from tests.e2e.triage.services.decisions import decided
from tests.e2e.triage.toolsets.sprints.sprint_house import brought, emptied, in_sprint
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Outcome
from triage.domain.mail import Trust


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

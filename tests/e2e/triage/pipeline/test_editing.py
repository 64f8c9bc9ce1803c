"""What a person changes in a proposal is resolved and judged as the proposal was; then exactly that is done, once."""

import json
from pathlib import Path

import pytest

from tests.e2e.opened import ADA, take
from tests.e2e.triage.services.decisions import CLOSE, FIXED, SEARCH, proposing
from tests.servers.sandbox import RunningJira
from triage.domain.approvals import ApprovalState
from triage.domain.cases import Outcome
from triage.domain.errors import ToolRefused


async def test_the_edited_value_is_written(tmp_path: Path, any_jira: RunningJira) -> None:
    """Instead of done the ticket moves to where the approver says; the report keeps both, and who it was."""
    async with proposing(any_jira, tmp_path, SEARCH, CLOSE) as opened:
        waiting = await take(opened, raw=FIXED)
        (parked,) = waiting.approvals
        edited = await opened.approvals.edit(parked.id, {"status": "in progress"}, ADA)
        await opened.worker.drain()
        report = await opened.store.archive.report(waiting.case.id)
        ticket = await opened.tracker.tickets.get("HARB-45")

    assert ticket.status == "In Progress"
    assert (json.loads(edited.arguments)["status"]["name"], json.loads(edited.edited)["status"]["name"]) == (
        "Done",
        "In Progress",
    )
    assert (report.approvals, report.case.outcome) == ((edited,), Outcome.UPDATED)
    assert len([effect for effect in report.effects if effect.kind == "transition"]) == 1


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"ticket_key": "HARB-1"}, "ticket_key cannot be changed here; status can"),
        ({"comment": "and this"}, "comment cannot be changed here; status can"),
        ({"to": "eve@evil.example"}, "to cannot be changed here; status can"),
        ({"status": "Invented"}, "Invented"),
    ],
    ids=["another ticket", "another field", "a foreign recipient", "no such status"],
)
async def test_what_could_not_be_proposed_is_refused(
    tmp_path: Path, cloud_jira: RunningJira, changes: dict[str, str], told: str
) -> None:
    """Another ticket, other fields, recipients and unknown names are refused, with what can be changed; the proposal still waits as it was."""
    async with proposing(cloud_jira, tmp_path, SEARCH, CLOSE) as opened:
        (parked,) = (await take(opened, raw=FIXED)).approvals
        with pytest.raises(ToolRefused, match=told):
            await opened.approvals.edit(parked.id, changes, ADA)
        (still,) = await opened.reports.approvals()

    assert (still, still.state) == (parked, ApprovalState.OPEN)
    assert cloud_jira.requests("POST", "/transitions") == []


async def test_nothing_is_written_while_paused(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """An accepted change waits for the end of the pause, visibly, and is then made once."""
    async with proposing(cloud_jira, tmp_path, SEARCH, CLOSE) as opened:
        waiting = await take(opened, raw=FIXED)
        await opened.approvals.pause(ADA, "look first")
        await opened.approvals.accept(waiting.approvals[0].id, ADA)
        await opened.worker.work_one()
        stopped = await opened.store.archive.report(waiting.case.id)
        before = await opened.tracker.tickets.get("HARB-45")
        await opened.approvals.resume(ADA)
        await opened.worker.drain()
        report = await opened.store.archive.report(waiting.case.id)

    assert (before.open, stopped.state) == (True, "retrying")
    assert "by=ada, why=look first" in stopped.trouble
    assert (report.case.outcome, len(report.effects)) == (Outcome.UPDATED, 1)

"""What would change on a ticket, said before it is written: live names alone, and only for a case that has a ticket."""

from pathlib import Path

import pytest

from tests.e2e.opened import ADA, house, take
from tests.servers.sandbox import RunningJira
from triage.domain.approvals import Approver, ApproverProof
from triage.domain.errors import NotAnApprover, ToolRefused
from triage.domain.operations.errors import NothingToAmend
from triage.policy.approvals.amendment import WantedChange


async def test_plans_and_orders(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A plan writes nothing, the same order twice is one, a stranger orders nothing, names must exist."""
    eve = Approver(name="ada", proof=ApproverProof.JIRA, account="acc-eve")
    async with house(cloud_jira, tmp_path) as opened:
        case = (await take(opened)).case.id
        sent = len(cloud_jira.requests("PUT", "/issue/"))
        plan = await opened.amending.plan(case, WantedChange(priority="low"))
        choices = await opened.amending.choices(case)
        with pytest.raises(NotAnApprover):
            await opened.amending.order(plan, eve)
        first, again = [await opened.amending.order(plan, ADA) for _ in range(2)]
        for wanted in (WantedChange(), WantedChange(assignee="Nobody Knows"), WantedChange(issue_type="Saga")):
            with pytest.raises(ToolRefused):
                await opened.amending.plan(case, wanted)
        quiet = len(cloud_jira.requests("PUT", "/issue/")) == sent
        await opened.worker.drain()
        back = await opened.amending.plan(case, WantedChange(priority=plan.changes[0].was))
        await opened.amending.order(back, ADA)
        await opened.worker.drain()
        third = await opened.amending.order(await opened.amending.plan(case, WantedChange(priority="low")), ADA)

    assert (quiet, first.id, first.was, first.becomes) == (True, again.id, plan.changes[0].was, "Low")
    assert third.id > first.id
    assert {"Low", "High"} <= set(choices.priorities)
    assert "Priya Raman" in choices.people


async def test_a_case_without_a_ticket(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """There is nothing to correct, and the refusal says what to do instead."""
    async with house(cloud_jira, tmp_path, SHADOW="true") as opened:
        case = (await take(opened)).case.id
        with pytest.raises(NothingToAmend, match="triage correct"):
            await opened.amending.plan(case, WantedChange(priority="Low"))

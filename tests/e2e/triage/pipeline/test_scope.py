"""The bounds of an agent run over a case, whatever a model wants."""

from pathlib import Path

import pytest

from tests.e2e.opened import call, judge, modelled, take
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Outcome
from triage.domain.conversation import ToolCall, Turn
from triage_sandbox.openai_app import Script

HOSTILE = {
    "a key of another project": call("modify_jira_ticket", '{"ticket_key": "SECRET-1", "comment": "hi"}'),
    "a key it has not seen": call("modify_jira_ticket", '{"ticket_key": "HARB-60", "comment": "hi"}'),
    "an approval of its own": call(
        "create_jira_ticket", '{"summary": "abc", "description": "x", "issue_type": "Bug", "approved": true}'
    ),
    "a type that does not exist": call(
        "create_jira_ticket", '{"summary": "abc", "description": "x", "issue_type": "Rootkit"}'
    ),
    "somebody who is nobody": call(
        "create_jira_ticket",
        '{"summary": "abc", "description": "x", "issue_type": "Bug", "assignee": "ceo@evil.example"}',
    ),
    "broken JSON": call("create_jira_ticket", '{"summary": "abc'),
    "a tool that does not exist": call("delete_everything", "{}"),
}


@pytest.mark.parametrize("turn", HOSTILE.values(), ids=list(HOSTILE))
async def test_an_obedient_model_can_do_no_harm(tmp_path: Path, cloud_jira: RunningJira, turn: Turn) -> None:
    """Whatever a mail makes the model call, nothing foreign is touched and the refusal is in the report."""
    before = len(cloud_jira.requests("POST", "/rest/api/[23]/issue")) + len(cloud_jira.requests("PUT"))
    async with modelled(cloud_jira, tmp_path, Script(turn, Turn(text="done"))) as (opened, _):
        report = await take(opened)
    after = len(cloud_jira.requests("POST", "/rest/api/[23]/issue")) + len(cloud_jira.requests("PUT"))

    assert (report.case.outcome, after) == (Outcome.WAITING, before)
    assert report.case.result
    assert "error" in report.case.result.tool_calls[0].result


async def test_five_creates_make_one_ticket(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A model that wants to flood the project gets one ticket."""
    made = tuple(
        ToolCall(
            id=f"c{n}",
            name="create_jira_ticket",
            arguments=f'{{"summary": "Flood {n}", "description": "x", "issue_type": "Bug"}}',
        )
        for n in range(5)
    )
    async with modelled(cloud_jira, tmp_path, Script(Turn(text="", calls=made), Turn(text="ok"))) as (opened, _):
        await take(opened)

    assert len(judge(cloud_jira, tmp_path).created()) == 1


async def test_no_create_without_a_search(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Without the prefetch a model must search itself before it may create."""
    create = call("create_jira_ticket", '{"summary": "Abc", "description": "x", "issue_type": "Bug"}')
    search = call("read_jira_tickets", '{"search_text": "barcode"}')
    script = Script(create, search, create, Turn(text="ok"))
    async with modelled(cloud_jira, tmp_path, script, OPENAI_PREFETCH="false") as (opened, _):
        report = await take(opened)

    assert report.case.result
    assert [("error" in run.result) for run in report.case.result.tool_calls] == [True, False, False]
    assert report.case.outcome is Outcome.TICKETED

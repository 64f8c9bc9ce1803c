"""What we know ourselves of a ticket that we have just made."""

from dataclasses import replace
from datetime import UTC, datetime

from triage.domain.cases import Case
from triage.domain.conversation import AgentResult, RunStatus, ToolRun
from triage.pipeline.steps.dispatch import made_by

CASE = Case(id="case-1", source="file", received_at=datetime(2026, 11, 20, tzinfo=UTC))
DRAFT = {"summary": "Export fails", "description": "At line 7.", "issue_type": "Bug", "components": ["Billing"]}


def after(*runs: ToolRun) -> Case:
    """The case after these calls."""
    result = AgentResult(status=RunStatus.COMPLETED, tool_calls=runs, final_message="", iterations=1)
    return replace(CASE, result=result)


def call(tool: str, result: object) -> ToolRun:
    """One call with the draft as its arguments."""
    return ToolRun(tool=tool, arguments=DRAFT, result=result, iteration=1)


def test_a_ticket_is_known_by_the_call_that_made_it() -> None:
    """Summary, text, type and components as they were given, under the key that Jira gave."""
    made, other = made_by(
        after(
            call("create_jira_ticket", {"error": "refused"}),
            call("create_jira_ticket", {"status": "created", "key": "OPS-9", "url": "https://x.example/OPS-9"}),
            call("part", {"status": "created", "key": "OPS-10"}),
        )
    )

    assert other.key == "OPS-10"
    assert (made.key, made.summary, made.description, made.issue_type) == (
        "OPS-9",
        "Export fails",
        "At line 7.",
        "Bug",
    )
    assert (made.components, made.priority, made.open, made.updated) == (("Billing",), None, True, None)


def test_no_ticket_was_made() -> None:
    """By a comment, a parked call, a dry run, or nothing at all."""
    parked = call("create_jira_ticket", {"status": "awaiting_approval"})

    assert made_by(CASE) == ()
    assert made_by(after(call("modify_jira_ticket", {"status": "modified", "key": "OPS-1"}), parked)) == ()
    assert made_by(after(call("create_jira_ticket", "text"))) == ()

"""What became of an answer, read from the record of the run."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from triage.domain.cases import Case
from triage.domain.conversation import AgentResult, Json, RunStatus, ToolRun
from triage.domain.letters.reply import Reply, ReplyState
from triage.policy.letters.reply.outcome import with_letter, with_outcome, written_by_agent

BODY = {"body": "Hello."}
TOOLS = frozenset({"send_reply", "escalate"})
DONE = AgentResult(status=RunStatus.COMPLETED)
WAITS: Json = {
    "status": "awaiting_approval",
    "approval": 3,
    "reason": "a complaint",
    "waiting": [{"approval": 3, "reason": "a complaint"}],
}
CASE = Case(
    id="case-1",
    source="file",
    received_at=datetime(2026, 11, 23, tzinfo=UTC),
    result=DONE,
    reply=Reply(state=ReplyState.DRAFTED, draft="Hello.", sent_with="send_reply"),
)


def after(came: Json, body: str = "Hello.") -> Reply:
    """The reply after a call with this result."""
    found = with_outcome(replace(CASE, result=with_letter(DONE, "send_reply", {"body": body}, came)))
    assert found is not None
    return found


def test_a_parked_answer_waits() -> None:
    """A call that waits makes the run and the reply wait; the draft stays, and nothing is final."""
    result = with_letter(DONE, "send_reply", BODY, WAITS)
    reply = after(WAITS)

    assert result.status is RunStatus.AWAITING_APPROVAL
    assert (reply.state, reply.person, reply.final) == (ReplyState.NEEDS_REVIEW, ("a complaint",), "")


@pytest.mark.parametrize(
    ("came", "state", "final", "by"),
    [
        ({"status": "queued", "letter": 4}, ReplyState.SENT, "Changed.", ""),
        ({"status": "drafted", "letter": 4}, ReplyState.SENT, "Changed.", ""),
        ({"status": "queued", "decision": "accepted", "by": "jana"}, ReplyState.SENT, "Changed.", "jana"),
        ({"status": "queued", "decision": "edited", "by": "jana"}, ReplyState.SENT, "Changed.", "jana"),
        ({"decision": "rejected", "by": "jana"}, ReplyState.REJECTED, "", "jana"),
        ({"decision": "ignored", "by": "jana"}, ReplyState.REJECTED, "", "jana"),
        ({"error": "no sender"}, ReplyState.NEEDS_REVIEW, "", ""),
    ],
)
def test_each_result_has_its_state(came: Json, state: ReplyState, final: str, by: str) -> None:
    """Sent with the text that really went, rejected by a person, or left to one."""
    reply = after(came, body="Changed.")

    assert (reply.state, reply.final, reply.by, reply.draft) == (state, final, by, "Hello.")


def test_a_failure_is_told_once() -> None:
    """The reason of a failed call joins the reasons for a person, once however often it is read."""
    failed = after({"error": "no sender"})
    case = replace(CASE, reply=failed, result=with_letter(DONE, "send_reply", BODY, {"error": "no sender"}))

    assert with_outcome(case) == failed
    assert failed.person == ("send_reply failed: no sender",)


def test_a_mail_without_answer_stays_without() -> None:
    """Nothing is read where nothing was planned, called or run."""
    silent = Reply(state=ReplyState.NONE, because="spam")

    assert with_outcome(replace(CASE, reply=None)) is None
    assert with_outcome(replace(CASE, reply=silent)) == silent
    assert with_outcome(replace(CASE, result=None)) == CASE.reply
    assert with_outcome(CASE) == CASE.reply


def test_an_agent_that_wrote_itself_is_recognised() -> None:
    """A letter of the agent's own, or its hand-over, keeps code from writing a second one; a failed call does not."""

    def run(tool: str, result: Json) -> Case:
        return replace(
            CASE, result=replace(DONE, tool_calls=(ToolRun(tool=tool, arguments={}, result=result, iteration=1),))
        )

    assert written_by_agent(run("send_reply", {"status": "queued"}), TOOLS) == "send_reply"
    assert written_by_agent(run("escalate", {"status": "escalated"}), TOOLS) == "escalate"
    assert written_by_agent(run("send_reply", {"error": "no"}), TOOLS) == ""
    assert written_by_agent(run("create_jira_ticket", {}), TOOLS) == ""
    assert written_by_agent(replace(CASE, result=None), TOOLS) == ""

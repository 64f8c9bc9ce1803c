"""What a case says of each decision that a person has made."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from triage.domain.approvals import AMEND, UNDO, Approval, ApprovalState
from triage.domain.cases import Case
from triage.domain.conversation import AgentResult, Json, RunStatus, ToolRun
from triage.policy.decision.person_decisions import decided
from triage.policy.decision.run_record import with_decision

YES = Approval(
    id=4, case="case-1", tool="modify_jira_ticket", arguments='{"status":"Done","ticket_key":"OPS-1"}', reason="done?",
    state=ApprovalState.ACCEPTED, by="ada",
)  # fmt: skip


CASE = Case(id="case-1", source="file", received_at=datetime(2026, 11, 20, tzinfo=UTC))


def ran(*results: Json, status: RunStatus = RunStatus.AWAITING_APPROVAL) -> AgentResult:
    """A record with these results."""
    runs = tuple(ToolRun(tool="t", arguments={}, result=result, iteration=1) for result in results)
    return AgentResult(status=status, tool_calls=runs, final_message="", iterations=2)


@pytest.mark.parametrize(
    ("state", "more", "refusal", "open_end"),
    [
        (ApprovalState.ACCEPTED, {}, "", ""),
        (ApprovalState.REJECTED, {}, "ada rejected this: done?", ""),
        (ApprovalState.EXPIRED, {}, "Nobody decided in time: done?", "Nobody decided in time: done?"),
        (ApprovalState.VOID, {"overtaken": "it is Done"}, "Overtaken, so it was not done: done?; it is Done.", ""),
        (
            ApprovalState.SUPERSEDED,
            {"superseded_by": 9, "successor": "accepted"},
            "Superseded by approval 9: done?",
            "",
        ),
        (
            ApprovalState.SUPERSEDED,
            {"superseded_by": 9, "successor": "expired"},
            "Superseded by approval 9, which nobody decided in time: done?",
            "Superseded by approval 9, which nobody decided in time: done?",
        ),
        (ApprovalState.ANSWERED, {}, "ada wants instead: ask first.", "ada wants instead: ask first"),
        (ApprovalState.ANSWERED, {"followed": True}, "ada wants instead: ask first.", ""),
    ],
)
def test_what_is_told_of_each_answer(
    state: ApprovalState, more: dict[str, object], refusal: str, open_end: str
) -> None:
    """A person has to look where nobody decided, and where nothing could follow an instruction."""
    instruction = "ask first" if state is ApprovalState.ANSWERED else ""
    after = with_decision(ran(), replace(YES, state=state, instruction=instruction), more)
    (said,) = decided(replace(CASE, result=after))

    assert (said.refusal, said.open_end) == (refusal, open_end)


def test_what_was_taken_back() -> None:
    """Who took it back is named, with what is gone and what stays."""
    after = with_decision(ran(), replace(YES, tool=UNDO), {"done": ["comment on OPS-1"], "left": ["OPS-2 stays"]})
    (said,) = decided(replace(CASE, result=after))

    assert said.refusal == "ada took back: comment on OPS-1; OPS-2 stays."


def test_what_was_corrected() -> None:
    """Who corrected it is named, with what changed; where nothing came of it, a person looks."""
    done = with_decision(ran(), replace(YES, tool=AMEND), {"done": ["OPS-1: priority High → Low"]})
    failed = with_decision(ran(), replace(YES, tool=AMEND), {"error": "Jira says no"})
    told = [one for after in (done, failed) for one in decided(replace(CASE, result=after))]

    assert [one.refusal for one in told] == ["ada corrected: OPS-1: priority High → Low.", ""]
    assert told[1].open_end.endswith("but Jira says no")

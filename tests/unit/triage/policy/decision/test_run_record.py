"""A run's record after people have decided about what it had parked."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from triage.domain.approvals import Approval, ApprovalState, Correction
from triage.domain.cases import Case
from triage.domain.conversation import AgentResult, Json, RunStatus, ToolRun
from triage.domain.findings import Disposition
from triage.domain.reports import Report
from triage.policy.decision.review import waits_for
from triage.policy.decision.run_record import (
    answered,
    gone_on,
    is_settled,
    of_the_run,
    unsettled,
    with_decision,
    with_proposal,
)

YES = Approval(
    id=4, case="case-1", tool="modify_jira_ticket", arguments='{"status":"Done","ticket_key":"OPS-1"}', reason="done?",
    state=ApprovalState.ACCEPTED, by="ada",
)  # fmt: skip
NO = replace(YES, id=5, state=ApprovalState.REJECTED)


def ran(*results: Json, status: RunStatus = RunStatus.AWAITING_APPROVAL) -> AgentResult:
    """A record with these results."""
    runs = tuple(ToolRun(tool="t", arguments={}, result=result, iteration=1) for result in results)
    return AgentResult(status=status, tool_calls=runs, final_message="", iterations=2)


def test_what_was_done_is_on_the_record() -> None:
    """As one more call with its result, who decided, and why it had been asked; the run is complete."""
    whole = {"status": "awaiting_approval", "approval": 4, "reason": "done?"}
    after = with_decision(ran("text", whole), YES, {"status": "modified", "key": "OPS-1"})

    assert (after.status, set(answered(after))) == (RunStatus.COMPLETED, {4})
    assert after.tool_calls[-1] == ToolRun(
        tool="modify_jira_ticket",
        arguments={"status": "Done", "ticket_key": "OPS-1"},
        result={
            "status": "modified", "key": "OPS-1", "approval": 4, "decision": "accepted", "by": "ada", "reason": "done?",
        },
        iteration=2,
    )  # fmt: skip
    assert [waits_for(run.result) for run in after.tool_calls] == [(), (), ()]


def test_one_of_two_parts_still_waits() -> None:
    """The run is not complete before all of it is decided."""
    parts = [{"approval": 4, "reason": "a"}, {"approval": 5, "reason": "b"}]
    half = with_decision(ran({"status": "modified", "waiting": parts}), YES, {})
    both = with_decision(half, NO, {})

    assert (half.status, waits_for(half.tool_calls[0].result)) == (RunStatus.AWAITING_APPROVAL, ("b",))
    assert (both.status, set(answered(both)), waits_for(both.tool_calls[0].result)) == (RunStatus.COMPLETED, {4, 5}, ())


@pytest.mark.parametrize("status", [RunStatus.ERROR, RunStatus.MAX_ITERATIONS])
def test_a_run_that_failed_stays_failed(status: RunStatus) -> None:
    """A decision about one of its calls does not heal it."""
    assert with_decision(ran(status=status), YES, {}).status is status


def test_a_proposal_of_code_waits_like_one_of_the_model() -> None:
    """It is on the record as a call, can be decided as one, and does not heal a run that failed."""
    done = ran({"status": "modified"}, status=RunStatus.COMPLETED)
    asked = with_proposal(done, YES)

    assert (asked.status, waits_for(asked.tool_calls[-1].result)) == (RunStatus.AWAITING_APPROVAL, ("done?",))
    assert with_decision(asked, YES, {}).status is RunStatus.COMPLETED
    assert with_proposal(ran(status=RunStatus.ERROR), YES).status is RunStatus.ERROR


def test_what_is_still_to_be_carried_out() -> None:
    """Each decided approval that the record does not have; without a record all of them."""
    waits = replace(YES, id=6, state=ApprovalState.OPEN)
    record = with_decision(ran(), YES, {})

    assert unsettled(record, [YES, NO, waits]) == (NO,)
    assert unsettled(None, [YES, waits]) == (YES,)


def test_what_is_superseded_waits_with_its_successor() -> None:
    """Nothing is to be carried out before the later proposal is decided."""
    older = replace(YES, state=ApprovalState.SUPERSEDED, superseded_by=9, successor=ApprovalState.OPEN)
    released = replace(older, successor=ApprovalState.REJECTED)

    assert unsettled(None, [older, released]) == (released,)


def test_an_edit_is_what_ran() -> None:
    """The record has the arguments as the person changed them."""
    after = with_decision(ran(), replace(YES, edited='{"status":"To Do"}'), {})

    assert after.tool_calls[-1].arguments == {"status": "To Do"}


def test_a_run_that_has_gone_on() -> None:
    """The replayed calls are settled as before, decisions and proposals of code stay, and the agent has heard of it."""
    parts = [{"approval": 4, "reason": "a"}]
    before = with_decision(ran({"status": "modified", "waiting": parts}), YES, {"status": "modified"})
    before = with_proposal(before, replace(YES, id=9, state=ApprovalState.OPEN))
    more = ToolRun(tool="t", arguments={}, result={"status": "finished"}, iteration=3)
    fresh = ran({"status": "modified", "waiting": parts})
    fresh = replace(fresh, tool_calls=(*fresh.tool_calls, more), iterations=3)
    after = gone_on(fresh, before, frozenset({4}))

    assert [run.result.get("status") for run in after.tool_calls] == [
        "modified",
        "finished",
        "modified",
        "awaiting_approval",
    ]
    assert (after.status, waits_for(after.tool_calls[0].result)) == (RunStatus.AWAITING_APPROVAL, ())
    assert (after.tool_calls[2].result["followed"], set(answered(after))) == (True, {4})
    assert of_the_run(ran("text", {"status": "modified", "waiting": parts}, {"approval": 9})) == {4}


@pytest.mark.parametrize("status", [RunStatus.ERROR, RunStatus.COMPLETED])
def test_a_run_that_went_on_to_an_error_says_so(status: RunStatus) -> None:
    """Its own end counts."""
    assert gone_on(ran({"status": "modified"}, status=status), ran(), frozenset()).status is status


def test_what_people_said_is_carried_out() -> None:
    """A case is settled when its last correction and every decision are on its record, all of one look at it."""
    said = Correction(id=3, case="case-1", disposition=Disposition.SPAM, by="ada")
    case = Case(id="case-1", source="imap", received_at=datetime(2026, 11, 27, tzinfo=UTC))
    open_case = Report(case=case, state="ticketed", attempts=1, trouble="")

    assert is_settled(open_case)
    assert not is_settled(replace(open_case, corrections=(said,)))
    assert is_settled(replace(open_case, case=replace(case, correction=said), corrections=(said,)))
    assert not is_settled(replace(open_case, approvals=(YES,)))

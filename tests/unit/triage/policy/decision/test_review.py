"""How a case ends is read from what was written."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from triage.domain.cases import Case, Outcome
from triage.domain.conversation import AgentResult, RunStatus, ToolRun
from triage.domain.effects import Effect, EffectState
from triage.domain.findings import Review
from triage.policy.decision.review import last_error, review_of
from triage.toolsets.outcome import end_of

CASE = Case(id="case-1", source="file", received_at=datetime(2026, 11, 20, tzinfo=UTC))
CREATED = Effect(key="k", kind="create", state=EffectState.DONE, result="HARB-7")
COMMENTED = Effect(key="c", kind="comment", target="HARB-3", state=EffectState.DONE, result="10")
MOVED = Effect(key="t", kind="transition", target="HARB-3", state=EffectState.DONE)
REFUSED = Effect(key="r", kind="create", state=EffectState.REFUSED)


def ran(status: RunStatus = RunStatus.COMPLETED, *results: object, said: str = "", error: str = "") -> Case:
    """The case after a run."""
    calls = tuple(ToolRun(tool="t", arguments={}, result=result, iteration=1) for result in results)
    return replace(
        CASE,
        result=AgentResult(status=status, tool_calls=calls, final_message=said, error=error, iterations=10),
    )


def finished(action: str) -> dict[str, str]:
    """The result of the tool that ends a run without a write."""
    return {"status": "finished", "disposition": "unsure", "action": action, "reason": "no more to say"}


def test_a_mail_set_aside_needs_nobody() -> None:
    """A run that ended by saying that the mail makes no ticket wrote nothing on purpose."""
    assert review_of(ran(RunStatus.COMPLETED, finished("ignore")), []) == Review(unattended=True)


def test_written_and_completed_may_stand() -> None:
    """A completed run that wrote something needs nobody."""
    assert review_of(ran(), [CREATED]) == Review(unattended=True)


@pytest.mark.parametrize(
    ("case", "hint"),
    [
        (CASE, "nothing has decided"),
        (ran(said="looks like spam"), "nothing was written: looks like spam"),
        (ran(RunStatus.COMPLETED, {"error": "no such type"}), "nothing was written: no such type"),
        (ran(), "no reason given"),
        (ran(RunStatus.MAX_ITERATIONS), "in 10 rounds"),
        (ran(RunStatus.COMPLETED, finished("ticket")), "ended as unsure without a write: no more to say"),
        (ran(RunStatus.ERROR, error="too many tokens"), "too many tokens"),
        (
            ran(RunStatus.AWAITING_APPROVAL, {"status": "awaiting_approval", "reason": "would be done"}, "x"),
            "would be done",
        ),
    ],
)
def test_everything_else_asks_a_person(case: Case, hint: str) -> None:
    """A run that wrote nothing, did not end or parked something waits with its reason."""
    review = review_of(case, [REFUSED])

    assert (review.unattended, hint in "; ".join(review.reasons)) == (False, True)


def test_what_a_person_has_said_is_told() -> None:
    """A no to all of it ends the case, a no to a part stands beside what was done, a yes that failed waits."""
    no = {"approval": 1, "decision": "rejected", "by": "ada", "reason": "HARB-3 would be done"}
    failed = {**no, "decision": "accepted", "error": "it is gone"}
    ignored, partly = (end_of(ran(RunStatus.COMPLETED, no), Review(unattended=True), e) for e in ([], [COMMENTED]))

    assert review_of(ran(RunStatus.COMPLETED, no), []) == Review(unattended=True)
    assert (ignored.outcome, ignored.reason) == (Outcome.IGNORED, "ada rejected this: HARB-3 would be done.")
    assert (partly.outcome, partly.reason) == (
        Outcome.COMMENTED,
        "Commented on HARB-3. ada rejected this: HARB-3 would be done.",
    )
    assert review_of(ran(RunStatus.COMPLETED, failed), []).reasons == (
        "ada accepted this: HARB-3 would be done; but it is gone",
    )


def test_no_run_no_trouble() -> None:
    """A case that never ran has nothing to complain about."""
    assert last_error(CASE) == ""


def test_an_escalated_case_waits() -> None:
    """Whatever else was written, a case that the agent has handed over waits for a person, with the reason."""
    handed = ran(RunStatus.COMPLETED, {"status": "escalated", "reason": "for Grace: a threat"}, ["no object"])

    assert review_of(handed, [CREATED]).reasons == ("handed to a person: for Grace: a threat",)

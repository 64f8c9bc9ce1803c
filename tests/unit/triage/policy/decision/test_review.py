"""How a case ends is read from what was written."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from triage.domain.cases import Case, Effect, EffectState, Outcome, Review
from triage.domain.conversation import AgentResult, RunStatus, ToolRun
from triage.policy.decision.review import end_of, last_trouble, planned, review_of

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


def test_a_dry_run_ends_as_the_real_one_would() -> None:
    """What a dry run would have written counts as written, and only that."""
    would = [
        {"status": "dry_run", "would": {"tool": "create_jira_ticket"}},
        {"status": "dry_run", "would": {"tool": "modify_jira_ticket", "ticket_key": "HARB-3", "comment": "x"}},
        {"status": "dry_run", "would": {"tool": "modify_jira_ticket", "ticket_key": "HARB-3", "status": "Open"}},
        {"total": 0},
        "text",
    ]
    effects = planned(ran(RunStatus.COMPLETED, *would))

    assert [(e.kind, e.target) for e in effects] == [("create", ""), ("comment", "HARB-3"), ("transition", "HARB-3")]
    assert planned(CASE) == ()


@pytest.mark.parametrize(
    ("effects", "outcome", "ticket"),
    [
        ([CREATED, COMMENTED], Outcome.TICKETED, "HARB-7"),
        ([COMMENTED, MOVED], Outcome.COMMENTED, "HARB-3"),
        ([MOVED], Outcome.UPDATED, "HARB-3"),
        ([REFUSED], Outcome.WAITING, None),
    ],
)
def test_the_outcome_follows_the_effects(effects: list[Effect], outcome: Outcome, ticket: str | None) -> None:
    """Created beats commented beats changed; nothing written is never called done."""
    ended = end_of(ran(), Review(unattended=True), effects)

    assert (ended.outcome, ended.ticket) == (outcome, ticket)


def test_waiting_keeps_the_ticket() -> None:
    """A case that waits names what was written, its reasons and the ticket."""
    review = Review(unattended=False, reasons=("a", "b"))
    ended, bare = end_of(ran(said="done"), review, [COMMENTED]), end_of(ran(), review, [])

    assert (ended.outcome, ended.reason, ended.ticket) == (
        Outcome.WAITING,
        "Commented on HARB-3. Waiting: a; b",
        "HARB-3",
    )
    assert (bare.outcome, bare.reason, bare.ticket) == (Outcome.WAITING, "a; b", None)


def test_the_reason_is_what_was_written() -> None:
    """Not what a model says of itself."""
    told = end_of(ran(said="I closed everything, priority Highest."), Review(unattended=True), [CREATED]).reason

    assert told == "Created HARB-7."


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
    assert last_trouble(CASE) == ""

"""What people decided about tools that had waited, as customer and colleagues hear it."""

from triage.domain.conversation import AgentResult, Json, RunStatus, ToolRun
from triage.policy.support.resolving.tool_decisions import (
    ToolDecision,
    decisions_of,
    describe_done,
    describe_outcome,
    letter_out,
    still_waits,
)

WORD: dict[str, Json] = {"by": "kim", "reason": "money leaves us: ask first"}
PARKED = {"waiting": [{"approval": 4, "reason": "money"}]}


def record(*results: Json, tool: str = "refund") -> AgentResult:
    """A run with these results of one tool."""
    runs = (ToolRun(tool=tool, arguments={}, result=one, iteration=1) for one in results)
    return AgentResult(status=RunStatus.COMPLETED, tool_calls=tuple(runs))


def decided(number: int, word: str, **came: Json) -> dict[str, Json]:
    """The record of a decision."""
    return {**came, **WORD, "approval": number, "decision": word}


def test_decisions_of_people_are_told_without_what_is_for_colleagues() -> None:
    """What nobody decided in time, what was overtaken, and calls of other tools are left out."""
    result = record(
        "text",
        PARKED,
        decided(1, "accepted", status="done", amount=12),
        decided(2, "accepted", error="no such reservation"),
        decided(3, "rejected"),
        decided(6, "accepted", result={"amount": 7}),
        decided(4, "expired"),
        decided(5, "void", overtaken="it has changed"),
    )

    assert list(decisions_of(result, {"other"})) == []
    assert list(decisions_of(result, {"refund"})) == [
        ToolDecision(approval=1, tool="refund", by="kim", granted=True, brought={"amount": 12}),
        ToolDecision(approval=2, tool="refund", by="kim", granted=True, error="no such reservation"),
        ToolDecision(approval=3, tool="refund", by="kim", granted=False),
        ToolDecision(approval=6, tool="refund", by="kim", granted=True, brought={"amount": 7}),
    ]


def test_what_was_done_is_the_tool_s_own_words() -> None:
    """Its sentence first, then its values; ids and markup are none, and a tool that says nothing gives nothing."""
    paid = ToolDecision(
        approval=1,
        tool="refund",
        by="kim",
        granted=True,
        brought={"refund_status": "processed", "user_id": "u-1", "message": "12 EUR for *Jazz*"},
    )

    assert describe_done((paid,)) == "- 12 EUR for \\*Jazz\\*\n- refund status: processed"
    assert describe_done((ToolDecision(approval=1, tool="refund", by="kim", granted=True),)) == ""
    assert describe_outcome(paid) == "kim accepted refund (approval 1): 12 EUR for \\*Jazz\\*; refund status: processed"


def test_colleagues_read_who_decided() -> None:
    """A refusal, a call that did nothing to tell of, and one that failed although it was granted."""
    refused = ToolDecision(approval=2, tool="refund", by="kim", granted=False)
    quiet = ToolDecision(approval=3, tool="refund", by="kim", granted=True)
    failed = ToolDecision(approval=4, tool="refund", by="kim", granted=True, error="the bank is closed")

    assert describe_outcome(refused) == "kim refused refund (approval 2)"
    assert describe_outcome(quiet) == "kim accepted refund (approval 3)"
    assert describe_outcome(failed) == "kim accepted refund (approval 4), but it could not be done: the bank is closed"


def test_a_letter_is_out_when_the_last_one_is_queued() -> None:
    """Not before a person has let it, nor where he has refused it."""
    queued = {"status": "queued", "letter": 7}

    assert letter_out(record(queued, tool="send"), "send")
    assert letter_out(record(PARKED, decided(4, "accepted", **queued), tool="send"), "send")
    assert not letter_out(record(PARKED, tool="send"), "send")
    assert not letter_out(record(PARKED, decided(4, "rejected"), tool="send"), "send")
    assert not letter_out(record(queued), "send")
    assert still_waits(record(PARKED))
    assert not still_waits(record(queued))

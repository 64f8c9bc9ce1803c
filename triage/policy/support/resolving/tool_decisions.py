"""Reads from the record of a run what people decided about tools that had waited for them, and words it for the customer and the ticket."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from triage.domain.approvals import ApprovalState
from triage.domain.conversation import AgentResult, Json
from triage.policy.decision.review import waits_for
from triage.policy.support.resolving.wording import render_data
from triage.policy.ticket.markdown import literal

OURS: Final = frozenset({"approval", "decision", "by", "reason", "instruction", "followed", "status", "waiting"})
"""Fields of a decision that are for colleagues, or say how the call ended: no letter has them."""
SENTENCE: Final = "message"
"""Field in which tools say in a sentence what they have done."""
HEARD: Final = frozenset({ApprovalState.ACCEPTED.value, ApprovalState.REJECTED.value})
"""Decisions of people; one that nobody made in time, or that was overtaken, is no answer to the customer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDecision:
    """What a person decided about one call."""

    approval: int
    tool: str
    by: str
    granted: bool
    brought: Mapping[str, Json] = field(default_factory=dict)
    """The tool's result; empty where it did nothing."""
    error: str = ""
    """Why it could not be done although a person had granted it."""


def decisions_of(result: AgentResult, tools: Collection[str]) -> Iterator[ToolDecision]:
    """Yield what people decided about calls of these tools, in order."""
    for run in result.tool_calls:
        facts = run.facts
        if run.tool not in tools or facts.get("decision") not in HEARD:
            continue
        granted, error = facts["decision"] == ApprovalState.ACCEPTED.value, str(facts.get("error", ""))
        inner = facts.get("result")
        came = inner if isinstance(inner, Mapping) else {name: one for name, one in facts.items() if name not in OURS}
        yield ToolDecision(
            approval=facts["approval"],
            tool=run.tool,
            by=str(facts["by"]),
            granted=granted,
            brought=came if granted and not error else {},
            error=error,
        )


def describe_done(decisions: Collection[ToolDecision]) -> str:
    """Return what tools have done, as a list: their own words and values, and nothing beside; empty where they say nothing."""
    lines = []
    for one in decisions:
        if sentence := one.brought.get(SENTENCE):
            lines.append(f"- {literal(str(sentence))}")
        rest = {name: value for name, value in one.brought.items() if name != SENTENCE}
        lines += render_data({one.tool: rest}).splitlines()
    return "\n".join(lines)


def describe_outcome(decision: ToolDecision) -> str:
    """Return in one line of Markdown, for colleagues, who decided what and what came of it."""
    word = "accepted" if decision.granted else "refused"
    head = f"{literal(decision.by)} {word} {literal(decision.tool)} (approval {decision.approval})"
    if decision.error:
        return f"{head}, but it could not be done: {literal(decision.error)}"
    done = describe_done((decision,)).replace("\n", "; ").replace("- ", "")
    return f"{head}: {done}" if done else head


def letter_out(result: AgentResult, tool: str) -> bool:
    """Whether the last letter of a case has left the review: it is queued, or a person has accepted it."""
    runs = [run.facts for run in result.tool_calls if run.tool == tool]
    return bool(runs) and runs[-1].get("status") == "queued"


def still_waits(result: AgentResult) -> bool:
    """Whether a person still has to decide about some call."""
    return any(waits_for(run.result) for run in result.tool_calls)

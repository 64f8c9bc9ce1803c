"""The supervisor: which agent a conversation goes to next, as a table that is read from the top.

The rows are the tree of the support hub's design with one deviation (decision 137): whether data are needed is asked before
the confidence, since a resolver that lacks data is never confident, and the tool agent would never be reached.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from triage.config.support.confidence import RESOLVE_FROM
from triage.domain.support.conversations import Resolution, Supervision, Support, SupportAgent, SupportStatus

MOST: Final = 8
"""Decisions about one mail; the longest way through the table takes six, and what takes more goes to a person."""


@dataclass(frozen=True, slots=True)
class SupervisorRow:
    """One row of the supervisor's table: its condition, the next agent, and the reason; the first row that holds decides."""

    name: str
    holds: Callable[[Support, float], bool]
    agent: SupportAgent
    reasoning: Callable[[Support, float], str]
    sure: Callable[[Resolution | None], float] = lambda _: 1.0
    """Confidence in the decision itself."""


def _needs_data(support: Support, _: float) -> bool:
    found = support.resolution
    return found is not None and bool(found.needs_data) and support.tool_results is None


def _unsure(support: Support, least: float) -> bool:
    return support.resolution is not None and support.resolution.confidence < least


def _why_unsure(support: Support, least: float) -> str:
    found = support.resolution
    if found is None:
        return "there is no resolution"
    return found.escalation_reason or f"confidence {found.confidence:.2f} is below {least:.2f}"


def _why_resolved(found: Resolution) -> str:
    if found.settled:
        return f"the customer says “{found.settled}”"
    return f"answered from {', '.join(found.articles_used) or 'the account'}"


TREE: Final = (
    SupervisorRow(
        "too long",
        lambda support, _: len(support.decisions) >= MOST,
        SupportAgent.ESCALATION,
        lambda support, _: f"{len(support.decisions)} decisions have not settled it: a person takes over",
    ),
    SupervisorRow(
        "new",
        lambda support, _: support.status is SupportStatus.NEW and support.classification is None,
        SupportAgent.CLASSIFIER,
        lambda *_: "it is new and not classified",
    ),
    SupervisorRow(
        "classified",
        lambda support, _: support.classification is not None and support.resolution is None,
        SupportAgent.RESOLVER,
        lambda support, _: (
            "data are there: it can be answered now"
            if support.tool_results is not None
            else "it is classified and not answered"
        ),
    ),
    SupervisorRow(
        "needs data",
        _needs_data,
        SupportAgent.TOOL_AGENT,
        lambda support, _: f"the answer needs data: {support.resolution.needs_data if support.resolution else ''}",
    ),
    SupervisorRow(
        "unsure",
        _unsure,
        SupportAgent.ESCALATION,
        _why_unsure,
        lambda found: 1.0 - found.confidence if found else 1.0,
    ),
    SupervisorRow(
        "resolved",
        lambda support, _: support.resolution is not None and support.resolution.resolved,
        SupportAgent.END,
        lambda support, _: _why_resolved(support.resolution) if support.resolution else "",
        lambda found: found.confidence if found else 1.0,
    ),
    SupervisorRow(
        "nothing fits",
        lambda *_: True,
        SupportAgent.ESCALATION,
        lambda support, _: (
            support.resolution.escalation_reason
            if support.resolution and support.resolution.escalation_reason
            else "no agent can go on with it: a person takes over"
        ),
    ),
)
"""The first row that holds decides. The first and the last bound the loop; those between are the tree."""


def supervise(support: Support, resolve_from: float = RESOLVE_FROM) -> Supervision:
    """Return where the conversation goes next, and why."""
    row = next(row for row in TREE if row.holds(support, resolve_from))
    return Supervision(
        next_agent=row.agent,
        reasoning=row.reasoning(support, resolve_from),
        confidence=round(row.sure(support.resolution), 4),
    )

"""Decides which agent of the support hub a conversation goes to next, and records the decision."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from triage.domain.cases import Case
from triage.domain.support.conversations import SupportAgent, SupportStatus
from triage.pipeline.context import Services
from triage.pipeline.steps.support.dialogue import begun
from triage.pipeline.steps.support.parts import settings_of
from triage.policy.support.supervisor import supervise as supervised

STEPS: Final[Mapping[SupportAgent, str]] = {
    SupportAgent.CLASSIFIER: "classify_support",
    SupportAgent.RESOLVER: "resolve",
    SupportAgent.TOOL_AGENT: "look_up",
    SupportAgent.ESCALATION: "retrieve",
    SupportAgent.END: "answer",
}
"""Agent → the step that it begins with: before an escalation the tickets are searched, since it writes one."""


async def supervise(case: Case, at: Services) -> Case:
    """Return the case with one more decision; the first one begins the findings."""
    support = case.support or await begun(case, at)
    decision = supervised(support, settings_of(at).resolve_from)
    if decision.next_agent is SupportAgent.END:
        support = replace(support, status=SupportStatus.RESOLVED)
    return replace(case, support=support.decided(decision))


def successor(case: Case) -> str:
    """Return the name of the step that the last decision begins."""
    decisions = case.support.decisions if case.support else ()
    return STEPS[decisions[-1].next_agent if decisions else SupportAgent.ESCALATION]


def describe(_before: Case, after: Case) -> str:
    """Say where it goes, why, and how sure that is."""
    if after.support is None or not after.support.decisions:
        return ""
    last = after.support.decisions[-1]
    return f"{last.next_agent} ({last.confidence:.2f}): {last.reasoning}"

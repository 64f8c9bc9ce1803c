"""Gives an escalation its priority, P1 to P4, by urgency and by what the customer says depends on it; names it as the project does."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from triage.domain.support.conversations import SupportClass, SupportPriority, Urgency
from triage.policy.support.mentions import everywhere, mentioned, reading_of
from triage.policy.support.triggers import asks_for_person
from triage.policy.support.urgency import UNHURRIED

PRIORITIES: Final[Mapping[Urgency, SupportPriority]] = {
    Urgency.CRITICAL: SupportPriority.P1,
    Urgency.HIGH: SupportPriority.P2,
    Urgency.MEDIUM: SupportPriority.P3,
    Urgency.LOW: SupportPriority.P4,
}
NAMES: Final[Mapping[SupportPriority, tuple[str, ...]]] = {
    SupportPriority.P1: ("Highest", "Critical", "Blocker", "P1"),
    SupportPriority.P2: ("High", "Major", "P2"),
    SupportPriority.P3: ("Medium", "Normal", "P3"),
    SupportPriority.P4: ("Low", "Minor", "P4"),
}
"""Jira's usual names; a project with names of its own gets the one at the same place of its scale."""


@dataclass(frozen=True, slots=True)
class ConversationPriority:
    """Priority of a conversation after its latest mail."""

    priority: SupportPriority
    raised_from: SupportPriority | None
    """What it was before, where this mail is more urgent."""


def conversation_priority(own: SupportPriority, before: SupportPriority | None) -> ConversationPriority:
    """Return the priority of a conversation, given that of its latest mail: a mail raises it and never lowers it."""
    if before is None or own < before:
        return ConversationPriority(own, before)
    return ConversationPriority(before, None)


def priority_of(found: SupportClass, text: str = "") -> SupportPriority:
    """Return the priority. A wish on which money or customers depend is no mere wish; who asks for a person waits for no week, unless he has time."""
    priority = PRIORITIES[found.urgency]
    if priority is not SupportPriority.P4:
        return priority
    business = any(mentioned(everywhere(reading_of("", text)), "support.business"))
    waits = asks_for_person(text) and not any(mentioned(reading_of("", text), *UNHURRIED))
    return SupportPriority.P3 if business or waits else priority


def jira_priority(priority: SupportPriority, priorities: Sequence[str]) -> str:
    """Return the project's name, given its priorities, highest first; empty if it has none."""
    known = {name.casefold(): name for name in priorities}
    for name in NAMES[priority]:
        if name.casefold() in known:
            return known[name.casefold()]
    if not priorities:
        return ""
    place = list(SupportPriority).index(priority)
    return priorities[round(place * (len(priorities) - 1) / (len(SupportPriority) - 1))]

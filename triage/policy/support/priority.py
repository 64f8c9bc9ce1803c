"""Gives an escalation its priority, P1 to P4, by urgency and by what the customer says depends on it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from triage.domain.support.conversations import SupportClass, SupportPriority, Urgency
from triage.policy.support.said import everywhere, mentioned, reading_of

PRIORITIES: Final[Mapping[Urgency, SupportPriority]] = {
    Urgency.CRITICAL: SupportPriority.P1,
    Urgency.HIGH: SupportPriority.P2,
    Urgency.MEDIUM: SupportPriority.P3,
    Urgency.LOW: SupportPriority.P4,
}


@dataclass(frozen=True, slots=True)
class Hurry:
    """How urgent a conversation is after one more mail of it."""

    priority: SupportPriority
    raised_from: SupportPriority | None
    """What it was before, where this mail is more urgent."""


def hurry_of(own: SupportPriority, before: SupportPriority | None) -> Hurry:
    """Return the priority of a conversation, given that of its latest mail: a mail raises it and never lowers it."""
    if before is None or own < before:
        return Hurry(own, before)
    return Hurry(before, None)


def priority_of(found: SupportClass, text: str = "") -> SupportPriority:
    """Return the priority. A wish on which money or customers depend is no mere wish."""
    priority = PRIORITIES[found.urgency]
    if priority is SupportPriority.P4 and any(mentioned(everywhere(reading_of("", text)), "support.business")):
        return SupportPriority.P3
    return priority

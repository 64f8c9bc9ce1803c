"""Gives an escalation its priority, P1 to P4, by urgency and by what the customer says depends on it."""

from collections.abc import Mapping
from typing import Final

from triage.domain.support.conversations import SupportClass, SupportPriority, Urgency
from triage.policy.support.said import everywhere, mentioned, reading_of

PRIORITIES: Final[Mapping[Urgency, SupportPriority]] = {
    Urgency.CRITICAL: SupportPriority.P1,
    Urgency.HIGH: SupportPriority.P2,
    Urgency.MEDIUM: SupportPriority.P3,
    Urgency.LOW: SupportPriority.P4,
}


def priority_of(found: SupportClass, text: str = "") -> SupportPriority:
    """Return the priority. A wish on which money or customers depend is no mere wish."""
    priority = PRIORITIES[found.urgency]
    if priority is SupportPriority.P4 and any(mentioned(everywhere(reading_of("", text)), "support.business")):
        return SupportPriority.P3
    return priority

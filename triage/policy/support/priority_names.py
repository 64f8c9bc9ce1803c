"""Maps the priority of an escalation to one of the project's own."""

from collections.abc import Mapping, Sequence
from typing import Final

from triage.domain.support.conversations import SupportPriority

NAMES: Final[Mapping[SupportPriority, tuple[str, ...]]] = {
    SupportPriority.P1: ("Highest", "Critical", "Blocker", "P1"),
    SupportPriority.P2: ("High", "Major", "P2"),
    SupportPriority.P3: ("Medium", "Normal", "P3"),
    SupportPriority.P4: ("Low", "Minor", "P4"),
}
"""Jira's usual names; a project with names of its own gets the one at the same place of its scale."""


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

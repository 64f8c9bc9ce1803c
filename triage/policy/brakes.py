"""Too many mails of one kind make one ticket, not hundreds: when a brake holds, and what is told of the mails it held."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from triage.domain.traces import Digest, Flood, Group
from triage.policy.markdown import literal

WINDOW: Final = 3600.0
"""Seconds that mails are counted over."""
EVERY: Final = 10
"""Held mails that one comment tells of."""
APART: Final = 60.0
"""Seconds between two such comments at least."""
LATE: Final = 900.0
"""Seconds after which those that are fewer are told of, whether the flood goes on or not."""
LONGEST_SUBJECT: Final = 200
WORDS: Final = {
    Group.STORM: "nearly the same mails of one domain",
    Group.THREAD: "mails of one thread",
    Group.SENDER: "mails of one sender",
}
"""The narrowest first: it says best why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Brakes:
    """Mails per hour that are worked on one by one; 0 is no limit."""

    sender: int = 30
    storm: int = 10
    thread: int = 10

    def limit(self, group: Group) -> int:
        """Of this group."""
        return {Group.SENDER: self.sender, Group.STORM: self.storm, Group.THREAD: self.thread}[group]


def holding(earlier: Mapping[Group, int], brakes: Brakes) -> tuple[Group, ...]:
    """The brakes that may hold a mail, by the number of earlier ones; none where it may go on."""
    return tuple(group for group in WORDS if 0 < brakes.limit(group) <= earlier.get(group, 0))


def reason(group: Group, brakes: Brakes, ticket: str) -> str:
    """Why a held mail has no ticket of its own."""
    return f"more than {brakes.limit(group)} {WORDS[group]} within an hour: collected in {ticket}"


def counted(flood: Flood) -> str:
    """How many, and what is known of them where the ticket is."""
    told_of = "all told of there" if not flood.untold else f"{flood.told} told of there, {flood.untold} not yet"
    later = f", by {flood.due:%Y-%m-%d %H:%M} UTC at the latest" if flood.untold and flood.due else ""
    return f"{flood.held} {WORDS[flood.group]} held for {flood.ticket}, {told_of}{later}"


def told(digest: Digest, group: Group, brakes: Brakes) -> str:
    """The comment for mails that were held."""
    head = f"{digest.count} more of the same" if digest.count > 1 else "One more of the same"
    opening = f"More than {brakes.limit(group)} {WORDS[group]} within an hour, so further ones are collected here.\n\n"
    return (
        f"{opening if digest.first else ''}{head}, {digest.since:%Y-%m-%d %H:%M:%S} to {digest.until:%H:%M:%S} UTC, "
        f"the newest: {literal(digest.newest[:LONGEST_SUBJECT]) or 'without a subject'}"
    )

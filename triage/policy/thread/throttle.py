"""Rate limits for floods of mails: when a mail is throttled, and the summary of the throttled ones."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from triage.domain.traces import Flood, Group, Subject, Summary
from triage.policy.ticket.markdown import literal

WINDOW: Final = 3600.0
"""Seconds that mails are counted over."""
EVERY: Final = 10
"""Held mails that one edit of the summary tells of."""
APART: Final = 60.0
"""Seconds between two such edits at least."""
LATE: Final = 900.0
"""Seconds after which those that are fewer are told of, whether the flood goes on or not."""
LONGEST_SUBJECT: Final = 200
NEWCOMERS: Final = 2
"""Alike mails of senders never heard of that are worked on in an hour, whatever their domains."""
IN_VAIN: Final = 3
"""So many more are worked on where the first ones made no ticket that could collect the others."""
AT_ONCE: Final = 30
"""New matters of one group that are told of at once in an hour; then they wait their turn, as others do."""
UNLIKE: Final = frozenset({Group.SENDER, Group.THREAD})
"""Groups whose mails need not be about one matter: one about something new is told of at once."""
_SECOND: Final = "%Y-%m-%d %H:%M:%S"
WORDS: Final = {
    Group.NEWCOMERS: "nearly the same mails of unknown senders",
    Group.STORM: "nearly the same mails",
    Group.THREAD: "mails of one thread",
    Group.SENDER: "mails of one sender",
}
"""The narrowest first: it says best why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimits:
    """Mails per hour that are worked on one by one; 0 is no limit."""

    sender: int = 30
    storm: int = 10
    thread: int = 10

    def limit(self, group: Group) -> int:
        """Of this group; unknown senders have no more than a few, and as many as anybody where nobody has a limit."""
        limits = {Group.SENDER: self.sender, Group.STORM: self.storm, Group.THREAD: self.thread}
        return limits.get(group, min(NEWCOMERS, self.storm))


def holding(earlier: Mapping[Group, int], rate_limits: RateLimits) -> tuple[Group, ...]:
    """The brakes that may hold a mail, by the number of earlier ones; none where it may go on."""
    return tuple(group for group in WORDS if 0 < rate_limits.limit(group) <= earlier.get(group, 0))


def given_up(earlier: int, group: Group, rate_limits: RateLimits) -> bool:
    """The first ones and some more made no ticket: further ones would not either."""
    return earlier >= rate_limits.limit(group) + IN_VAIN


def reason(group: Group, rate_limits: RateLimits, ticket: str) -> str:
    """Why a held mail has no ticket of its own."""
    where = f"collected in {ticket}" if ticket else "the first ones made no ticket, and a person decides about all"
    return f"more than {rate_limits.limit(group)} {WORDS[group]} within an hour: {where}"


def counted(flood: Flood) -> str:
    """How many, and what is known of them where the ticket is."""
    told_of = "all told of there" if not flood.untold else f"{flood.told} told of there, {flood.untold} not yet"
    later = f", by {flood.due:%Y-%m-%d %H:%M} UTC at the latest" if flood.untold and flood.due else ""
    return f"{flood.held} {WORDS[flood.group]} held for {flood.ticket}, {told_of}{later}"


def told(summary: Summary, group: Group, rate_limits: RateLimits) -> str:
    """The one comment on all mails that were held; it is edited as more of them come."""
    subjects = [f"- {_line(subject)}" for subject in summary.subjects]
    if left_out := summary.different - len(subjects):
        subjects.insert(len(subjects) // 2, f"- … {left_out} more subjects, of {summary.different} in all")
    return "\n".join(
        (
            f"More than {rate_limits.limit(group)} {WORDS[group]} within an hour, so further ones are collected here.",
            "This comment is edited as they come.",
            "",
            f"**{summary.count} more of the same**, {summary.since:{_SECOND}} to {summary.until:{_SECOND}} UTC:",
            "",
            *subjects,
        )
    )


def _line(subject: Subject) -> str:
    """What the mails are about, how many they are, and their cases, so that whoever looks for his mail finds it."""
    words = subject.text if len(subject.text) <= LONGEST_SUBJECT else f"{subject.text[:LONGEST_SUBJECT]}…"
    if subject.count == 1:
        where = subject.first
    else:
        where = f"{subject.count} mails, the first {subject.first}, the last {subject.last}"
    return f"{literal(words) or 'without a subject'} ({where})"

"""Rate limits for floods of mails: when a mail is throttled, and the summary of the throttled ones."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from triage.domain.text.truncation import truncated
from triage.domain.traces import Flood, FloodSubject, Group, Summary
from triage.policy.ticket.markdown import literal

WINDOW: Final = 3600.0
"""Seconds over which mails are counted."""
EVERY: Final = 10
"""Throttled mails after which the summary is edited."""
APART: Final = 60.0
"""Least seconds between two edits of the summary."""
PATIENCE: Final = 7 * 86_400.0
"""Seconds for which mails without a ticket wait for a person's word about the first ones."""
LATE: Final = 900.0
"""Seconds after which the summary is edited for fewer mails, too."""
LONGEST_SUBJECT: Final = 200
NAMED: Final = 5
"""Floods that stand by name below a list of cases."""
NEWCOMERS: Final = 2
"""Similar mails per hour that are processed of senders who have not written before."""
IN_VAIN: Final = 3
"""More mails that are processed where the first ones made no ticket for the summary."""
AT_ONCE: Final = 30
"""New topics of one group that are summarised at once per hour; further ones wait."""
UNLIKE: Final = frozenset({Group.SENDER, Group.THREAD})
"""Groups whose mails may have different topics; a new topic is summarised at once."""
_SECOND: Final = "%Y-%m-%d %H:%M:%S"
WORDS: Final = {
    Group.NEWCOMERS: "nearly the same mails of senders who had not written before",
    Group.STORM: "nearly the same mails",
    Group.THREAD: "mails of one thread",
    Group.SENDER: "mails of one sender",
}
"""From the narrowest group on, which explains best."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimits:
    """Mails per hour that are processed one by one; 0 means no limit."""

    sender: int = 30
    storm: int = 10
    thread: int = 10

    def limit(self, group: Group) -> int:
        """Return the limit of this group; new senders have at most `NEWCOMERS`, unless nobody has a limit."""
        limits = {Group.SENDER: self.sender, Group.STORM: self.storm, Group.THREAD: self.thread}
        return limits.get(group, min(NEWCOMERS, self.storm))


def holding(earlier: Mapping[Group, int], rate_limits: RateLimits) -> tuple[Group, ...]:
    """Return the groups that throttle a mail, given the number of earlier mails; empty where it may pass."""
    return tuple(group for group in WORDS if 0 < rate_limits.limit(group) <= earlier.get(group, 0))


def given_up(earlier: int, group: Group, rate_limits: RateLimits) -> bool:
    """Tell whether so many mails made no ticket that further ones would not either."""
    return earlier >= rate_limits.limit(group) + IN_VAIN


def held_back(group: Group) -> bool:
    """Tell whether a decision about the first mails of a group holds for all its mails, because they are nearly the same."""
    return group not in UNLIKE


def reason(group: Group, rate_limits: RateLimits, ticket: str, waiting: str = "") -> str:
    """Say why a throttled mail has no ticket of its own; `waiting` is the case that a person decides about for all."""
    where = "the first ones made no ticket, and a person decides about all"
    if ticket:
        where = f"collected in {ticket}"
    elif waiting:
        where = (
            f"held with {waiting}, which waits for a person; if that makes a ticket, a comment there lists this mail"
        )
    return f"more than {rate_limits.limit(group)} {WORDS[group]} within an hour: {where}"


def counted(flood: Flood) -> str:
    """Say how many mails there are, with what is known of them."""
    if not flood.ticket:
        return f"{flood.held} {WORDS[flood.group]} held, since a person decides about the first of them"
    told_of = (
        "all reported there" if not flood.unreported else f"{flood.reported} reported there, {flood.unreported} not yet"
    )
    later = f", by {flood.due:%Y-%m-%d %H:%M} UTC at the latest" if flood.unreported and flood.due else ""
    return f"{flood.held} {WORDS[flood.group]} held for {flood.ticket}, {told_of}{later}"


def collecting(floods: Iterable[Flood]) -> list[str]:
    """Return a line for each of the largest floods of which mails are not reported yet, and one for the rest."""
    under_way = sorted((flood for flood in floods if flood.unreported), key=lambda flood: -flood.held)
    lines = [counted(flood) for flood in under_way[:NAMED]]
    if rest := under_way[NAMED:]:
        lines.append(f"{sum(flood.held for flood in rest)} mails of {len(rest)} more groups (`triage cases --held`)")
    return lines


def render_summary(summary: Summary, group: Group, rate_limits: RateLimits) -> str:
    """Render the one comment on all throttled mails, which is edited as more of them come."""
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


def _line(subject: FloodSubject) -> str:
    """Render subject, number and cases, so that people find their own mail."""
    words = truncated(subject.text, LONGEST_SUBJECT)
    if subject.count == 1:
        where = subject.first
    else:
        where = f"{subject.count} mails, the first {subject.first}, the last {subject.last}"
    return f"{literal(words) or 'without a subject'} ({where})"

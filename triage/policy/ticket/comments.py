"""Writes our comments on tickets: of merged ones, of a part that moved, and the one on further reports, which is edited as they come."""

from typing import Final

from triage.domain.effects import Reports
from triage.domain.text.truncation import truncated
from triage.domain.tickets import TicketLine
from triage.policy.text.untrusted import word
from triage.policy.ticket.markdown import literal

COLLECTED_FROM: Final = 10
"""The comment on a ticket from which on reports are collected."""
LONGEST_SENDER: Final = 100
_MINUTE: Final = "%Y-%m-%d %H:%M"


def merge_comments(gone: TicketLine, stays: str, by: str) -> tuple[str, str]:
    """Return the comments on the ticket that stays and on the one that goes, in Markdown."""
    title = word(" ".join(str(gone.summary).split()))
    there = (
        f"**{gone.key} was merged into this ticket** by {by}: {title}\n\n"
        f"What was said there stays there to be read; later mails of its thread come here."
    )
    return there, f"**Merged into {stays}** by {by}. Go on there: later mails of this thread do, too."


def part_comment(number: int, title: str, moved: str, by: str) -> str:
    """Return the comment on the ticket whose part has moved, in Markdown."""
    return f"**Part {number} moved to {moved}** by {by}: {word(' '.join(title.split()))}"


def render_reports(reports: Reports) -> str:
    """Return the comment: how many more reports there are, since when, and whose."""
    senders = [f"- {_line(*each)}" for each in reports.senders]
    if left_out := reports.different - len(reports.senders):
        senders.append(f"- … and {left_out} more senders")
    headline = "1 more report" if reports.count == 1 else f"{reports.count} more reports"
    when = f"{reports.since:{_MINUTE}} to {reports.until:{_MINUTE}} UTC"
    head = (
        f"**{headline}**, {when}, beside the {reports.comments} comments before. This comment is edited as they come."
    )
    return "\n".join((head, "", *senders))


def _line(sender: str, count: int, last: str) -> str:
    """Render one sender with the number of mails, and the case of the last one."""
    mails = f"{count} mails, the last {last}" if count > 1 else last
    return f"{literal(truncated(sender, LONGEST_SENDER)) or 'unknown sender'} ({mails})"

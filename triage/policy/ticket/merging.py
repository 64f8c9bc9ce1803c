"""The words on tickets that people merge into one, or take apart. Pure."""

from triage.domain.tickets import TicketLine
from triage.policy.text.untrusted import word


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

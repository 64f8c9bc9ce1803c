"""Decides which comments on a ticket are sent to whom its mail came from."""

import re
from datetime import datetime
from typing import Final

from triage.domain.channels.ticket_notes import TicketComment
from triage.policy.channels.commands import command_in

_QUOTED: Final = re.compile(r"^[ \t]*\\?>.*\n?", re.MULTILINE)
LONGEST: Final = 20_000
"""Characters of a comment that are sent."""


def goes_out(comment: TicketComment, since: datetime) -> bool:
    """Tell whether a colleague said it to everybody, after `since`, in his own words, and not to us."""
    return (
        comment.public
        and comment.by_colleague
        and not comment.ours
        and not comment.edited_by_other
        and comment.at is not None
        and comment.at >= since
        and command_in(comment.words) is None
        and command_in(comment.text) is None
        and bool(comment_text(comment))
    )


def comment_text(comment: TicketComment) -> str:
    """Return the Markdown that is sent: without quoted lines of the mail, and not endless."""
    return _QUOTED.sub("", comment.text).strip()[:LONGEST]

"""Recognises answers to Jira's own notifications, by the Message-ID that Jira gives them.

`<JIRA.48213.1795537812345.77.1795541412000@jira.example>`: the number of the issue, the millisecond of its creation, and for single
mails a counter and the time of sending. Jira's pages show no milliseconds, so that only recipients know the id.
"""

import re
from datetime import datetime
from typing import Final

from triage.domain.mail import Message

_ID: Final = re.compile(r"<?JIRA\.[0-9]{1,12}\.([0-9]{13})(?![0-9])[^\s<>]{0,200}>?", re.IGNORECASE | re.ASCII)


def answers_notification(message: Message, created: datetime | None) -> bool:
    """Tell whether a mail answers a notification about the ticket that was created at this time.

    Only the mail that it answers counts, and the last of its References: a list of ids could hold guesses.
    """
    return created is not None and round(created.timestamp() * 1000) in _moments(message)


def may_answer_notification(message: Message) -> bool:
    """Tell whether the mail that this one answers was written by Jira, as its id claims."""
    return bool(_moments(message))


def _moments(message: Message) -> frozenset[int]:
    """Return the milliseconds of creation in the ids of what the mail answers."""
    answered = (*message.in_reply_to[:1], *message.references[-1:])
    return frozenset(int(found[1]) for one in answered if (found := _ID.fullmatch(one)))

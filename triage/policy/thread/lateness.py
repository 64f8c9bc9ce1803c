"""Tells whether a mail came here well after it had arrived at its mail server, as all do that come again after a restore."""

from datetime import datetime, timedelta
from typing import Final

from triage.domain.mail import Message

LATE: Final = timedelta(seconds=60)
"""A mailbox is fetched within seconds; nobody restores a database in less."""


def is_late(mail: Message, received_at: datetime) -> bool:
    """Tell whether an older state of the database may have handled the mail; a mail that does not say when it came may be late.

    The last server's Received line counts, else the Date header: who forges it gains nothing, since only our own marks are found.
    """
    arrived = next((hop.at for hop in mail.hops[:1] if hop.at), mail.date)
    return arrived is None or received_at - arrived > LATE

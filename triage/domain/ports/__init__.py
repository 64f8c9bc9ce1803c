"""What the core asks of the world, in our words; each docstring names the errors.

Every port may raise its `…Down` (a `Transient`) when the other side does not answer.
"""

from triage.domain.ports.house import Clock, Doorbell, Landmark, nowhere
from triage.domain.ports.mail import Mailbox, Mailboxes, MailReader, SignatureCheck
from triage.domain.ports.model import Model
from triage.domain.ports.store import Archive, Book, Store
from triage.domain.ports.tracker import TicketIndex, Tracker

__all__ = [
    "Archive",
    "Book",
    "Clock",
    "Doorbell",
    "Landmark",
    "MailReader",
    "Mailbox",
    "Mailboxes",
    "Model",
    "SignatureCheck",
    "Store",
    "TicketIndex",
    "Tracker",
    "nowhere",
]

"""Mails of strangers, and what the rules say of them."""

from dataclasses import replace
from typing import Any

from triage.domain.findings import DispositionFinding
from triage.domain.mail import Address, Kind, KindVerdict, Message
from triage.domain.untrusted import Untrusted
from triage.policy.decision.disposition.disposition import Facts, disposition_of
from triage.policy.decision.disposition.standing import SenderStanding
from triage.policy.sender.spam_headers import Accusation, ServerVerdict

HUMAN = KindVerdict(kind=Kind.HUMAN, evidence=(), may_ticket=True, may_answer=True)
SENDER = Address(address="eve@unknown.example")
SCAM = (
    "Dear friend, I am the lawyer of a late client who died without heirs and left eleven million dollars in our bank. "
    "I need your help to transfer the funds to your account; send me your full name, your telephone number and your "
    "bank details. This is strictly confidential and risk free, you will receive forty percent of the money."
)
REPORT = (
    "Since this morning nobody can save an order: after a click on save the page shows an internal server error. "
    "It happens in all browsers. Please have a look, the warehouse is waiting for the orders."
)
YES = ServerVerdict(says=Accusation.SPAM, believed=True, evidence="X-Spam-Flag: YES")
COLLEAGUE = SenderStanding(protected="one of us")


def mail(text: str, subject: str = "Your help", **more: Any) -> Message:
    """A stranger's mail."""
    body = Untrusted(text)
    to = (Address(address="desk@us.example"),)
    return replace(Message(subject=Untrusted(subject), text=body, reply=body, sender=SENDER, to=to), **more)


def judged(text: str, subject: str = "Your help", **facts: Any) -> DispositionFinding:
    """The disposition of a stranger's mail."""
    return disposition_of(replace(Facts(message=mail(text, subject), kind=HUMAN), **facts))

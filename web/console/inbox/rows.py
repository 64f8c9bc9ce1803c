"""A line of the inbox as its template gets it."""

import hashlib
from dataclasses import dataclass
from datetime import datetime

from triage.domain.mail import Address
from triage.domain.operations.case_lists import InboxLine
from triage.domain.text.truncation import truncated
from triage.policy.case_lists.beside import beside
from triage.policy.case_lists.tabs import is_snoozed, needs_somebody

LONGEST = 300
"""Characters of a subject or reason that a line shows; the page of the case has all of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxRow:
    """One line."""

    number: str
    subject: str
    name: str
    """Of the sender; his address where he gives none."""
    address: str
    reason: str
    state: str
    ticket: str
    at: datetime
    mails: int
    """Of its thread."""
    waits: int
    """Open approvals."""
    until: datetime | None
    """Until when it is snoozed, if it is."""
    thread: str
    """The same for the cases of one thread, and nothing of a mail."""
    needs: bool


def row_of(line: InboxLine, now: datetime) -> InboxRow:
    case = line.case
    sender = Address.read(case.sender)
    return InboxRow(
        number=case.id.removeprefix("case-"),
        subject=_cut(case.subject),
        name=sender.name or sender.address,
        address=sender.address or case.sender,
        reason=_cut(beside(case.reason, case.state, case.ticket)),
        state=case.state,
        ticket=case.ticket,
        at=case.received_at,
        mails=line.mails,
        waits=line.waits,
        until=case.snoozed_until if is_snoozed(line, now) else None,
        thread=hashlib.sha256(line.thread.encode(errors="replace")).hexdigest()[:12] if line.thread else "",
        needs=needs_somebody(line, now),
    )


def _cut(text: str) -> str:
    return truncated(" ".join(text.split()), LONGEST)

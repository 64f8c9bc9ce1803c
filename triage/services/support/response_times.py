"""Watches the response times of escalations: a reminder before, a notice after, and an end when a person answers."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from triage.domain.channels.notices import Notice, NoticeKind, NoticeSeverity
from triage.domain.ports import Clock, Dialogues, TicketStore
from triage.domain.support.dialogues import Dialogue
from triage.policy.support.response_times import remind_of

UNTOUCHED = "new"
"""Jira's category of a status without work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseTimes:
    """Called with the other conditions, every few seconds; each key is sent once."""

    dialogues: Dialogues
    tickets: TicketStore
    """The copy of the tickets: a moved ticket counts as answered."""
    clock: Clock

    async def notices(self) -> tuple[Notice, ...]:
        """Return due notices, and end the response times of tickets that a person has begun. Raises `StoreDown`."""
        waiting = await self.dialogues.waiting()
        keys = [one.ticket for one in waiting if one.ticket]
        known = {one.key: one for one in await self.tickets.tickets(keys)} if keys else {}
        told: list[Notice] = []
        for one in waiting:
            ticket = known.get(one.ticket)
            if ticket is not None and ticket.category != UNTOUCHED:
                await self.dialogues.answered(one.id)
            else:
                told += _due(one, self.clock.now())
        return tuple(told)


def _due(dialogue: Dialogue, now: datetime) -> Iterator[Notice]:
    """Yield the reminder or the breach, if it is time."""
    due, since = dialogue.respond_by, dialogue.escalated_at
    if due is None or since is None or now < remind_of(since, due):
        return
    late = now >= due
    what = "was due" if late else "is due"
    yield Notice(
        kind=NoticeKind.RESPONSE_LATE if late else NoticeKind.RESPONSE_DUE,
        severity=NoticeSeverity.FAILURE if late else NoticeSeverity.WARNING,
        text=f"The answer to a customer ({dialogue.priority}, {dialogue.ticket or 'no ticket'}) {what} {due:%Y-%m-%d %H:%M} UTC",
        cure="answer the customer, and move the ticket on: that ends the response time",
        ticket=dialogue.ticket,
        key=f"response {dialogue.id} {'late' if late else 'due'} {due:%Y-%m-%dT%H:%M}",
    )

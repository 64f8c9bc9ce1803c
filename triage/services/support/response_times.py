"""Watches the response times of escalations: a reminder before, a notice after, and an end when a person answers.

Where Jira itself counts the time (the SLA of a service project), its timer decides in place of ours.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

from loguru import logger

from triage.domain.channels.notices import Notice, NoticeKind, NoticeSeverity
from triage.domain.errors import TriageError
from triage.domain.ports import Clock, Dialogues, TicketReader, TicketStore
from triage.domain.support.dialogues import Dialogue
from triage.domain.support.service_timers import ServiceTimer
from triage.policy.support.response_times import remind_of, timer_of

UNTOUCHED: Final = "new"
"""Jira's category of a status without work."""
KEPT: Final = timedelta(minutes=5)
"""How long a timer of Jira is believed, unless a notice is due by it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseTimes:
    """Called with the other conditions, every few seconds; each key is sent once."""

    dialogues: Dialogues
    tickets: TicketStore
    """The copy of the tickets: a moved ticket counts as answered."""
    reader: TicketReader
    clock: Clock
    sla: Callable[[], str]
    """Returns the name of Jira's timer that counts, as triage.yaml says now."""
    _read: dict[str, tuple[datetime, ServiceTimer | None]] = field(default_factory=dict)
    """When each ticket's timer was read, and what it said."""

    async def notices(self) -> tuple[Notice, ...]:
        """Return due notices, and end the response times of tickets that a person has begun. Raises `StoreDown`."""
        waiting = await self.dialogues.waiting()
        keys = [one.ticket for one in waiting if one.ticket]
        known = {one.key: one for one in await self.tickets.tickets(keys)} if keys else {}
        for gone in self._read.keys() - set(keys):
            del self._read[gone]
        due_notices: list[Notice] = []
        for one in waiting:
            timer = await self._timer(one) if one.ticket else None
            ticket = known.get(one.ticket)
            begun = not timer.running if timer else ticket is not None and ticket.category != UNTOUCHED
            if begun:
                await self.dialogues.respond_by(one.id, None)
            elif timer is None or not timer.paused:
                due_notices += _due(await self._moved(one, timer), self.clock.now())
        return tuple(due_notices)

    async def _moved(self, dialogue: Dialogue, timer: ServiceTimer | None) -> Dialogue:
        """Return the conversation with Jira's moment in place of ours, and store it where it is another."""
        if timer is None or timer.breaches_at in {None, dialogue.respond_by}:
            return dialogue
        await self.dialogues.respond_by(dialogue.id, timer.breaches_at)
        return replace(dialogue, respond_by=timer.breaches_at)

    async def _timer(self, dialogue: Dialogue) -> ServiceTimer | None:
        """Return Jira's timer, read again after five minutes and when a notice falls due; None where Jira has none or does not answer."""
        now, key = self.clock.now(), dialogue.ticket
        at, timer = self._read.get(key, (None, None))
        if at is None or now - at >= KEPT or any(at < moment <= now for moment in _moments(dialogue)):
            try:
                timer = timer_of(await self.reader.timers(key), self.sla())
            except TriageError as e:
                logger.bind(ticket=key, error=str(e)).warning("support.sla_unread")
            self._read[key] = now, timer
        return timer


def _moments(dialogue: Dialogue) -> tuple[datetime, ...]:
    """Return when reminder and breach are due; nothing where no response time runs."""
    due, since = dialogue.respond_by, dialogue.escalated_at
    return (remind_of(since, due), due) if due and since else ()


def _due(dialogue: Dialogue, now: datetime) -> Iterator[Notice]:
    """Yield the reminder or the breach, if it is time."""
    moments, due = _moments(dialogue), dialogue.respond_by
    if due is None or not moments or now < moments[0]:
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

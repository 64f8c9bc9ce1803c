"""Looks for tickets that were created twice from one mail, and closes the second as a duplicate.

The protocol of `agent/writing.py` leaves one hole: a server that commits a ticket long after we have given up on it,
while neither its number nor its label could be seen. Whatever such a thing leaves behind is found here, by the mark.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from loguru import logger

from triage.domain.errors import TicketGone, TrackerRejected, TriageError
from triage.domain.ports import Clock, TrackerView
from triage.domain.tickets import Project, Ticket

EVERY: Final = 3600.0
"""Seconds between two sweeps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Double:
    """A ticket that should not be, and the one that stays."""

    key: str
    of: str
    trouble: str = ""
    """What kept us from closing it or tying it to the other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweeper:
    """Safe at any time and any number of times, by several processes at once: each write only sets what should be."""

    tracker: TrackerView
    clock: Clock
    days: int = 7
    """How far back; a double is as old as the trouble that made it."""

    async def run(self) -> None:
        """Now and once an hour, until cancelled. Trouble is told in the log, and the next hour tries again."""
        while True:
            try:
                await self.sweep()
            except TriageError as e:
                logger.bind(error=str(e)).warning("sweep.failed")
            await self.clock.sleep(EVERY)

    async def sweep(self) -> tuple[Double, ...]:
        """The doubles found, closed as duplicates of the oldest. Raises what the tracker raises."""
        doubles = [
            await self._settled(ticket, first) for ticket, first in doubled(await self.tracker.tickets.ours(self.days))
        ]
        for double in doubles:
            logger.bind(ticket=double.key, of=double.of, trouble=double.trouble).error("sweep.double")
        return tuple(doubles)

    async def _settled(self, ticket: Ticket, first: Ticket) -> Double:
        """Closed, then tied: who finds the tie knows that all is done, and a person may open it again for good."""
        project = await self.tracker.metadata.project()
        try:
            if ticket.open and (done := _done(project)):
                await self.tracker.writer.transition(ticket.key, done)
            if kind := _duplicate(project):
                await self.tracker.writer.link(ticket.key, first.key, kind)
        except (TrackerRejected, TicketGone) as e:
            return Double(key=ticket.key, of=first.key, trouble=str(e))
        return Double(key=ticket.key, of=first.key)


def doubled(tickets: Sequence[Ticket]) -> list[tuple[Ticket, Ticket]]:
    """Each ticket that has an older one with the same mark, with that one; those that are tied already left out."""
    marked: dict[str, list[Ticket]] = defaultdict(list)
    each = {ticket.key: ticket for ticket in tickets}  # one that is listed twice was not made twice
    for ticket in sorted(each.values(), key=lambda t: t.number):
        marked[ticket.mark].append(ticket)
    pairs = ((other, group[0]) for group in marked.values() for other in group[1:])
    return [(other, first) for other, first in pairs if first.key not in other.duplicates]


def _done(project: Project) -> str:
    return next((status.name for status in project.statuses if status.category == "done"), "")


def _duplicate(project: Project) -> str:
    return next((name for name in project.link_types if name.casefold().startswith("duplicate")), "")

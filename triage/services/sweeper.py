"""Looks for tickets that were created twice from one mail, and closes the second as a duplicate.

The protocol of `effects/writer.py` leaves one gap: a server may commit a ticket long after the writer gave up, when
neither its number nor its label could be seen. The sweeper finds such a ticket by its mark.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from loguru import logger

from triage.domain.errors import TicketGone, TrackerRejected
from triage.domain.ports import KillSwitch, TrackerView
from triage.domain.tickets import Project, Ticket


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateTicket:
    """A duplicate ticket of one mail, and the older one that stays."""

    key: str
    of: str
    trouble: str = ""
    """Why it could not be closed or linked; empty if it was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweeper:
    """Finds tickets that one mail made twice, and closes the newer as a duplicate. Its writes are idempotent, so several may run."""

    tracker: TrackerView
    days: int = 7
    """Age of the oldest tickets that are compared."""
    kill_switch: KillSwitch | None = None
    """While a person has paused all writing, `turn` sweeps nothing."""

    async def run_once(self) -> None:
        """Sweep unless writing is paused. Raises what the tracker raises."""
        if not (self.kill_switch and await self.kill_switch.paused()):
            await self.sweep()

    async def sweep(self) -> tuple[DuplicateTicket, ...]:
        """Close duplicates and link them to the oldest; return them. Raises what the tracker raises."""
        doubles = [
            await self._settled(ticket, first) for ticket, first in doubled(await self.tracker.tickets.ours(self.days))
        ]
        for double in doubles:
            logger.bind(ticket=double.key, of=double.of, trouble=double.trouble).error("sweep.double")
        return tuple(doubles)

    async def _settled(self, ticket: Ticket, first: Ticket) -> DuplicateTicket:
        """Close, then link. The link marks the work as finished, so a person may reopen the ticket for good."""
        project = await self.tracker.metadata.project()
        try:
            if ticket.open and (done := _done(project)):
                await self.tracker.writer.transition(ticket.key, done)
            if kind := _duplicate(project):
                await self.tracker.writer.link(ticket.key, first.key, kind)
        except (TrackerRejected, TicketGone) as e:
            return DuplicateTicket(key=ticket.key, of=first.key, trouble=str(e))
        return DuplicateTicket(key=ticket.key, of=first.key)


def doubled(tickets: Sequence[Ticket]) -> list[tuple[Ticket, Ticket]]:
    """Pair each ticket with the oldest one of the same mark, without pairs that are linked."""
    marked: dict[str, list[Ticket]] = defaultdict(list)
    each = {ticket.key: ticket for ticket in tickets}  # a ticket that Jira lists twice is one ticket
    for ticket in sorted(each.values(), key=lambda t: t.number):
        marked[ticket.mark].append(ticket)
    pairs = ((other, group[0]) for group in marked.values() for other in group[1:])
    return [(other, first) for other, first in pairs if first.key not in other.duplicates]


def _done(project: Project) -> str:
    return next((status.name for status in project.statuses if status.category == "done"), "")


def _duplicate(project: Project) -> str:
    return next((name for name in project.link_types if name.casefold().startswith("duplicate")), "")

"""Compares decisions of the shadow with the tickets that people made: called by `triage agreement --shadow`."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import dropwhile
from typing import Final

from triage.domain.cases import Case, Outcome
from triage.domain.ports import Archive, Clock, TrackerView
from triage.domain.tickets import Ticket, TicketQuery
from triage.policy.decision.agreement.shadow import EARLIER, Intention, ShadowComparison, compare
from triage.toolsets.intention import intention_of

PAGE: Final = 100
"""Cases and tickets that are read at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShadowAgreementService:
    """Compares what the shadow would have written with the tickets that people made. Raises what tracker and store raise."""

    archive: Archive
    tracker: TrackerView
    clock: Clock

    async def comparisons(self, days: int, progress: Callable[[int], None]) -> tuple[ShadowComparison, ...]:
        """Compare the mails of the last `days` that the shadow decided about, oldest first.

        `progress` hears how many mails are read.
        """
        now = self.clock.now()
        since = now - timedelta(days=days)
        mails = await self._mails(since, progress)
        if not mails:
            return ()
        me = await self.tracker.people.me()
        return compare(mails, await self._tickets(since - EARLIER), me, now)

    async def _mails(self, since: datetime, progress: Callable[[int], None]) -> list[tuple[Case, Intention]]:
        found: list[tuple[Case, Intention]] = []
        before: str | None = None
        while lines := [x for x in await self.archive.cases(PAGE, before=before) if x.received_at >= since]:
            for line in lines:
                case = (await self.archive.report(line.id)).case
                if case.message is not None and (ours := intention_of(case)) is not None:
                    found.append((case, ours))
            progress(len(found))
            before = lines[-1].id
        # What was ignored or handed to a person before the shadow began is none of its decisions.
        return list(dropwhile(lambda each: each[0].outcome is not Outcome.SHADOWED, reversed(found)))

    async def _tickets(self, since: datetime) -> list[Ticket]:
        """Return the tickets that were created since then, by their numbers downward."""
        found: list[Ticket] = []
        below = 0
        while page := await self.tracker.tickets.search(TicketQuery(below=below, limit=PAGE)):
            young = [ticket for ticket in page if ticket.created is not None and ticket.created >= since]
            found += young
            if len(young) < len(page):
                break
            below = page[-1].number
        return found

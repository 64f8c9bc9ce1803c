"""The port `PeopleIndex`: assignees of the known tickets."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Final

from cachetools import TTLCache
from sqlalchemy import bindparam, func, select

from integrations.sql.database.engine import Database
from integrations.sql.database.schema import tickets
from integrations.sql.database.types import UtcDateTime
from triage.domain.ports import Clock
from triage.domain.tickets import Ticket, Workload
from triage.domain.untrusted import NOTHING

RECENT_DAYS: Final = 180
RECENT: Final = 500
RECENT_SECONDS: Final = 300.0

_LOAD: Final = (
    select(tickets.c.assignee, tickets.c.category, func.count().label("often"))
    .where(
        tickets.c.project == bindparam("project"),
        tickets.c.category.in_(["new", "indeterminate"]),
        tickets.c.assignee.is_not(None),
    )
    .group_by(tickets.c.assignee, tickets.c.category)
)
_ASSIGNED: Final = (
    select(tickets.c.data)
    .where(
        tickets.c.project == bindparam("project"),
        tickets.c.assignee.is_not(None),
        tickets.c.updated >= bindparam("since", type_=UtcDateTime),
    )
    .order_by(tickets.c.updated.desc(), tickets.c.id.desc())
    .limit(RECENT)
)


class SqlPeopleIndex:
    """Counts and lists over the rows that `ticket_store.py` writes."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._recent: TTLCache[str, tuple[Ticket, ...]] = TTLCache(maxsize=8, ttl=RECENT_SECONDS)

    async def workloads(self, project: str) -> Mapping[str, Workload]:
        """Open tickets by person id."""
        rows = await self._database.read(lambda c: c.execute(_LOAD, {"project": project}).all())
        counts = {(row.assignee, row.category): row.often for row in rows}
        return {
            person: Workload(
                waiting=counts.get((person, "new"), 0), in_progress=counts.get((person, "indeterminate"), 0)
            )
            for person, _ in counts
        }

    async def assigned(self, project: str) -> tuple[Ticket, ...]:
        """The latest assigned tickets, without descriptions; cached for five minutes."""
        kept = self._recent.get(project)
        if kept is None:
            asked = {"project": project, "since": self._clock.now() - timedelta(days=RECENT_DAYS)}
            found = await self._database.read(lambda c: tuple(c.scalars(_ASSIGNED, asked)))
            kept = self._recent[project] = tuple(replace(ticket, description=NOTHING) for ticket in found)
        return kept

"""The port `PeopleIndex`: assignees of the known tickets."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from cachetools import TTLCache
from sqlalchemy import bindparam, func, select

from integrations.sql.database.engine import Database
from integrations.sql.database.ticket_tables import tickets
from triage.domain.tickets import Ticket, Workload
from triage.domain.untrusted import Untrusted

RECENT: Final = 5_000
WITH_TEXT: Final = 1_000
"""Of them, the newest, whose words are compared with a mail."""
LONGEST: Final = 4_000
"""Characters of a description that are kept in memory."""
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
    .where(tickets.c.project == bindparam("project"), tickets.c.assignee.is_not(None))
    .order_by(tickets.c.updated.desc(), tickets.c.id.desc())
    .limit(RECENT)
)


class SqlPeopleIndex:
    """The port `PeopleIndex`: counts and lists over the rows that `ticket_store.py` writes."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._recent: TTLCache[str, tuple[Ticket, ...]] = TTLCache(maxsize=8, ttl=RECENT_SECONDS)

    async def workloads(self, project: str) -> Mapping[str, Workload]:
        rows = await self._database.read(lambda c: c.execute(_LOAD, {"project": project}).all())
        counts = {(row.assignee, row.category): row.often for row in rows}
        return {
            person: Workload(
                waiting=counts.get((person, "new"), 0), in_progress=counts.get((person, "indeterminate"), 0)
            )
            for person, _ in counts
        }

    async def assigned(self, project: str) -> tuple[Ticket, ...]:
        kept = self._recent.get(project)
        if kept is None:
            found = await self._database.read(lambda c: tuple(c.scalars(_ASSIGNED, {"project": project})))
            kept = self._recent[project] = tuple(_short(ticket, place) for place, ticket in enumerate(found))
        return kept


def _short(ticket: Ticket, place: int) -> Ticket:
    return replace(ticket, description=Untrusted(ticket.description[: LONGEST if place < WITH_TEXT else 0]))

"""The ports `TicketStore` and `TicketFeed`: the stored copy of the tracker's tickets, and its changes in order."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from itertools import groupby
from typing import Any, Final

from cachetools import LRUCache
from sqlalchemy import Connection, Executable, Text, bindparam, delete, func, or_, select, type_coerce, update

from integrations.sql.database.engine import Database, insert_into
from integrations.sql.database.schema import JobState, effects, jobs
from integrations.sql.database.ticket_tables import ticket_changes, ticket_coverage, tickets
from integrations.sql.database.types import json_of, value_of
from triage.domain.effects import EffectState
from triage.domain.ports import Clock
from triage.domain.retrieval import Coverage, TicketVersion
from triage.domain.tickets import Ticket, number_of
from triage.domain.untrusted import Untrusted

LONGEST: Final = 20_000
"""Characters of a description that are stored and searched."""
READ: Final = 500
"""Most tickets that are kept as objects, some megabytes."""
UNREAD: Final = "unread"
"""Withheld before the ticket was ever read: the first version counts as the one with the words."""
AT_ONCE: Final = 100
"""Tickets in one transaction, so that a mail's own need not wait long."""

_JSON: Final = type_coerce(tickets.c.data, Text).label("json")
_THESE: Final = tickets.c.key.in_(bindparam("keys", expanding=True))
_KNOWN: Final = select(tickets.c.key, tickets.c.updated, tickets.c.doubted_at, tickets.c.withheld, _JSON).where(_THESE)
_CHANGED: Final = (
    select(tickets.c.change, tickets.c.key, _JSON)
    .where(tickets.c.project == bindparam("project"), tickets.c.change > bindparam("after"))
    .limit(bindparam("most"))
)
_CHANGES: Final = {
    False: _CHANGED.order_by(tickets.c.change),
    True: _CHANGED.order_by(tickets.c.change.desc()),
}
"""By whether the latest are asked for."""
_BETWEEN: Final = select(tickets.c.key).where(
    tickets.c.project == bindparam("project"),
    tickets.c.number >= bindparam("low"),
    tickets.c.number < bindparam("high"),
    tickets.c.data.is_not(None),
)
_STORED: Final = select(tickets.c.id).where(tickets.c.project == bindparam("project"), tickets.c.data.is_not(None))
_SIZE: Final = select(func.count()).select_from(_STORED.subquery())
_SIZE_UP_TO: Final = select(func.count()).select_from(_STORED.limit(bindparam("most")).subquery())
_ALL_OF: Final = select(tickets.c.key, tickets.c.data).where(_THESE, tickets.c.data.is_not(None))
_VERSIONS: Final = select(tickets.c.change, tickets.c.key, _JSON).where(_THESE, tickets.c.data.is_not(None))
_COVERAGE: Final = select(ticket_coverage).where(ticket_coverage.c.project == bindparam("project"))
_LAST: Final = select(ticket_changes.c.last).where(ticket_changes.c.project == bindparam("project"))


class SqlTicketStore:
    """The ports `TicketStore`, `TicketFeed` and `TicketCopies`: one row per ticket; the row of a ticket that is gone stays, empty, so that every index hears of it."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._read: LRUCache[tuple[str, int], Ticket | None] = LRUCache(READ)
        """By key and change: mail after mail asks for the same ones."""

    # --- TicketStore ------------------------------------------------------------------------------

    async def keep(self, found: Sequence[Ticket]) -> None:
        for _, group in groupby(sorted(found, key=_project_of), key=_project_of):
            ours = list(group)
            for start in range(0, len(ours), AT_ONCE):
                some = ours[start : start + AT_ONCE]
                await self._database.write(lambda c, some=some: self.put(c, some))  # type: ignore[misc] # bound per round
                await self._hasten([label for ticket in some for label in ticket.labels])

    def put(self, connection: Connection, found: Sequence[Ticket]) -> None:
        """Store tickets in a transaction that ends with it: their project's counter of changes is held from the last but one statement on."""
        for project, group in groupby(sorted(found, key=_project_of), key=_project_of):
            self._put(
                connection,
                project,
                [replace(ticket, description=Untrusted(ticket.description[:LONGEST])) for ticket in group],
            )

    async def forget(self, keys: Sequence[str]) -> None:
        """Empty the rows of these tickets, as a change; rows that were only announced are deleted."""
        await self._database.write(lambda c: self._empty(c, keys))

    async def withhold(self, keys: Sequence[str]) -> None:
        """Empty the rows of these tickets, as a change; they are stored again once title or description have changed."""

        def withheld(connection: Connection) -> None:
            words = {row.key: words_of(row.data) for row in connection.execute(_ALL_OF, {"keys": list(keys)})}
            self._empty(connection, keys)
            for key in keys:
                row = {"project": key.rpartition("-")[0], "number": number_of(key)}
                held = {"withheld": words.get(key, UNREAD)}
                statement = self._database.insert(tickets).values(key=key, **row, **held)
                connection.execute(statement.on_conflict_do_update(index_elements=["key"], set_=held))

        await self._database.write(withheld)

    async def withholding(self) -> tuple[str, ...]:
        statement = select(tickets.c.project).distinct().where(tickets.c.withheld.is_not(None))
        return await self._database.read(lambda c: tuple(sorted(c.scalars(statement))))

    async def naming(self, text: str) -> tuple[str, ...]:
        found = func.lower(type_coerce(tickets.c.data, Text)).contains(text, autoescape=True)
        statement = select(tickets.c.key).where(found).order_by(tickets.c.key)
        return await self._database.read(lambda c: tuple(c.scalars(statement)))

    async def tickets(self, keys: Sequence[str]) -> tuple[Ticket, ...]:
        rows = await self._database.look(lambda c: c.execute(_VERSIONS, {"keys": list(keys)}).all())
        found = {row.key: self._ticket(row) for row in rows}
        return tuple(ticket for key in dict.fromkeys(keys) if (ticket := found.get(key)) is not None)

    async def mark_stale(self, keys: Sequence[str]) -> None:
        now = self._clock.now()

        def waiting(connection: Connection) -> None:
            for key in dict.fromkeys(keys):
                row = {"key": key, "project": key.rpartition("-")[0], "number": number_of(key), "doubted_at": now}
                statement = self._database.insert(tickets).values(row)
                connection.execute(statement.on_conflict_do_update(index_elements=["key"], set_={"doubted_at": now}))

        await self._database.write(waiting)

    async def stale(self, project: str, limit: int) -> tuple[str, ...]:
        marked = tickets.c.doubted_at.is_not(None), tickets.c.project == project
        statement = select(tickets.c.key).where(*marked).order_by(tickets.c.doubted_at).limit(limit)
        return await self._database.read(lambda c: tuple(c.scalars(statement)))

    async def between(self, project: str, low: int, high: int) -> tuple[str, ...]:
        asked = {"project": project, "low": low, "high": high}
        return await self._database.read(lambda c: tuple(c.scalars(_BETWEEN, asked)))

    async def coverage(self, project: str) -> Coverage | None:
        row = await self._database.look(lambda c: c.execute(_COVERAGE, {"project": project}).first())
        if row is None:
            return None
        return Coverage(lowest=row.lowest, as_of=row.as_of, checked=row.checked, reconciled=row.reconciled)

    async def cover(self, project: str, coverage: Coverage) -> None:
        values = {
            "lowest": coverage.lowest,
            "as_of": coverage.as_of,
            "checked": coverage.checked,
            "reconciled": coverage.reconciled,
        }
        statement = self._database.insert(ticket_coverage).values(project=project, **values)
        upsert = statement.on_conflict_do_update(index_elements=["project"], set_=values)
        await self._database.write(lambda c: c.execute(upsert))

    # --- TicketFeed -------------------------------------------------------------------------------

    async def changes(self, project: str, after: int, limit: int, *, latest: bool = False) -> tuple[TicketVersion, ...]:
        asked = {"project": project, "after": after, "most": limit}
        rows = await self._database.look(lambda c: c.execute(_CHANGES[latest], asked).all())
        found = tuple(TicketVersion(row.change, row.key, self._ticket(row)) for row in rows)
        return found[::-1] if latest else found

    async def size(self, project: str, most: int | None = None) -> int:
        if most is None:
            return await self._database.read(lambda c: c.execute(_SIZE, {"project": project}).scalar_one())
        asked = {"project": project, "most": most}
        return await self._database.look(lambda c: c.execute(_SIZE_UP_TO, asked).scalar_one())

    async def last_change(self, project: str) -> int:
        return await self._database.look(lambda c: c.scalar(_LAST, {"project": project}) or 0)

    # ----------------------------------------------------------------------------------------------

    def _ticket(self, row: Any) -> Ticket | None:
        version = row.key, row.change
        if version not in self._read:
            self._read[version] = None if row.json is None else value_of(Ticket, row.json)
        return self._read[version]

    async def _hasten(self, marks: Sequence[str]) -> None:
        """Make cases due that wait to search for a ticket with one of these marks; usually there are none."""
        if not marks:
            return
        lost = select(effects.c.case_id).where(
            effects.c.label.in_(marks), effects.c.state.in_([EffectState.INTENDED, EffectState.UNKNOWN])
        )
        waiting = await self._database.read(lambda c: c.scalars(lost).all())
        if waiting:
            now = self._clock.now()
            late = jobs.c.case_id.in_(waiting), jobs.c.state == JobState.READY, jobs.c.due > now
            await self._database.write(lambda c: c.execute(update(jobs).where(*late).values(due=now)).close())

    def _put(self, connection: Connection, project: str, found: Sequence[Ticket]) -> None:
        """Count these changes, then write them; of rows that became newer, or were withheld, since they were read, none is written."""
        known = {row.key: row for row in connection.execute(_KNOWN, {"keys": [ticket.key for ticket in found]})}
        held = {ticket.key: words_of(ticket) for ticket in found if _withheld(ticket, known.get(ticket.key))}
        rows = {
            ticket.key: _row(project, ticket)
            for ticket in found
            if ticket.key not in held and not _older(ticket, known.get(ticket.key))
        }
        same = [key for key, row in rows.items() if key in known and known[key].json == row["json"]]
        again = [key for key in same if known[key].doubted_at is not None]
        changed = [row for key, row in rows.items() if key not in same]
        last = self._counted(connection, project, len(changed)) if changed else 0
        for key, words in held.items():
            still = {"withheld": words, "doubted_at": None}
            connection.execute(update(tickets).where(tickets.c.key == key).values(still))
        if again:
            connection.execute(update(tickets).where(tickets.c.key.in_(again)).values(doubted_at=None))
        if changed:
            values = [{name: value for name, value in row.items() if name != "json"} for row in changed]
            for at, row in enumerate(values, last - len(values) + 1):
                row["change"] = at
                row["held"] = known[row["key"]].withheld if row["key"] in known else None
            connection.execute(_newer(postgres=self._database.postgres), values)

    def _empty(self, connection: Connection, keys: Sequence[str]) -> None:
        for project, group in groupby(sorted(keys), key=lambda key: key.rpartition("-")[0]):
            last, named = self._counted(connection, project, 0), list(group)
            connection.execute(delete(tickets).where(tickets.c.key.in_(named), tickets.c.change.is_(None)))
            known = connection.execute(_ALL_OF, {"keys": named}).all()
            empty = {"data": None, "updated": None, "category": None, "assignee": None}
            for at, row in enumerate(known, last + 1):
                connection.execute(update(tickets).where(tickets.c.key == row.key).values(change=at, **empty))
            connection.execute(update(tickets).where(tickets.c.key.in_(named)).values(doubted_at=None))
            if known:
                self._counted(connection, project, len(known))

    def _counted(self, connection: Connection, project: str, more: int) -> int:
        """Return the number of the latest change after adding so many; no other transaction adds one before this one ends."""
        counter = _counter(postgres=self._database.postgres)
        return int(connection.execute(counter, {"project": project, "last": more}).scalar_one())


@cache
def _newer(*, postgres: bool) -> Executable:
    """Store a ticket's row in the place of the one before it, unless that is newer or withheld for other words than when it was read."""
    statement = insert_into(tickets, postgres=postgres)
    columns = {column.name: statement.excluded[column.name] for column in tickets.c if column.name != "key"}
    newer = or_(tickets.c.updated.is_(None), statement.excluded.updated >= tickets.c.updated)
    as_read = tickets.c.withheld.is_not_distinct_from(bindparam("held", type_=Text))
    return statement.on_conflict_do_update(index_elements=["key"], set_=columns, where=newer & as_read)


@cache
def _counter(*, postgres: bool) -> Executable:
    """Add to the number of the latest change, return it, and hold its row."""
    statement = insert_into(ticket_changes, postgres=postgres)
    more = {"last": ticket_changes.c.last + statement.excluded.last}
    upsert = statement.on_conflict_do_update(index_elements=["project"], set_=more)
    return upsert.returning(ticket_changes.c.last)


def words_of(ticket: Ticket) -> str:
    """The hash of title and description."""
    return hashlib.sha256(f"{ticket.summary}\0{ticket.description[:LONGEST]}".encode(errors="replace")).hexdigest()


def _project_of(ticket: Ticket) -> str:
    return ticket.key.rpartition("-")[0]


def _withheld(ticket: Ticket, known: Any) -> bool:
    """Whether the ticket still has the words for which its row was emptied."""
    return known is not None and known.withheld in {UNREAD, words_of(ticket)}


def _older(ticket: Ticket, known: Any) -> bool:
    """Whether a later version is stored already."""
    before: datetime | None = known.updated if known is not None else None
    return before is not None and (ticket.updated is None or ticket.updated < before)


def _row(project: str, ticket: Ticket) -> dict[str, Any]:
    """The ticket's row; `json` is its data as the column stores it."""
    return {
        "key": ticket.key,
        "project": project,
        "number": ticket.number,
        "updated": ticket.updated,
        "data": ticket,
        "doubted_at": None,
        "withheld": None,
        "category": ticket.category,
        "assignee": ticket.assignee.id if ticket.assignee else None,
        "json": json_of(Ticket, ticket),
    }

"""The port `TicketIndex`: the project's tickets in SQLite (FTS5) or PostgreSQL (tsvector)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, delete, func, select, text, update

from integrations.sql.database.engine import Database
from integrations.sql.database.schema import JobState, effects, jobs, ticket_coverage, tickets
from integrations.sql.database.types import storable
from triage.domain.effects import EffectState
from triage.domain.ports import Clock
from triage.domain.tickets import Coverage, Ticket
from triage.domain.untrusted import Untrusted

COMMON: Final = 1_000
"""Number of tickets from which on a word is common: counting stops there."""
LONGEST: Final = 20_000
"""Characters of a description that are stored and searched."""
MOST_WORDS: Final = 30
AT_ONCE: Final = 200
_WORD: Final = re.compile(r"\w+")

_OUT: Final = text("DELETE FROM ticket_words WHERE rowid = :id")
_IN: Final = {
    False: text("INSERT INTO ticket_words (rowid, summary, description) VALUES (:id, :summary, :description)"),
    True: text(
        "INSERT INTO ticket_words (rowid, words) VALUES (:id, setweight(to_tsvector('english', :summary), 'A') || "
        "setweight(to_tsvector('english', :description), 'B'))"
    ),
}
_FIND: Final = {
    False: text(
        "SELECT w.rowid FROM ticket_words w JOIN tickets t ON t.id = w.rowid "
        "WHERE ticket_words MATCH :words AND t.project = :project ORDER BY bm25(ticket_words, 2.0, 1.0) LIMIT :most"
    ),
    True: text(
        "SELECT w.rowid FROM ticket_words w JOIN tickets t ON t.id = w.rowid, to_tsquery('english', :words) q "
        "WHERE w.words @@ q AND t.project = :project ORDER BY ts_rank(w.words, q) DESC, w.rowid DESC LIMIT :most"
    ),
}
_FREQUENCY: Final = {
    False: text(
        "SELECT count(*) FROM (SELECT 1 FROM ticket_words WHERE ticket_words MATCH :words LIMIT :most) AS found"
    ),
    True: text(
        "SELECT count(*) FROM (SELECT 1 FROM ticket_words WHERE words @@ to_tsquery('english', :words) LIMIT :most) "
        "AS found"
    ),
}
"""By whether it is PostgreSQL."""


class SqlTicketIndex:
    """One row per ticket; its searchable words are in `ticket_words` under the same id."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def keep(self, found: Sequence[Ticket]) -> None:
        """Store these tickets as read from the tracker; versions older than the stored ones change nothing."""
        for start in range(0, len(found), AT_ONCE):
            some = [_short(ticket) for ticket in found[start : start + AT_ONCE]]
            await self._database.write(lambda c, some=some: self._keep(c, some))  # type: ignore[misc] # bound per round
            await self._hasten([label for ticket in some for label in ticket.labels])

    async def forget(self, keys: Sequence[str]) -> None:
        """Remove these tickets."""

        def gone(connection: Connection) -> None:
            for number in connection.scalars(select(tickets.c.id).where(tickets.c.key.in_(keys))).all():
                connection.execute(_OUT, {"id": number})
                connection.execute(delete(tickets).where(tickets.c.id == number))

        await self._database.write(gone)

    async def find(self, project: str, words: Sequence[str], limit: int) -> tuple[Ticket, ...]:
        """Tickets with any of these words, best match first."""
        sought = _any_of(words, postgres=self._database.postgres)
        if not sought:
            return ()
        asked = {"words": sought, "project": project, "most": limit}

        def found(connection: Connection) -> tuple[Ticket, ...]:
            numbers = connection.scalars(_FIND[self._database.postgres], asked).all()
            rows = connection.execute(select(tickets.c.id, tickets.c.data).where(tickets.c.id.in_(numbers)))
            by_number = {row.id: row.data for row in rows}
            return tuple(by_number[number] for number in numbers if by_number[number] is not None)

        return await self._database.read(found)

    async def mark_stale(self, keys: Sequence[str]) -> None:
        """Mark these tickets to be read again."""
        now = self._clock.now()

        def waiting(connection: Connection) -> None:
            for key in dict.fromkeys(keys):
                row = {"key": key, "project": key.rpartition("-")[0], "doubted_at": now}
                statement = self._database.insert(tickets).values(row)
                connection.execute(statement.on_conflict_do_update(index_elements=["key"], set_={"doubted_at": now}))

        await self._database.write(waiting)

    async def stale(self, limit: int) -> tuple[str, ...]:
        """Keys of tickets to read again, longest waiting first."""
        statement = (
            select(tickets.c.key).where(tickets.c.doubted_at.is_not(None)).order_by(tickets.c.doubted_at).limit(limit)
        )
        return await self._database.read(lambda c: tuple(c.scalars(statement)))

    async def size(self, project: str) -> int:
        """Number of tickets known."""
        statement = select(func.count()).where(tickets.c.project == project, tickets.c.data.is_not(None))
        return await self._database.read(lambda c: c.execute(statement).scalar_one())

    async def frequencies(self, words: Sequence[str]) -> Mapping[str, int]:
        """Number of tickets that hold each of these words, 1,000 at most."""
        postgres = self._database.postgres
        sought = {word: _all_of(word, postgres=postgres) for word in words}

        def counted(connection: Connection) -> dict[str, int]:
            return {
                word: connection.execute(_FREQUENCY[postgres], {"words": query, "most": COMMON}).scalar_one()
                for word, query in sought.items()
                if query
            }

        return await self._database.read(counted)

    async def coverage(self, project: str) -> Coverage | None:
        """The stored coverage of the project, or None."""
        statement = select(ticket_coverage).where(ticket_coverage.c.project == project)
        row = await self._database.read(lambda c: c.execute(statement).first())
        return None if row is None else Coverage(lowest=row.lowest, as_of=row.as_of)

    async def cover(self, project: str, coverage: Coverage) -> None:
        """Store the coverage of the project."""
        values = {"lowest": coverage.lowest, "as_of": coverage.as_of}
        statement = self._database.insert(ticket_coverage).values(project=project, **values)
        told = statement.on_conflict_do_update(index_elements=["project"], set_=values)
        await self._database.write(lambda c: c.execute(told))

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

    def _keep(self, connection: Connection, found: Sequence[Ticket]) -> None:
        statement = select(tickets.c.key, tickets.c.updated).where(tickets.c.key.in_([t.key for t in found]))
        known: dict[str, datetime | None] = {row.key: row.updated for row in connection.execute(statement)}
        for ticket in found:
            if not _older(ticket.updated, known.get(ticket.key)):
                self._put(connection, ticket)

    def _put(self, connection: Connection, ticket: Ticket) -> None:
        row: dict[str, Any] = {"key": ticket.key, "project": ticket.key.rpartition("-")[0], "updated": ticket.updated}
        row |= {"data": ticket, "doubted_at": None, "category": ticket.category}
        row["assignee"] = ticket.assignee.id if ticket.assignee else None
        statement = self._database.insert(tickets).values(row)
        statement = statement.on_conflict_do_update(index_elements=["key"], set_=row)
        number = connection.execute(statement.returning(tickets.c.id)).scalar_one()
        connection.execute(_OUT, {"id": number})
        words = {"summary": storable(ticket.summary), "description": storable(ticket.description)}
        connection.execute(_IN[self._database.postgres], {"id": number, **words})


def _short(ticket: Ticket) -> Ticket:
    return replace(ticket, description=Untrusted(ticket.description[:LONGEST]))


def _older(told: datetime | None, known: datetime | None) -> bool:
    return known is not None and (told is None or told < known)


def _any_of(words: Iterable[str], *, postgres: bool) -> str:
    """A full-text query for any of the words."""
    return (" | " if postgres else " OR ").join(_quoted(words, postgres=postgres))


def _all_of(word: str, *, postgres: bool) -> str:
    """A full-text query for all parts of a word such as `error.log`."""
    return (" & " if postgres else " AND ").join(_quoted([word], postgres=postgres))


def _quoted(words: Iterable[str], *, postgres: bool) -> list[str]:
    """The parts of the words, letters and digits only, each quoted, so that none can inject query syntax."""
    bare = list(dict.fromkeys(part for word in words for part in _WORD.findall(storable(word).lower())))[:MOST_WORDS]
    return [f"'{word}'" if postgres else f'"{word}"' for word in bare]

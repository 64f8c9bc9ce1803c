"""Transactions fenced by a lease: each write first checks that the lease still holds."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Executable, Select

from integrations.sql.database.engine import Database
from integrations.sql.database.leases import HELD, RENEW
from integrations.sql.database.rows import AnyRow
from triage.domain.cases import Lease
from triage.domain.errors import LeaseLost
from triage.domain.ports import Clock, Failpoint

T = TypeVar("T")

Statement = tuple[Executable, Mapping[str, Any] | Sequence[Mapping[str, Any]]]
"""A prebuilt statement with its values: building one costs more than running it."""


FIRST: Final = 1
"""The epoch of a case's first lease."""


class Fence:
    """Shared by all ports of one leased case."""

    def __init__(self, database: Database, lease: Lease, clock: Clock, failpoint: Failpoint) -> None:
        self.lease = lease
        self.job = lease.job
        self.failpoint = failpoint
        self.postgres = database.postgres
        self._database = database
        self._clock = clock
        self._deferred: dict[str, Sequence[Statement]] = {}
        self._lines: dict[Executable, list[Mapping[str, Any]]] = {}
        self._last: dict[str, Callable[[Connection], None]] = {}
        self._kept: dict[Select[Any], AnyRow] = {}

    @property
    def first(self) -> bool:
        """Nobody has had the case before, so no table has a row that only its worker writes."""
        return self.lease.epoch == FIRST

    def now(self) -> datetime:
        return self._clock.now()

    def stamp(self, when: str = "at") -> dict[str, Any]:
        """The columns of every row: its case and the time of writing."""
        return {"case_id": self.job, when: self.now()}

    async def renew(self, seconds: float) -> None:
        """Extend the lease to this many seconds from now. Raises `LeaseLost`."""
        until = self.now() + timedelta(seconds=seconds)
        held = {"job": self.job, "held": self.lease.epoch, "until": until}
        if not await self._database.write(lambda c: c.execute(RENEW, held).all()):
            raise LeaseLost(self.job)
        self.lease = replace(self.lease, until=until)

    async def write(self, *statements: Statement) -> Sequence[AnyRow]:
        """Run all in one commit; return the rows of the last one. Raises `LeaseLost`."""
        return await self.write_by(lambda connection: run_all(connection, statements))

    def defer(self, name: str, *statements: Statement) -> None:
        """Run the statements in the commit of the next write, before it; later ones of this name take their place."""
        self._deferred[name] = statements

    def append(self, journal: Executable, line: Mapping[str, Any]) -> None:
        """Insert a line of a journal in the commit of the next write, behind what is deferred; all lines of a journal are one statement."""
        self._lines.setdefault(journal, []).append(line)

    def defer_last(self, name: str, work: Callable[[Connection], None]) -> None:
        """Run this at the end of the next write, right before its commit, since it holds a lock that all processes share."""
        self._last[name] = work

    async def write_by(self, work: Callable[[Connection], T]) -> T:
        """Commit what was deferred and `work`; return its result. Raises `LeaseLost` if the lease does not hold."""
        first, self._deferred = self._deferred, {}
        lines, self._lines = self._lines, {}
        last, self._last = self._last, {}

        def fenced(connection: Connection) -> T:
            if connection.execute(HELD, {"job": self.job, "held": self.lease.epoch}).first() is None:
                raise LeaseLost(self.job)
            run_all(connection, [statement for those in first.values() for statement in those])
            run_all(connection, list(lines.items()))
            result = work(connection)
            for one in last.values():
                one(connection)
            return result

        try:
            return await self._database.write(fenced)
        except Exception:  # rolled back; a cancelled transaction ends all the same
            self._deferred = first | self._deferred
            self._last = last | self._last
            for journal, later in self._lines.items():
                lines.setdefault(journal, []).extend(later)
            self._lines = lines
            raise

    async def flush(self) -> None:
        """Commit what was deferred, if anything was. Raises `LeaseLost`."""
        if self._deferred or self._lines or self._last:
            await self.write()

    async def read_by(self, work: Callable[[Connection], T]) -> T:
        """Return the result of `work`, which writes nothing and needs no lease."""
        return await self._database.snapshot(work)

    async def look_by(self, work: Callable[[Connection], T]) -> T:
        """As `read_by`, for a single statement."""
        return await self._database.look(work)

    async def own(self, statement: Select[Any]) -> AnyRow | None:
        """The case's row of a table that it writes once; None before that. It is read once."""
        if statement not in self._kept:
            for row in await self.rows(statement, job=self.job):
                self._kept[statement] = row
        return self._kept.get(statement)

    async def rows(self, statement: Select[Any], **values: Any) -> Sequence[AnyRow]:
        return await self._database.look(lambda connection: connection.execute(statement, values).all())

    async def value(self, statement: Select[Any], **values: Any) -> Any:
        """The first value of a statement's first row, None if there is none."""
        return await self._database.look(lambda connection: connection.scalar(statement, values))


def run_all(connection: Connection, statements: Sequence[Statement]) -> Sequence[AnyRow]:
    """Run the statements in order; return the rows of the last one."""
    results = [connection.execute(statement, values) for statement, values in _together(statements)]
    return results[-1].all() if results and results[-1].returns_rows else ()


def _together(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Yield neighbours that differ only in the values of the same columns as one; each other statement as it is."""
    for (executable, columns), alike in groupby(statements, key=_form):
        several = [values for _, values in alike]
        if columns is None or len(several) == 1:
            yield from ((executable, values) for values in several)
        else:
            yield executable, several  # type: ignore[misc] # each is one row, as it has columns


def _form(statement: Statement) -> tuple[Executable, frozenset[str] | None]:
    """Return the statement and its columns; None for several rows and for one that returns rows."""
    executable, values = statement
    if not isinstance(values, Mapping) or getattr(executable, "_returning", False):
        return executable, None
    return executable, frozenset(values)

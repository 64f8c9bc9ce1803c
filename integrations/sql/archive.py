"""The port `Archive`: reads cases for people."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection, Engine, select

from integrations.objects.nowhere import NoObjects
from integrations.sql import migrations
from integrations.sql import report as sql_report
from integrations.sql.case_lists.lists import lines
from integrations.sql.database.decision_tables import approvals
from integrations.sql.database.engine import address_of, our_words
from integrations.sql.database.migrate import version
from integrations.sql.database.rows import approval_of, case_number
from integrations.sql.database.sqlite import file_of, plain_engine
from integrations.sql.floods import floods
from integrations.sql.raw_mails.reading import RawMails, RunsReads
from triage.domain.approvals import Approval
from triage.domain.errors import ApprovalClosed
from triage.domain.ports import ObjectStore
from triage.domain.reports import EVERY_CASE, CaseFilter, CaseLine, Report
from triage.domain.traces import Flood

T = TypeVar("T")


class SqlArchive:
    """The port `Archive`: each method is one read-only transaction."""

    def __init__(self, read: RunsReads, raw_mails: RawMails) -> None:
        self._read = read
        self._raw_mails = raw_mails

    async def cases(
        self,
        limit: int = 50,
        state: str | None = None,
        before: str | None = None,
        where: CaseFilter = EVERY_CASE,
    ) -> tuple[CaseLine, ...]:
        """The latest cases first, of one state and older than the case `before`, if given."""
        return await self._read(lambda c: lines(c, limit, state, before, where))

    async def floods(self, limit: int = 50) -> tuple[Flood, ...]:
        return await self._read(lambda c: floods(c, limit))

    async def report(self, case: str) -> Report:
        return await self._read(lambda c: sql_report.report(c, case))

    async def raw(self, case: str) -> bytes:
        """The raw mail, from the archive if it was moved there."""
        return await self._raw_mails.of(case_number(case), self._read)

    async def approvals(self) -> tuple[Approval, ...]:
        """Open approvals, longest waiting first."""
        return await self._read(lambda c: tuple(approval_of(row) for row in c.execute(sql_report.OPEN)))

    async def approval(self, number: int) -> Approval:
        row = await self._read(lambda c: c.execute(select(approvals).where(approvals.c.id == number)).first())
        if row is None:
            raise ApprovalClosed(number)
        return approval_of(row)

    async def counts(self) -> dict[str, int]:
        return await self._read(sql_report.counts)


class FileReader:
    """Reads a SQLite file by one connection in the calling thread, without the threads of `SqliteThreads`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def __call__(self, work: Callable[[Connection], T]) -> T:
        with our_words(self._engine.url.database), self._engine.begin() as connection:
            return work(connection)


@asynccontextmanager
async def archive_at(url: str, objects: ObjectStore | None = None) -> AsyncIterator[SqlArchive | None]:
    """The archive of a SQLite file; None if the whole store has to be opened. Raises `StoreDown`, `SettingsInvalid`.

    None for PostgreSQL, a file that does not exist yet, and tables that need a migration first.
    """
    engine = _file_at(url)
    if engine is None:
        yield None
        return
    try:
        read = FileReader(engine)
        yield SqlArchive(read, RawMails(objects or NoObjects())) if await read(version) >= migrations.HEAD else None
    finally:
        engine.dispose()


def _file_at(url: str) -> Engine | None:
    address = address_of(url)
    file = file_of(address) if address.get_backend_name() == "sqlite" else None
    return plain_engine(address, begin="BEGIN") if file and Path(file).is_file() else None

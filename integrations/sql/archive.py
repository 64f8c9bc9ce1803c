"""A SQLite file read by one connection, without event loop and driver threads: for commands that only look."""

from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from sqlalchemy import Connection, Engine, select

from integrations.sql import brakes as sql_brakes
from integrations.sql import migrations
from integrations.sql import report as sql_report
from integrations.sql.engine import address_of, our_words
from integrations.sql.migrate import version
from integrations.sql.rows import approval_of, case_number
from integrations.sql.schema import raw_mails
from integrations.sql.sqlite import READING, file_of, plain_engine
from triage.domain.cases import Approval, CaseLine, Report
from triage.domain.errors import CaseUnknown, StoreDown
from triage.domain.traces import Flood

T = TypeVar("T")
READ_ONLY: Final = {READING: True}


class SqlArchive:
    """The port `Archive`: each method is one transaction that writes nothing."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine.execution_options(**READ_ONLY)

    async def cases(self, limit: int = 50, state: str | None = None, before: str | None = None) -> tuple[CaseLine, ...]:
        """The latest cases first, of those that came before a case."""
        return self._read(lambda c: sql_report.lines(c, limit, state, before))

    async def floods(self, limit: int = 50) -> tuple[Flood, ...]:
        """What brakes have held, the latest first."""
        return self._read(lambda c: sql_brakes.floods(c, limit))

    async def report(self, case: str) -> Report:
        """Everything about one case. Raises `CaseUnknown`."""
        return self._read(lambda c: sql_report.report(c, case))

    async def raw(self, case: str) -> bytes:
        """The mail as it came. Raises `CaseUnknown`."""
        statement = select(raw_mails.c.raw).where(raw_mails.c.case_id == case_number(case))
        raw = self._read(lambda c: c.scalar(statement))
        if raw is None:
            raise CaseUnknown(case)
        return bytes(raw)

    async def approvals(self) -> tuple[Approval, ...]:
        """What waits for a person, the longest waiting first."""
        return self._read(lambda c: tuple(approval_of(row) for row in c.execute(sql_report.OPEN)))

    async def counts(self) -> dict[str, int]:
        """Cases by state; their sum is the number of accepted mails."""
        return self._read(sql_report.counts)

    def close(self) -> None:
        """Let the connection go."""
        self._engine.dispose()

    def as_new_as_we(self) -> bool:
        """Its tables need no change before they can be read."""
        return self._read(version) >= migrations.HEAD

    def _read(self, work: Callable[[Connection], T]) -> T:
        with our_words(), self._engine.begin() as connection:
            return work(connection)


def archive_at(url: str) -> SqlArchive | None:
    """The archive in a file; None where only the whole store will do. Raises `StoreDown`, `SettingsInvalid`.

    That is PostgreSQL, a file that is not there yet, and tables that a new version has to change first.
    """
    address = address_of(url)
    file = file_of(address) if address.get_backend_name() == "sqlite" else None
    if file is None or not Path(file).is_file():
        return None
    archive = SqlArchive(plain_engine(address))
    try:
        return archive if archive.as_new_as_we() else None
    except StoreDown:
        archive.close()
        raise

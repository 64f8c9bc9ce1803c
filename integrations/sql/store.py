"""One database behind all ports of the store, SQLite or PostgreSQL."""

from secrets import token_bytes
from typing import Final

from sqlalchemy import Connection, select

from integrations.sql.archive import SqlArchive
from integrations.sql.database.engine import Database, insert_once
from integrations.sql.database.migrate import migrate, version
from integrations.sql.database.schema import secrets
from integrations.sql.decisions import SqlDecisions
from integrations.sql.inbox import SqlInbox
from integrations.sql.jobs import SqlJobs
from integrations.sql.mailboxes import SqlMailboxes
from integrations.sql.people_index import SqlPeopleIndex
from integrations.sql.ticket_index import SqlTicketIndex
from triage.domain.ports import Clock, Failpoint, no_failpoint

ORDINARY: Final = 64 * 1024
"""Bytes of a mail; most are smaller."""
_MARKS: Final = select(secrets.c.value).where(secrets.c.name == "marks")


async def open_store(url: str, clock: Clock, failpoint: Failpoint = no_failpoint, *, min_free: int = 0) -> "SqlStore":
    """The store at a URL, its tables brought up to date. Raises `StoreDown`, `SettingsInvalid`.

    No mail is taken while there are fewer than `min_free` bytes left on the disk of a database file.

    `sqlite:///file`, `sqlite:///:memory:` (gone with the process) or `postgresql://user:password@host/name`.
    """
    database = Database(url)
    try:
        await migrate(database)
    except BaseException:
        await database.close()
        raise
    return SqlStore(database, clock, failpoint, min_free)


class SqlStore:
    """The ports side by side; all of them work on the same connections."""

    def __init__(self, database: Database, clock: Clock, failpoint: Failpoint, min_free: int = 0) -> None:
        self._database = database
        self.inbox = SqlInbox(database, clock, failpoint, min_free)
        self.jobs = SqlJobs(database, clock, failpoint)
        self.archive = SqlArchive(database.read)
        self.decisions = SqlDecisions(database, clock)
        self.health = SqlHealth(database, self.inbox)
        self.mailboxes = SqlMailboxes(database)
        """Where we stand in each mailbox; writers of one process must share one `Database`."""
        self.index = SqlTicketIndex(database, clock)
        self.people_index = SqlPeopleIndex(database, clock)

    async def close(self) -> None:
        """Let what is under way end, then the connections go."""
        await self.inbox.close()
        await self._database.close()


class SqlHealth:
    """Whether the store is whole, and its secret: the port `StoreHealth`."""

    def __init__(self, database: Database, inbox: SqlInbox) -> None:
        self._database = database
        self._inbox = inbox

    @property
    def unclean(self) -> bool:
        """Who had it last has not closed it, or has it still."""
        return self._database.unclean

    async def check(self) -> None:
        """It is whole."""
        await self._database.check()

    async def probe(self) -> None:
        """It answers."""
        await self._database.read(version)

    async def look_for_room(self) -> None:
        """A mail of ordinary size is taken now."""
        self._inbox.look_for_room(ORDINARY)

    async def secret(self) -> bytes:
        """The key of our marks: 32 random bytes, made once and kept with the cases."""
        made, row = insert_once(secrets, postgres=self._database.postgres), {"name": "marks", "value": token_bytes(32)}

        def first_made(connection: Connection) -> bytes:
            connection.execute(made, row)
            return bytes(connection.execute(_MARKS).scalar_one())

        return await self._database.write(first_made)

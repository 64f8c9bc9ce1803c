"""One database behind all ports of the store, SQLite or PostgreSQL."""

from secrets import token_bytes
from typing import Final

from sqlalchemy import Connection, select, text

from integrations.objects.nowhere import NoObjects
from integrations.sql import migrations
from integrations.sql.archive import SqlArchive
from integrations.sql.case_lists import trigrams
from integrations.sql.case_lists.store import SqlCaseLists, SqlViews
from integrations.sql.channels.notices import SqlNotices
from integrations.sql.channels.ticket_notes import SqlTicketNotes
from integrations.sql.database.engine import Database, insert_once
from integrations.sql.database.migrate import migrate, version
from integrations.sql.database.schema import secrets
from integrations.sql.decisions.decisions import SqlDecisions
from integrations.sql.decisions.deeds import SqlDeeds
from integrations.sql.decisions.kill_switch import SqlKillSwitch
from integrations.sql.inbox import SqlInbox
from integrations.sql.jobs import SqlJobs
from integrations.sql.knowledge.store import SqlArticles
from integrations.sql.leadership.tracker_claims import SqlTrackerClaims
from integrations.sql.letters import SqlLetters
from integrations.sql.mailboxes import SqlMailboxes
from integrations.sql.memory.builds import SqlBuilds
from integrations.sql.operations.accounts import SqlAccounts
from integrations.sql.operations.answer_log import SqlAnswerLog
from integrations.sql.operations.audit import SqlAudit
from integrations.sql.operations.figures import SqlFigures
from integrations.sql.operations.forgetting import SqlForgetting
from integrations.sql.operations.insights import SqlInsights
from integrations.sql.operations.mail_grants import SqlMailGrants
from integrations.sql.operations.mcp_log import SqlMcpLog
from integrations.sql.operations.sessions import SqlSessions
from integrations.sql.operations.tokens import SqlTokens
from integrations.sql.operations.webhooks import SqlWebhooks
from integrations.sql.people_index import SqlPeopleIndex
from integrations.sql.raw_mails.archived import SqlMailArchive
from integrations.sql.raw_mails.reading import RawMails
from integrations.sql.server_clock import ServerClock
from integrations.sql.support.dialogues import SqlDialogues
from integrations.sql.ticket_store import SqlTicketStore
from triage.domain.errors import StoreDown
from triage.domain.ports import Clock, Failpoint, ObjectStore, no_failpoint

ORDINARY: Final = 64 * 1024
"""Bytes of a mail; most are smaller."""
_MARKS: Final = select(secrets.c.value).where(secrets.c.name == "marks")
_READ_ONLY: Final = text("SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean")
"""Of PostgreSQL: a standby, or a server that an administrator has closed to writers."""


async def open_store(
    url: str,
    clock: Clock,
    failpoint: Failpoint = no_failpoint,
    *,
    min_free: int = 0,
    server_time: bool = False,
    objects: ObjectStore | None = None,
) -> "SqlStore":
    """Open the store at a URL and migrate its tables. Raises `StoreDown`, `SettingsInvalid`.

    It accepts no mail that would leave fewer than `min_free` bytes on the disk of a database file.

    Raw mails that were moved to the archive are read from `objects`; who opens it closes it.

    With `server_time` the time is that of PostgreSQL's server, which all hosts share; SQLite's processes share a host's.

    `sqlite:///file`, `sqlite:///:memory:` (gone with the process) or `postgresql://user:password@host/name`.
    """
    database = Database(url)
    try:
        await migrate(database)
        if server_time and database.postgres:
            clock = ServerClock(database)
            await clock.start()
    except BaseException:
        await database.close()
        raise
    return SqlStore(database, clock, failpoint, min_free, objects or NoObjects())


class SqlStore:
    """All ports of the store over one `Database`."""

    def __init__(
        self, database: Database, clock: Clock, failpoint: Failpoint, min_free: int, objects: ObjectStore
    ) -> None:
        self._database = database
        raw_mails = RawMails(objects)
        self.clock = clock
        """The time by which everything in the store is written; whoever compares with it asks this clock."""
        self.inbox = SqlInbox(database, clock, failpoint, min_free)
        self.tickets = SqlTicketStore(database, clock)
        self.jobs = SqlJobs(database, clock, failpoint, raw_mails, self.tickets.put)
        self.archive = SqlArchive(database.read, raw_mails)
        self.case_lists = SqlCaseLists(database, clock)
        self.views = SqlViews(database)
        self.decisions = SqlDecisions(database, clock)
        self.kill_switch = SqlKillSwitch(database, clock)
        self.health = SqlHealth(database, self.inbox)
        self.mailboxes = SqlMailboxes(database)
        """Sync cursors; writers of one process must share one `Database`."""
        self.mail_grants = SqlMailGrants(database)
        self.letters = SqlLetters(database, clock, failpoint)
        self.people_index = SqlPeopleIndex(database)
        self.notices = SqlNotices(database, clock)
        self.tokens = SqlTokens(database)
        self.accounts = SqlAccounts(database)
        self.sessions = SqlSessions(database)
        self.audit = SqlAudit(database)
        self.deeds = SqlDeeds(database, clock)
        self.mcp_log = SqlMcpLog(database)
        self.answer_log = SqlAnswerLog(database)
        self.figures = SqlFigures(database)
        self.insights = SqlInsights(database)
        self.webhooks = SqlWebhooks(database)
        self.forgetting = SqlForgetting(database, clock, failpoint)
        self.mail_archive = SqlMailArchive(database, clock)
        self.memory_builds = SqlBuilds(database, clock)
        self.ticket_notes = SqlTicketNotes(database, clock)
        self.tracker_claims = SqlTrackerClaims(database, clock)
        self.dialogues = SqlDialogues(database)
        self.articles = SqlArticles(database)

    async def close(self) -> None:
        """Wait for running transactions, then close the connections."""
        await self.inbox.close()
        if isinstance(self.clock, ServerClock):
            await self.clock.close()
        await self._database.close()


class SqlHealth:
    """The port `StoreHealth`: integrity of the store, and its secret."""

    def __init__(self, database: Database, inbox: SqlInbox) -> None:
        self._database = database
        self._inbox = inbox

    @property
    def unclean(self) -> bool:
        return self._database.unclean

    async def check(self) -> None:
        await self._database.check()

    async def probe(self) -> None:
        """Raise `StoreDown` if the database does not answer, or would refuse a mail."""
        await self._database.read(version)
        self._database.check_access()
        if self._database.postgres and await self._database.read(lambda c: c.scalar(_READ_ONLY)):
            raise StoreDown("it is read-only: a standby, or closed to writers")

    async def look_for_room(self) -> None:
        self._inbox.look_for_room(ORDINARY)

    async def missing_indexes(self) -> tuple[str, ...]:
        """What an administrator of PostgreSQL has to make."""
        return await self._database.read(trigrams.missing)

    async def newer_tables(self) -> str:
        found = await self._database.read(version)
        return found if found > migrations.HEAD else ""

    async def secret(self) -> bytes:
        made, row = insert_once(secrets, postgres=self._database.postgres), {"name": "marks", "value": token_bytes(32)}

        def first_made(connection: Connection) -> bytes:
            connection.execute(made, row)
            return bytes(connection.execute(_MARKS).scalar_one())

        known = await self._database.read(lambda c: c.scalar(_MARKS))
        return bytes(known) if known else await self._database.write(first_made)

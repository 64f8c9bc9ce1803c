"""What every store must do; a database joins with its addresses and passes all of it."""

import asyncio
import contextlib
import os
import random
import signal
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from functools import partial
from time import perf_counter

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, insert, select, text

from integrations.sql import migrations
from integrations.sql.case_lists import trigrams
from integrations.sql.database.channel_tables import command_positions
from integrations.sql.database.decision_tables import letter_beginnings
from integrations.sql.database.engine import Database
from integrations.sql.database.migrate import migrate, upgrade, version
from integrations.sql.database.schema import metadata
from integrations.sql.store import SqlStore, open_store
from tests.conftest import PATIENCE
from tests.contract.store.channels.notices import NoticesContract
from tests.contract.store.channels.ticket_notes import TicketNotesContract
from tests.contract.store.knowledge.article_store import ArticleStoreContract
from tests.contract.store.leased_case.approvals import CaseApprovalsContract, DecisionsContract, KillSwitchContract
from tests.contract.store.leased_case.case_store import CaseStoreContract
from tests.contract.store.leased_case.dialogue import DialogueContract
from tests.contract.store.leased_case.fence import FenceContract
from tests.contract.store.leased_case.journal import JournalContract
from tests.contract.store.leased_case.ledger import LedgerContract
from tests.contract.store.leased_case.threads import ThreadsContract
from tests.contract.store.leased_case.throttle import ThrottleContract
from tests.contract.store.letters.queue import LettersContract
from tests.contract.store.memory.builds import BuildsContract
from tests.contract.store.operations.account_store import AccountStoreContract, SessionStoreContract
from tests.contract.store.operations.audit_log import AuditLogContract
from tests.contract.store.operations.deeds import DeedsContract
from tests.contract.store.operations.figures import FiguresContract
from tests.contract.store.operations.forget_store import ForgetStoreContract
from tests.contract.store.operations.insights import InsightsContract
from tests.contract.store.operations.lessons import LessonsContract
from tests.contract.store.operations.mail_archive import MailArchiveContract
from tests.contract.store.operations.mail_grants import MailGrantsContract
from tests.contract.store.operations.token_store import TokenStoreContract
from tests.contract.store.operations.tracker_claims import TrackerClaimsContract
from tests.contract.store.operations.webhook_store import WebhookStoreContract
from tests.contract.store.queue.job_order import JobOrderContract
from tests.contract.store.queue.jobs import JobsContract
from tests.contract.store.store_archive import ArchiveContract
from tests.contract.store.store_case_lists import CaseListsContract
from tests.contract.store.store_inbox import InboxContract
from tests.contract.store.store_plans import PlansContract
from tests.contract.store.store_process import processes
from tests.contract.store.store_samples import HeldClock, Marks, mail
from tests.contract.store.store_tickets import PeopleIndexContract, TicketIndexContract, TicketStoreContract
from tests.contract.store.store_tokens import TokensContract
from triage.domain.errors import SettingsInvalid
from triage.domain.ports import (
    Archive,
    Decisions,
    Inbox,
    Jobs,
    LeasedCase,
    Mailboxes,
    PeopleIndex,
    StoreHealth,
    TicketFeed,
    TicketStore,
)

WRITERS = 10


class StoreContract(
    InboxContract,
    TokensContract,
    FenceContract,
    JobsContract,
    JobOrderContract,
    CaseStoreContract,
    JournalContract,
    DialogueContract,
    LedgerContract,
    ThreadsContract,
    ThrottleContract,
    CaseApprovalsContract,
    DecisionsContract,
    KillSwitchContract,
    ArchiveContract,
    CaseListsContract,
    TicketStoreContract,
    TicketIndexContract,
    PeopleIndexContract,
    NoticesContract,
    LettersContract,
    TicketNotesContract,
    PlansContract,
    TokenStoreContract,
    AccountStoreContract,
    SessionStoreContract,
    WebhookStoreContract,
    MailArchiveContract,
    MailGrantsContract,
    ForgetStoreContract,
    AuditLogContract,
    DeedsContract,
    LessonsContract,
    FiguresContract,
    InsightsContract,
    ArticleStoreContract,
    BuildsContract,
    TrackerClaimsContract,
):
    """Subclasses give `url`, a database with our tables, and `empty_url`, one without."""

    @pytest.fixture
    def clock(self) -> HeldClock:
        """The time stands until a test lets it pass."""
        return HeldClock()

    @pytest.fixture
    def marks(self) -> Marks:
        """Where the store came by."""
        return Marks()

    @pytest.fixture
    async def store(self, url: str, clock: HeldClock, marks: Marks) -> AsyncIterator[SqlStore]:
        """An open store with nothing in it."""
        store = await open_store(url, clock, marks)
        yield store
        await store.close()

    @pytest.fixture
    async def second_store(self, url: str, clock: HeldClock) -> AsyncIterator[SqlStore]:
        """Another one at the same database."""
        store = await open_store(url, clock)
        yield store
        await store.close()

    async def test_is_the_port(self, store: SqlStore) -> None:
        """It is what the core asks for."""
        await store.inbox.accept(mail())
        lease = await store.jobs.lease("w", 60)
        assert lease

        ports: tuple[Inbox, Jobs, Archive, Decisions, StoreHealth, Mailboxes, TicketStore, TicketFeed, PeopleIndex] = (
            *(store.inbox, store.jobs, store.archive, store.decisions),
            *(store.health, store.mailboxes, store.tickets, store.tickets, store.people_index),
        )
        leased_case: LeasedCase = store.jobs.open(lease)

        assert all(ports)
        assert lease == leased_case.lease

    # --- what it survives ---------------------------------------------------------------------

    async def test_opened_again(self, store: SqlStore, second_store: SqlStore) -> None:
        """What one process has written the next one reads."""
        case = await store.inbox.accept(mail())
        secret = await store.health.secret()
        await store.close()

        assert mail().raw == await second_store.archive.raw(case)
        assert secret == await second_store.health.secret()

    async def test_secret(self, store: SqlStore, second_store: SqlStore) -> None:
        """The key of our marks is made once, whoever asks first."""
        keys = await asyncio.gather(*(at.health.secret() for at in (store, second_store) for _ in range(10)))

        assert len(set(keys)) == 1
        assert len(keys[0]) == 32

    async def test_cancelled_write(self, store: SqlStore) -> None:
        """A transaction whose caller is cancelled is carried to its end and holds no lock."""
        for number in range(30):
            task = asyncio.create_task(store.inbox.accept(mail(number)))
            for _ in range(number % 6):
                await asyncio.sleep(0)
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
            read = asyncio.create_task(store.health.secret())
            await asyncio.sleep(0.001 * (number % 3))
            read.cancel()

        async with asyncio.timeout(PATIENCE):
            last = await store.inbox.accept(mail("last"))
            assert mail("last").raw == await store.archive.raw(last)

    async def test_killed(self, url: str) -> None:
        """Ten processes accept mails and are killed, each at its own moment: every id they gave is in the store."""
        chance, pids, accepted = random.Random(11), dict[str, int](), list[tuple[str, str]]()
        async with processes("accept", url, *(f"p{number}" for number in range(WRITERS))) as said:
            async for line in said:
                name, case, what = line.decode().split()
                if case == "opened":
                    pids[name] = int(what)
                    continue
                accepted.append((case, what))
                if name in pids:
                    delay = chance.uniform(0.05, 0.6)
                    asyncio.get_running_loop().call_later(delay, os.kill, pids.pop(name), signal.SIGKILL)

        store = await open_store(url, HeldClock())
        for case, name in accepted:
            assert f"{name} ".encode() * 500 == await store.archive.raw(case)
        assert len({case for case, _ in accepted}) == len(accepted) >= WRITERS
        assert sum((await store.archive.counts()).values()) >= len(accepted)
        await store.close()

    # --- its tables ---------------------------------------------------------------------------

    async def test_tables(self, empty_url: str) -> None:
        """An empty database becomes exactly what the schema says."""
        database = Database(empty_url)
        await migrate(database)

        assert await database.read(differences) == []
        assert await database.read(version) == migrations.HEAD
        await database.close()

    async def test_when_comments_began_moves_along(self, empty_url: str) -> None:
        """Its row, which an older version kept among positions, moves to a table of its own."""
        database = Database(empty_url)
        await database.rebuild(partial(upgrade, revision="0032"))
        at = datetime(2026, 11, 22, 15, tzinfo=UTC)
        began = {"project": "comments are sent since", "change": int(at.timestamp())}
        await database.write(lambda c: c.execute(insert(command_positions).values(began)).close())
        await migrate(database)
        moved = await database.read(lambda c: c.execute(select(letter_beginnings)).all())
        left = await database.read(lambda c: c.execute(select(command_positions)).all())
        await database.close()

        assert ([tuple(row) for row in moved], left) == ([("comment", at)], [])

    async def test_tables_too_old_to_migrate(self, empty_url: str) -> None:
        """A database from before the first tables that can be migrated is refused, and stays as it is."""
        database = Database(empty_url)
        await database.rebuild(partial(upgrade, revision=migrations.OLDEST))
        await database.write(partial(run, "UPDATE alembic_version SET version_num = '0014'"))
        with pytest.raises(SettingsInvalid, match="revision 0014"):
            await migrate(database)

        assert await database.read(version) == "0014"
        await database.close()

    async def test_tables_that_differ(self, empty_url: str) -> None:
        """The comparison above sees a missing column, a missing index and a missing table."""
        database = Database(empty_url)
        await migrate(database)
        for statement in ("ALTER TABLE cases DROP COLUMN reason", "DROP INDEX ix_jobs_due", "DROP TABLE secrets"):
            await database.write(partial(run, statement))

        assert len(await database.read(differences)) == 3
        await database.close()

    async def test_opened_by_many_at_once(self, empty_url: str) -> None:
        """Processes that find an empty database at the same time make its tables once."""
        async with processes("open", empty_url, "a", "b", "c", "d") as said:
            stores = await asyncio.gather(*(open_store(empty_url, HeldClock()) for _ in range(4)))
            opened = [line.split()[:2] async for line in said]

        assert sorted(opened) == [[name, b"opened"] for name in (b"a", b"b", b"c", b"d")]
        assert {"case-1"} == {await store.inbox.accept(mail()) for store in stores}
        for store in stores:
            await store.close()

    async def test_newer_tables(self, store: SqlStore, url: str) -> None:
        """A database that a newer version has prepared is left as it is, and used."""
        await store._database.write(partial(run, "UPDATE alembic_version SET version_num = '9999'"))

        again = await open_store(url, HeldClock())

        assert await again.inbox.accept(mail()) == "case-1"
        assert await again._database.read(version) == "9999"
        await again.close()

    async def test_opening_is_quick(self, empty_url: str) -> None:
        """Where the tables are there, opening asks for their version and is done: a part of what making them takes."""
        took = []
        for _ in range(10):
            began = perf_counter()
            again = await open_store(empty_url, HeldClock())
            took.append(perf_counter() - began)
            await again.close()

        assert min(took[1:]) < took[0] / 3

    async def test_closed_while_busy(self, url: str) -> None:
        """Closing lets what is under way end."""
        store = await open_store(url, HeldClock())
        accepting = [asyncio.create_task(store.inbox.accept(mail(number))) for number in range(100)]
        await asyncio.sleep(0)
        await store.close()

        assert len({await task for task in accepting}) == 100


def run(statement: str, connection: Connection) -> None:
    """Have the database do something."""
    connection.execute(text(statement))


def differences(connection: Connection) -> list[object]:
    """Where the tables are not what the schema says; an index that a database may lack is beside it."""

    def in_schema(thing: object, name: str | None, *_: object) -> bool:
        return name != trigrams.NAME

    context = MigrationContext.configure(connection, opts={"compare_server_default": True, "include_object": in_schema})
    return list(compare_metadata(context, metadata))

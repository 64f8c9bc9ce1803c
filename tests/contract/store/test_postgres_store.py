"""The store in PostgreSQL: the contract, and what only a server can suffer."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Connection, Engine, event, func, select, text, update
from sqlalchemy.ext.asyncio import AsyncEngine

from integrations.local_notifier import LocalNotifier
from integrations.sql.arrivals import LOCK
from integrations.sql.case_lists import trigrams
from integrations.sql.case_lists.filters import conditions
from integrations.sql.database.leases import HELD
from integrations.sql.database.postgres import PostgresLoops
from integrations.sql.database.schema import cases
from integrations.sql.database.ticket_tables import ticket_numbers
from integrations.sql.server_clock import ServerClock
from integrations.sql.store import SqlStore, open_store
from tests.conftest import PATIENCE
from tests.contract.notifier.short_work import Reader, services
from tests.contract.store.store_case_lists import lies
from tests.contract.store.store_contract import StoreContract
from tests.contract.store.store_samples import HOUR, SAME, HeldClock, mail, opened
from tests.contract.store.store_tickets import ticket
from tests.servers import free_port
from tests.servers.postgres import HANG_UP, Postgres
from triage.domain.errors import StoreDown
from triage.domain.reports import CaseFilter
from triage.domain.traces import Sketch
from triage.pipeline.worker import Worker


class TestPostgresStore(StoreContract):
    """On a server."""

    @pytest.fixture
    def url(self, postgres_url: str) -> str:
        """A database with our tables."""
        return postgres_url

    @pytest.fixture
    def empty_url(self, empty_postgres_url: str) -> str:
        """A database without any."""
        return empty_postgres_url

    async def test_intake_waits_for_its_turn(self, store: SqlStore) -> None:
        """While another process takes mails in, ours wait, so that the lower number was always there first."""
        async with engine_of(store).begin() as other:
            await other.execute(select(func.pg_advisory_xact_lock(LOCK)))
            waiting = asyncio.create_task(store.inbox.accept(mail()))
            done, _ = await asyncio.wait([waiting], timeout=0.3)
            assert done == set()

        assert await waiting == "case-1"

    async def test_commits_are_on_the_disk(self, postgres: Postgres, url: str) -> None:
        """A database that is set to acknowledge before it has written does not do so to us."""
        await postgres.run(f'ALTER DATABASE "{url.rpartition("/")[2]}" SET synchronous_commit = off')
        store = await open_store(url, HeldClock())
        await store.inbox.accept(mail())

        def said(connection: Connection) -> set[str]:
            return {str(connection.exec_driver_sql("SHOW synchronous_commit").scalar_one())}

        found = await asyncio.gather(*(store._database.write(said) for _ in range(8)))
        await store.close()

        assert set.union(*found) == {"on"}

    async def test_searches_by_trigrams(self, store: SqlStore) -> None:
        """The index of trigrams answers a search in any field and of any word, and nothing is missing."""
        asked = select(cases.c.case_id).where(*conditions(CaseFilter(words=("zyzzyva",), subject="100%", reason="is")))

        def plan(connection: Connection) -> str:
            connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
            words = asked.compile(connection, compile_kwargs={"literal_binds": True})
            return "\n".join(connection.scalars(text(f"EXPLAIN {str(words).replace(':', chr(92) + ':')}")))

        assert f"Bitmap Index Scan on {trigrams.NAME}" in await store._database.read(plan)
        assert await store.health.missing_indexes() == ()

    async def test_without_the_right_to_extensions(self, postgres: Postgres, empty_url: str) -> None:
        """A role that may create no extension opens the store, searches it, and is told what an administrator makes."""
        name = empty_url.rpartition("/")[2]
        rights = "CREATE ROLE plain LOGIN", f"REVOKE CREATE ON DATABASE {name} FROM PUBLIC"
        await postgres.run(*rights, "GRANT ALL ON SCHEMA public TO plain", database=name)
        store = await open_store(empty_url.replace("postgres@", "plain@"), HeldClock())
        await lies(store, 1, "Export of 100% stops")
        missing = await store.health.missing_indexes()
        found = await store.case_lists.page(9, None, CaseFilter(subject="100% st"))
        await postgres.run(*missing, database=name)
        again = await store.case_lists.page(9, None, CaseFilter(subject="100% st"))
        nothing = await store.health.missing_indexes()
        await store.close()

        assert [statement.partition(" ")[0] for statement in missing] == ["CREATE", "CREATE"]
        assert ([line.case.id for line in found], nothing) == (["case-1"], ())
        assert again == found

    async def test_no_takeover_within_a_write(self, store: SqlStore, clock: HeldClock) -> None:
        """While a worker writes, its job cannot be taken over, even if the lease runs out before the commit."""
        await store.inbox.accept(mail())
        lease = await store.jobs.lease("slow", 60)
        assert lease
        await clock.sleep(60)

        async with engine_of(store).begin() as writing:
            await writing.execute(HELD, {"job": lease.job, "held": lease.epoch})
            assert await store.jobs.lease("other", 60) is None

        assert await store.jobs.lease("other", 60)

    async def test_claims_wait_for_two_statements(self, store: SqlStore) -> None:
        """Who claims a mail holds up all others for what asks what came before and for what leaves its fingerprint, and no more."""
        leased_case = await opened(store, 1)
        asked: list[str] = []

        def running(_c: object, _cursor: object, statement: str, *_: object) -> None:
            asked.append(statement)

        event.listen(Engine, "before_cursor_execute", running)
        assert await leased_case.threads.trace(replace(SAME, sketch=Sketch(frozenset(range(9)))), HOUR) is None
        event.remove(Engine, "before_cursor_execute", running)
        [locked] = [place for place, statement in enumerate(asked) if "pg_advisory_xact_lock" in statement]

        assert [statement.split()[0] for statement in asked[locked + 1 :]] == ["SELECT", "INSERT"]

    async def test_changes_of_tickets_wait_for_one_statement(self, store: SqlStore) -> None:
        """Whose case ends with a new ticket holds up all others that change tickets for its row alone, and then commits."""
        leased_case = await opened(store, 1)
        asked: list[str] = []

        def running(_c: object, _cursor: object, statement: str, *_: object) -> None:
            asked.append(statement)

        await leased_case.ledger.made([ticket(9, "Export fails")])
        event.listen(Engine, "before_cursor_execute", running)
        await leased_case.cases.finish()
        event.remove(Engine, "before_cursor_execute", running)
        [locked] = [place for place, statement in enumerate(asked) if "ticket_changes" in statement]

        assert [statement.split()[:3] for statement in asked[locked + 1 :]] == [["INSERT", "INTO", "tickets"]]

    async def test_number_waits_for_nobody(self, store: SqlStore) -> None:
        """While one worker writes down a ticket number, another one that has seen a lower or higher one goes on; later ones count."""
        await store.inbox.accept(mail())
        lease = await store.jobs.lease("w", 60)
        assert lease
        leased_case = store.jobs.open(lease)
        await leased_case.ledger.saw("OPS", 42)
        await leased_case.cases.flush()

        async with engine_of(store).begin() as writing, asyncio.timeout(PATIENCE):
            await writing.execute(update(ticket_numbers).values(highest=43))
            await leased_case.ledger.saw("OPS", 41)
            await leased_case.ledger.saw("OPS", 44)
            await leased_case.cases.flush()

        assert await store.jobs.open(lease).ledger.highest("OPS") == 43
        await leased_case.ledger.saw("OPS", 45)
        await leased_case.cases.flush()
        assert await store.jobs.open(lease).ledger.highest("OPS") == 45

    # --- trouble ------------------------------------------------------------------------------

    async def test_no_server(self) -> None:
        """A server that does not answer is trouble, told without the password."""
        with pytest.raises(StoreDown) as caught:
            await open_store(f"postgresql://ada:s3cret@127.0.0.1:{free_port()}/triage", HeldClock())

        assert "s3cret" not in str(caught.value)

    @pytest.mark.parametrize("who", ["nobody@127.0.0.1:{port}/postgres", "postgres@127.0.0.1:{port}/nowhere"])
    async def test_refused_at_the_door(self, postgres: Postgres, who: str) -> None:
        """A server that does not know the user or the database is trouble that names them."""
        with pytest.raises(StoreDown, match=r"nobody|nowhere"):
            await open_store(f"postgresql://{who.format(port=postgres.port)}", HeldClock())

    async def test_connections_cut(self, postgres: Postgres, store: SqlStore) -> None:
        """Calls that are under way when the server cuts the lines fail as `StoreDown`; the next ones work again."""
        await asyncio.gather(*(store.inbox.accept(mail(number)) for number in range(20)))
        await asyncio.gather(*(store.archive.counts() for _ in range(8)))
        await postgres.run(HANG_UP, database="triage")

        said = await asyncio.gather(*(store.archive.counts() for _ in range(20)), return_exceptions=True)

        assert all(isinstance(one, StoreDown) or one == {"ready": 20} for one in said)
        assert any(isinstance(one, StoreDown) for one in said)
        assert await store.inbox.accept(mail(21)) == "case-21"

    async def test_read_only(self, postgres: Postgres, empty_url: str) -> None:
        """A server that has become a read-only copy refuses mails, says so to who asks how it is, and still tells what it knows."""
        store = await open_store(empty_url, HeldClock())
        await store.inbox.accept(mail(1))
        secret = await store.health.secret()
        await store.health.probe()
        await store.close()
        await postgres.run(f"ALTER DATABASE {empty_url.rpartition('/')[2]} SET default_transaction_read_only = on")
        copy = await open_store(empty_url, HeldClock())

        with pytest.raises(StoreDown, match="read-only transaction"):
            await copy.inbox.accept(mail(2))
        with pytest.raises(StoreDown, match="read-only"):
            await copy.health.probe()

        assert await copy.health.secret() == secret
        assert await copy.archive.counts() == {"ready": 1}
        await copy.close()

    # --- several hosts ------------------------------------------------------------------------

    async def test_hosts_whose_clocks_are_off(self, postgres: Postgres, url: str) -> None:
        """All hosts have the server's time, so that one whose clock is an hour off takes no lease that still holds."""
        stores = [await open_store(url, HeldClock(), server_time=True) for _ in range(2)]
        one, other = stores
        await one.inbox.accept(mail())
        lease = await one.jobs.lease("one", 60)
        assert lease

        assert HeldClock().now() < one.clock.now() - timedelta(minutes=1)
        assert await other.jobs.lease("other", 60) is None
        await one.jobs.postpone(lease, 0, "")
        assert await other.jobs.lease("other", 60)
        for store in stores:
            await store.close()

    async def test_a_clock_is_measured_again(self, store: SqlStore) -> None:
        """Between two measurements seconds are counted; an answer that took long does not spoil what is known."""
        seconds = iter([0.0, 0.2, 60.0, 70.0, 100.0])
        clock = ServerClock(store._database, lambda: next(seconds))
        assert abs((clock.now() - datetime.now(UTC)).total_seconds()) < PATIENCE
        await clock.measure()
        await clock.measure()

        assert clock.now() - datetime.now(UTC) > timedelta(seconds=99.9 - PATIENCE)

    async def test_workers_outlast_a_standby(self, postgres: Postgres, store: SqlStore, clock: HeldClock) -> None:
        """While the server takes no writes, and after it has cut every connection, workers wait; then they go on."""
        name, reader = "triage", Reader()
        worker = Worker(
            jobs=store.jobs, notifier=LocalNotifier(), clock=clock, services=services(reader), at_once=2, poll=0.02
        )
        stop = asyncio.Event()
        await asyncio.gather(*(store.inbox.accept(mail(number)) for number in range(4)))
        await postgres.run(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        try:
            await postgres.run(HANG_UP, database=name)
            serving = asyncio.create_task(worker.serve(stop))
            await asyncio.sleep(0.3)
            meanwhile, alive = len(reader.ended), not serving.done()
        finally:
            await postgres.run(f"ALTER DATABASE {name} RESET default_transaction_read_only")
        await postgres.run(HANG_UP, database=name)
        async with asyncio.timeout(PATIENCE):
            while len(reader.ended) < 4:
                await asyncio.sleep(0.02)
        stop.set()
        await serving

        assert (meanwhile, alive) == (0, True)


def engine_of(store: SqlStore) -> AsyncEngine:
    """The pool behind a store."""
    way = store._database._way
    assert isinstance(way, PostgresLoops)
    return way.engine

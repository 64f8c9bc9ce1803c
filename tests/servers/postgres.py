"""A private PostgreSQL on loopback, and a fresh database with our tables for each test."""

import asyncio
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]  # comes without types
import pytest

import integrations.sql.store  # noqa: F401 - with it all tables are known
from integrations.sql.database.engine import Database
from integrations.sql.database.migrate import migrate
from integrations.sql.database.schema import metadata
from integrations.sql.migrations import HEAD
from tests.conftest import PATIENCE
from tests.servers import find_server, free_port

OPTIONS = {
    "listen_addresses": "127.0.0.1",
    "max_connections": 100,
    "shared_buffers": "32MB",
    "fsync": "off",  # a killed process loses nothing by it, and no test cuts the power
    "full_page_writes": "off",
    "autovacuum": "off",
}

HANG_UP = """
    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
"""The test before may have killed a process whose last commit is still under way."""

EMPTY = f"""
    DO $$ DECLARE written text; BEGIN
        FOREACH written IN ARRAY ARRAY{[table.name for table in reversed(metadata.sorted_tables)]} LOOP
            IF pg_relation_size(written::regclass) > 100000 THEN EXECUTE 'TRUNCATE ' || written || ' CASCADE';
            ELSIF pg_relation_size(written::regclass) > 0 THEN EXECUTE 'DELETE FROM ' || written; END IF;
        END LOOP;
        PERFORM setval(seqrelid, seqstart, false) FROM pg_sequence WHERE pg_sequence_last_value(seqrelid) IS NOT NULL;
        UPDATE alembic_version SET version_num = '{HEAD}';
    END $$
"""  # noqa: S608 - our own names
"""Touches only what tests have written to: statements for all tables and sequences took five times as long.

Few rows go sooner than a file of a table is made anew, many do not.
"""

_numbers = count(1)


@dataclass(frozen=True)
class Postgres:
    """A running server; everybody of this machine is its superuser for the seconds it lives."""

    port: int

    def url(self, database: str = "postgres") -> str:
        """The address of a database."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    async def run(self, *statements: str, database: str = "postgres") -> None:
        """Have the server do one thing after the other, outside of any transaction."""
        connection = await asyncpg.connect(self.url(database))
        try:
            for statement in statements:
                await connection.execute(statement)
        finally:
            await connection.close()

    @property
    def user(self) -> str | None:
        """Whom it runs as: it refuses root, so then as the user that Debian made for it."""
        return "postgres" if os.getuid() == 0 else None


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """The server, started once by each test process."""
    binaries = Path(find_server("initdb", "postgresql", "/usr/lib/postgresql/*/bin/initdb")).resolve().parent
    home = Path(tempfile.mkdtemp(prefix="triage-pg-", dir="/tmp"))  # the path of a socket has 107 bytes at most
    server = Postgres(free_port())
    process = _start(server, binaries, home)
    try:
        asyncio.run(_ready(server, process, home / "log"))
        yield server
    finally:
        process.send_signal(signal.SIGQUIT)  # at once, whoever is still connected
        process.wait(PATIENCE)
        shutil.rmtree(home)


@pytest.fixture(scope="session")
def postgres_database(postgres: Postgres) -> str:
    """The name of a database with our tables, made once by each test process."""
    asyncio.run(_make(postgres, "triage"))
    return "triage"


@pytest.fixture
async def postgres_url(postgres: Postgres, postgres_database: str) -> str:
    """The address of a database with our tables and nothing in them."""
    await postgres.run(HANG_UP, EMPTY, database=postgres_database)
    return postgres.url(postgres_database)


@pytest.fixture
async def empty_postgres_url(postgres: Postgres) -> str:
    """The address of an own database without tables; it goes with the server, since dropping one takes a checkpoint."""
    name = f"empty_{next(_numbers)}"
    await postgres.run(f"CREATE DATABASE {name}")
    return postgres.url(name)


async def _make(postgres: Postgres, name: str) -> None:
    await postgres.run(f"CREATE DATABASE {name}")
    database = Database(postgres.url(name))
    await migrate(database)
    await database.close()


def _start(server: Postgres, binaries: Path, home: Path) -> "subprocess.Popen[bytes]":
    """Make its files and start it."""
    user: str | None = server.user
    groups: list[str] | None = [] if user else None
    if user:
        shutil.chown(home, user)
    data = home / "data"
    make: list[str | Path] = [
        binaries / "initdb",
        "-D",
        data,
        "-U",
        "postgres",
        "-A",
        "trust",
        "-E",
        "UTF8",
        "--locale=C",
        "--no-sync",
    ]
    subprocess.run(make, check=True, capture_output=True, cwd=home, user=user, group=user, extra_groups=groups)
    options = OPTIONS | {"port": server.port, "unix_socket_directories": home}
    serve: list[str | Path] = [
        binaries / "postgres",
        "-D",
        data,
        *(f"--{name}={value}" for name, value in options.items()),
    ]
    with (home / "log").open("wb") as log:
        return subprocess.Popen(serve, stdout=log, stderr=log, cwd=home, user=user, group=user, extra_groups=groups)


async def _ready(server: Postgres, process: "subprocess.Popen[bytes]", log: Path) -> None:
    """Wait until it answers."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        try:
            return await server.run("SELECT 1")
        except (OSError, asyncpg.PostgresError):
            await asyncio.sleep(0.02)
    pytest.fail(f"PostgreSQL did not start:\n{log.read_text()}", pytrace=False)

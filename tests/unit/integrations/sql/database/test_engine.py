"""How a database is reached, and how its trouble is told."""

import asyncio
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from integrations.sql.database.engine import Database, address_of, our_words
from integrations.sql.database.rows import case_name, case_number
from tests.conftest import ROOT
from triage.domain.errors import SettingsInvalid, StoreDown


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("sqlite:///triage.db", "sqlite:///triage.db"),
        ("sqlite:////var/lib/triage.db", "sqlite:////var/lib/triage.db"),
        ("postgresql://ada:s%40crt@db/triage", "postgresql+asyncpg://ada:s%40crt@db/triage"),
        ("postgresql://db/triage?sslmode=require", "postgresql+asyncpg://db/triage?ssl=require"),
    ],
)
def test_address(url: str, address: str) -> None:
    """The drivers' names are added, and libpq's word for encryption is turned into asyncpg's."""
    assert address == address_of(url).render_as_string(hide_password=False)


@pytest.mark.parametrize("url", ["", "triage.db", "mysql://ada:secret@db/x", "postgresql+psycopg://ada:secret@db/x"])
def test_address_of_what_we_do_not_speak(url: str) -> None:
    """Another database is refused with the cure, and the address, which may hold a password, is not shown."""
    with pytest.raises(SettingsInvalid, match="DATABASE_URL: must start with sqlite:/// or postgresql://") as caught:
        address_of(url)

    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("module", "opens"),
    [("integrations.sql.database.engine", "Database"), ("integrations.sql.leadership.advisory_locks", "AdvisoryLocks")],
)
def test_postgres_without_its_driver(module: str, opens: str) -> None:
    """Who names PostgreSQL without the extra is told what to install, whatever opens it first."""
    script = f"""
import sys
sys.modules["asyncpg"] = None
from {module} import {opens}
from triage.domain.errors import SettingsInvalid
try:
    {opens}("postgresql://db/triage")
except SettingsInvalid as e:
    print(e)
"""
    said = subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True, capture_output=True, text=True)

    assert "DATABASE_URL: PostgreSQL needs its driver: the extra `postgres` is not installed" in said.stdout


@pytest.mark.parametrize("umask", ["0000", "0022"])
def test_file_is_private(tmp_path: Path, umask: str) -> None:
    """The database holds people's mail: nobody but its owner reads the file or what SQLite lays beside it."""
    script = f"""
import asyncio, os
from datetime import UTC, datetime
os.umask({int(umask, 8)})
from integrations.sql.database.engine import Database
from integrations.sql.database.migrate import migrate
async def main():
    database = Database("sqlite:///{tmp_path}/triage.db")
    await migrate(database)
    print(*(f"{{path.name}}:{{path.stat().st_mode & 0o777:o}}" for path in sorted(__import__("pathlib").Path("{tmp_path}").iterdir())))
    await database.close()
asyncio.run(main())
"""
    said = subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True, capture_output=True, text=True)

    assert said.stdout.split() == ["triage.db:600", "triage.db-shm:600", "triage.db-wal:600"]
    assert stat.S_IMODE((tmp_path / "triage.db").stat().st_mode) == 0o600


async def test_memory(tmp_path: Path) -> None:
    """A database in memory is one for all who use the store at the same time, and outlives a cancelled call."""
    database = Database("sqlite:///:memory:")
    await database.write(lambda c: c.execute(text("CREATE TABLE t (n INTEGER)")).close())

    async def add(number: int) -> None:
        await database.write(lambda c: c.execute(text("INSERT INTO t VALUES (:n)"), {"n": number}).close())

    tasks = [asyncio.create_task(add(number)) for number in range(40)]
    await asyncio.sleep(0.002)
    for task in tasks[::2]:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)

    assert await database.read(lambda c: c.scalar(text("SELECT count(*) FROM t"))) >= 20
    await database.close()


async def test_a_look(tmp_path: Path) -> None:
    """It sees what others have committed, keeps no page from being rewritten, and goes on after a mistake."""
    url = f"sqlite:///{tmp_path / 'triage.db'}"
    first, second = Database(url), Database(url)
    numbers = text("SELECT n FROM numbers")
    await first.write(lambda c: c.execute(text("CREATE TABLE numbers (n)")).close())
    for n in (1, 2):
        await second.write(lambda c, n=n: c.execute(text("INSERT INTO numbers VALUES (:n)"), {"n": n}).close())  # type: ignore[misc] # bound per round
        assert len(await first.look(lambda c: c.execute(numbers).all())) == n
    with pytest.raises(StoreDown, match="no such table"):
        await first.look(lambda c: c.execute(text("SELECT 1 FROM letters")).all())

    assert await second.shred()
    assert await first.look(lambda c: c.scalar(text("SELECT count(*) FROM numbers"))) == 2
    await first.close()
    await second.close()


async def test_mistakes_roll_back(tmp_path: Path) -> None:
    """What fails half-way leaves nothing, and an error of ours stays what it is."""
    database = Database(f"sqlite:///{tmp_path}/triage.db")
    await database.write(lambda c: c.execute(text("CREATE TABLE t (n INTEGER)")).close())

    def half(connection: Connection) -> None:
        connection.execute(text("INSERT INTO t VALUES (1)"))
        raise LookupError("half-way")

    with pytest.raises(LookupError, match="half-way"):
        await database.write(half)

    assert await database.read(lambda c: c.scalar(text("SELECT count(*) FROM t"))) == 0
    await database.close()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("database is locked", "database is locked"),
        ("<class 'asyncpg.exceptions.DiskFullError'>: could not extend file\nDETAIL: secret", "could not extend file"),
        ("", "OSError"),
    ],
)
def test_trouble_in_our_words(said: str, told: str) -> None:
    """The detail is what the driver says, without its class, the statement, its values and the row."""
    error = DBAPIError("INSERT INTO cases", {"subject": "secret"}, OSError(said) if said else OSError())

    with pytest.raises(StoreDown) as caught, our_words():
        raise error

    assert told == caught.value.detail
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("number", [1, 42, 999_999_999])
def test_case_number(number: int) -> None:
    """A case's name tells its number."""
    assert number == case_number(case_name(number))


@pytest.mark.parametrize(
    "name", ["", "case", "case-", "17", "case-x", "case-٣", "case--1", "case-1 ", "case-9999999999"]
)
def test_no_case_number(name: str) -> None:
    """What is no case has the number that no case has."""
    assert case_number(name) == 0

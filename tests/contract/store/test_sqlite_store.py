"""The store in SQLite: the contract, and what only a file can suffer."""

import asyncio
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy import Connection, text

from integrations.sql.store import SqlStore, open_store
from tests.contract.store.store_contract import StoreContract, run
from tests.contract.store.store_samples import HeldClock, mail
from tests.database import migrated
from triage.domain.errors import SettingsInvalid, StoreDown

UNPRIVILEGED = 65534
ROOT = Path(__file__).parents[3]


class TestSqliteStore(StoreContract):
    """In a file."""

    @pytest.fixture
    def url(self, tmp_path: Path) -> str:
        """A file with our tables."""
        return f"sqlite:///{migrated(tmp_path / 'triage.db')}"

    @pytest.fixture
    def empty_url(self, tmp_path: Path) -> str:
        """No file yet."""
        return f"sqlite:///{tmp_path}/empty.db"

    async def test_killed(self, url: str) -> None:
        """As everywhere, and the file is whole."""
        await super().test_killed(url)

        with sqlite3.connect(url.removeprefix("sqlite:///")) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        connection.close()

    async def test_settings_of_the_file(self, store: SqlStore) -> None:
        """Every connection syncs each commit, waits for others and knows who refers to whom."""
        asked = {"journal_mode": "wal", "synchronous": 2, "busy_timeout": 5000, "foreign_keys": 1}

        def settings(connection: Connection) -> dict[str, object]:
            return {pragma: connection.scalar(text(f"PRAGMA {pragma}")) for pragma in asked}

        assert asked == await store._database.read(settings)

    async def test_in_memory(self) -> None:
        """A dry run leaves no file and loses nothing while it lives."""
        store = await open_store("sqlite:///:memory:", HeldClock())
        ids = await asyncio.gather(*(store.inbox.accept(mail(number)) for number in range(30)))
        leases = await asyncio.gather(*(store.jobs.lease(f"w{number}", 60) for number in range(30)))

        assert sorted(ids) == sorted(lease.case for lease in leases if lease)
        await store.close()

    async def test_table_made_anew(self, store: SqlStore, url: str) -> None:
        """A migration that has to make a table anew keeps the rows that refer to it, and who refers to whom."""
        cases = [await store.inbox.accept(mail(number)) for number in range(3)]

        def anew(connection: Connection) -> None:
            operations = Operations(MigrationContext.configure(connection))
            with operations.batch_alter_table("mails", recreate="always") as table:
                table.alter_column("sha256", nullable=True)

        await store._database.rebuild(anew)

        assert [await store.archive.raw(case) for case in cases] == [mail(number).raw for number in range(3)]
        with pytest.raises(StoreDown, match="FOREIGN KEY"):
            await store._database.write(partial(run, "DELETE FROM mails"))
        with pytest.raises(StoreDown, match=r"refers to rows of mails"):
            await store._database.rebuild(partial(run, "DELETE FROM mails"))
        assert [await store.archive.raw(case) for case in cases] == [mail(number).raw for number in range(3)]

    async def test_relative_path(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A path without a leading slash starts where the process was started."""
        monkeypatch.chdir(tmp_path)
        store = await open_store("sqlite:///here.db", HeldClock())
        await store.inbox.accept(mail())
        await store.close()

        assert (tmp_path / "here.db").stat().st_size > 0

    # --- trouble ------------------------------------------------------------------------------

    async def test_old_pages_that_somebody_reads(self, store: SqlStore, url: str) -> None:
        """The files are not clean while another process reads old rows, and cannot be made so while it writes; then they are."""
        await store.inbox.accept(mail())
        with sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None) as other:
            other.execute("BEGIN")
            other.execute("SELECT count(*) FROM mails").fetchone()
            read = await store.forgetting.shred()
            other.execute("COMMIT")
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreDown, match="cannot be written anew: database is locked"):
                await store.forgetting.shred()
            other.execute("ROLLBACK")
        other.close()

        assert read is False
        assert await store.forgetting.shred() is True

    async def test_no_such_folder(self, tmp_path: Path) -> None:
        """A file that cannot be made is told with its path."""
        with pytest.raises(StoreDown, match=r"there is no folder .*nowhere: make it"):
            await open_store(f"sqlite:///{tmp_path}/nowhere/triage.db", HeldClock())

    async def test_no_database(self, tmp_path: Path) -> None:
        """A file that is something else is left alone."""
        (tmp_path / "letter.txt").write_text("Dear Ada, " * 1000)

        with pytest.raises(StoreDown, match="not a database"):
            await open_store(f"sqlite:///{tmp_path}/letter.txt", HeldClock())

        assert (tmp_path / "letter.txt").read_text() == "Dear Ada, " * 1000

    async def test_tables_of_another_program(self, tmp_path: Path) -> None:
        """A database in which another program keeps a table of the same name is left alone, and told as a wrong setting."""
        with sqlite3.connect(tmp_path / "theirs.db") as theirs:
            theirs.execute("CREATE TABLE cases (id INTEGER)")
        theirs.close()

        with pytest.raises(SettingsInvalid, match=r"another program's tables \(cases\): name an empty database"):
            await open_store(f"sqlite:///{tmp_path}/theirs.db", HeldClock())

    async def test_locked_for_too_long(self, store: SqlStore, url: str) -> None:
        """A lock that somebody else holds for more than five seconds is trouble, and goes with it."""
        with sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreDown, match="locked"):
                await store.inbox.accept(mail())
            other.execute("ROLLBACK")
        other.close()

        assert await store.inbox.accept(mail()) == "case-1"

    async def test_low_number_takes_no_lock(self, store: SqlStore, url: str) -> None:
        """A ticket number that is not higher than the highest is no write: it waits for no lock."""
        await store.inbox.accept(mail())
        lease = await store.jobs.lease("w", 60)
        assert lease
        leased_case = store.jobs.open(lease)
        await leased_case.ledger.saw("OPS", 42)
        await leased_case.cases.flush()

        with sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None) as other:
            other.execute("BEGIN IMMEDIATE")
            await leased_case.ledger.saw("OPS", 41)
            await leased_case.ledger.saw("OPS", 42)
            await leased_case.cases.flush()
            other.execute("ROLLBACK")
        other.close()

        assert await store.jobs.open(lease).ledger.highest("OPS") == 42

    def test_disk_full(self, url: str) -> None:
        """A mail that does not fit is not accepted, the ones before it stay, and room is all that is missing."""
        said = from_process(
            url,
            """
store = await open_store(url, HeldClock())
await store.inbox.accept(mail(1))
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, resource.RLIM_INFINITY))
for number in range(2, 200):
    try:
        await store.inbox.accept(mail(number, raw=b"x" * 20_000))
    except StoreDown as e:
        print(type(e).__name__)
        break
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
assert await store.archive.raw("case-1") == mail(1).raw
again = await store.inbox.accept(mail(number, raw=b"x" * 20_000))
print(again == f"case-{number}", await store.archive.raw(again) == b"x" * 20_000)
await store.close()
""",
        )

        assert said == ["StoreDown", "True True"]

    async def test_nearly_full(self, url: str) -> None:
        """A disk that is nearly full gets no more mail and says so when asked; one with room gets it again."""
        store = await open_store(url, HeldClock(), min_free=1 << 60)
        for look in (store.health.look_for_room, partial(store.inbox.accept, mail())):
            with pytest.raises(StoreDown, match="MIN_FREE_BYTES"):
                await look()
        store.inbox._min_free = 0  # to the last byte: what does not fit is no room, either
        with pytest.raises(StoreDown, match="MIN_FREE_BYTES"):
            store.inbox.look_for_room(1 << 60)
        await store.health.look_for_room()

        assert await store.inbox.accept(mail()) == "case-1"
        await store.close()

    async def test_damaged(self, url: str) -> None:
        """Pages that are not what was written are found when somebody looks, and named as damage."""
        store = await open_store(url, HeldClock())
        for number in range(50):
            await store.inbox.accept(mail(number, raw=b"x" * 5000))
        await store.health.check()
        await store.close()
        path = Path(url.removeprefix("sqlite:///"))
        pages = path.read_bytes()
        among = len(pages) * 4 // 5 // 4096 * 4096  # the mails lie behind the tables, which opening reads
        path.write_bytes(pages[:among] + bytes(8 * 4096) + pages[among + 8 * 4096 :])
        store = await open_store(url, HeldClock())
        with pytest.raises(StoreDown, match=r"damaged|malformed"):
            await store.health.check()
        await store.close()

    @pytest.mark.parametrize("folder", [0o555, 0o777], ids=["folder-too", "file-alone"])
    def test_read_only(self, open_folder: Path, folder: int) -> None:
        """A file that we may only read is refused by name to who writes; it is not ready, and where SQLite can, it is read."""
        migrated(open_folder / "triage.db")
        (open_folder / "triage.db").chmod(0o444)
        open_folder.chmod(folder)
        told = from_process(
            f"sqlite:///{open_folder}/triage.db",
            f"""
os.geteuid() or os.seteuid({UNPRIVILEGED})
async def detail(work):
    try:
        return await work
    except StoreDown as e:
        return e.detail
store = await detail(open_store(url, HeldClock()))
if isinstance(store, str):
    print(store)
else:
    for work in (store.inbox.accept(mail()), store.health.probe(), store.archive.counts()):
        print(await detail(work))
""",
        )
        cure = f"may not write {open_folder}/triage.db: give it the right"

        assert "attempt to write a readonly database: user" in told[0]
        assert cure in told[0]
        assert folder == 0o555 or (cure in told[1] and told[2] == "{}")

    @pytest.fixture
    def open_folder(self) -> Iterator[Path]:
        """A folder that every user can look into."""
        folder = Path(tempfile.mkdtemp(prefix="triage-test-"))
        folder.chmod(0o755)
        yield folder
        folder.chmod(0o755)
        shutil.rmtree(folder)


def from_process(url: str, body: str) -> list[str]:
    """What a process says that does this, under limits of its own."""
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    script = f"""
import asyncio, os, resource
from integrations.sql.store import open_store
from tests.contract.store.store_samples import HeldClock, mail
from triage.domain.errors import SettingsInvalid, StoreDown
async def main(url):
{lines}
asyncio.run(main("{url}"))
"""
    said = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr
    return said.stdout.splitlines()

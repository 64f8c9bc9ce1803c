"""Both leaderships: locks of PostgreSQL and locks of files; and what only one of them can suffer."""

import subprocess
import sys
from pathlib import Path

import pytest

from integrations.sql.leadership.advisory_locks import AdvisoryLocks
from integrations.sql.leadership.file_locks import FileLocks
from tests.contract.leadership.leadership_contract import LeadershipContract, Open
from tests.servers import free_port
from tests.servers.postgres import HANG_UP, Postgres
from triage.domain.errors import StoreDown


class TestFileLocks(LeadershipContract):
    """Processes of one host."""

    @pytest.fixture
    def open_one(self, tmp_path: Path) -> Open:
        """Beside the same database."""
        return lambda: FileLocks(tmp_path / "triage.db")

    async def test_killed(self, tmp_path: Path) -> None:
        """A process that is killed has nothing any more, at once."""
        holding = (
            "import asyncio, pathlib, sys; from integrations.sql.leadership.file_locks import FileLocks;"
            "locks = FileLocks(pathlib.Path(sys.argv[1])); print(asyncio.run(locks.hold('sweep')), flush=True); input()"
        )
        command = [sys.executable, "-c", holding, str(tmp_path / "triage.db")]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout
            assert process.stdout.readline() == "True\n"
            ours = FileLocks(tmp_path / "triage.db")
            before = await ours.hold("sweep")
            process.kill()
            process.wait()

        assert (before, await ours.hold("sweep")) == (False, True)
        await ours.close()

    async def test_in_memory(self) -> None:
        """A database in memory has no second process."""
        assert [await FileLocks(None).hold("sweep"), await FileLocks(None).hold("sweep")] == [True, True]

    async def test_no_folder(self, tmp_path: Path) -> None:
        """A folder that cannot be written is trouble of the store."""
        with pytest.raises(StoreDown, match="No such file"):
            await FileLocks(tmp_path / "gone" / "triage.db").hold("sweep")


class TestAdvisoryLocks(LeadershipContract):
    """Processes of any host."""

    @pytest.fixture
    def open_one(self, postgres: Postgres) -> Open:
        """On the same database."""
        return lambda: AdvisoryLocks(postgres.url())

    async def test_connection_cut(self, postgres: Postgres, open_one: Open) -> None:
        """Whose connection is cut has lost every duty, hears of it when he asks, and may ask again."""
        one, other = open_one(), open_one()
        await one.hold("sweep")
        await one.hold("tickets")
        await postgres.run(HANG_UP)

        assert await other.hold("sweep") is True
        with pytest.raises(StoreDown):
            await one.hold("sweep")
        assert [await one.hold("sweep"), await one.hold("tickets")] == [False, True]
        await one.close()
        await other.close()

    async def test_silence(self, postgres: Postgres) -> None:
        """The server takes the duty from a process that hangs."""
        one, other = AdvisoryLocks(postgres.url(), "200ms"), AdvisoryLocks(postgres.url())
        await one.hold("sweep")
        while not await other.hold("sweep"):
            pass

        with pytest.raises(StoreDown):
            await one.hold("sweep")
        await one.close()
        await other.close()

    async def test_no_server(self) -> None:
        """A server that does not answer is trouble of the store, told without the password."""
        locks = AdvisoryLocks(f"postgresql://ada:s3cret@127.0.0.1:{free_port()}/triage")

        with pytest.raises(StoreDown) as caught:
            await locks.hold("sweep")

        assert "s3cret" not in str(caught.value)
        await locks.close()

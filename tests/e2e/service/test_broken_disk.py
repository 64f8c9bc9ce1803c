"""The disk under the door is full, fails or stops in the middle: nothing is acknowledged that is not kept for good."""

import asyncio
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import httpx2
import psutil  # type: ignore[import-untyped]  # it has no types
import pytest

from integrations.sql.store import open_store
from integrations.system_clock import SystemClock
from tests.conftest import PATIENCE, ROOT
from tests.database import migrated
from tests.e2e.webhooks.door_process import door
from tests.e2e.webhooks.webhook_door import MAIL
from tests.servers.disks import on_small_disk, with_fault
from triage.domain.mail import Received
from webhooks.signatures import SigningKeys

SECRET = "a-key-of-the-bench-that-is-long-enough"
KEYS = SigningKeys.read([SECRET], "X")
DOOR = (sys.executable, "-m", "tests.bench.programs.accept_server", "triage")
PORT = re.compile(r"^(?:listening on http://127\.0\.0\.1:)?(\d+)(?::|$)")
SERVE = (sys.executable, "-m", "cli", "serve", "--no-work", "--no-watch")


@contextmanager
def address_of(command: Sequence[str], **more: str) -> Iterator[str]:
    """Where a process listens that tells its port among the first lines, on stdout or stderr."""
    given = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "WEBHOOK_SECRET": SECRET, "PORT": "0"} | more
    pipe, both = subprocess.PIPE, subprocess.STDOUT
    with subprocess.Popen(command, cwd=ROOT, env=given, stdin=pipe, stdout=pipe, stderr=both, text=True) as process:
        assert process.stdout
        told = (PORT.search(line) for line in process.stdout)
        yield f"http://127.0.0.1:{next(filter(None, told))[1]}"
        process.kill()


def mail(number: int, size: int = 20_000) -> bytes:
    """A mail of its own."""
    return MAIL + b"%d\r\n" % number + b"x" * size


async def posted(client: httpx2.AsyncClient, raw: bytes, name: str) -> int:
    """The status of a signed mail; 0 where nobody answered."""
    try:
        signed = KEYS.sign(name, SystemClock().now(), raw)
        return (await client.post("/webhooks/mime", content=raw, headers=signed)).status_code
    except httpx2.HTTPError:
        return 0


async def kept(url: str) -> list[bytes]:
    """All mails in the store, oldest first; the file is whole."""
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    store = await open_store(url, SystemClock())
    cases = sorted((line.id for line in await store.archive.cases(10_000)), key=lambda case: int(case[5:]))
    raws = [await store.archive.raw(case) for case in cases]
    await store.close()
    return raws


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A database with our tables."""
    return f"sqlite:///{migrated(tmp_path / 'triage.db')}"


# --- full -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("reserve", [0, 300_000], ids=["to-the-last-byte", "watermark"])
async def test_small_disk(tmp_path: Path, reserve: int) -> None:
    """On a disk of 1.5 MB mail is taken as long as it fits, then 503; health tells; with room all goes on by itself."""
    disk = tmp_path / "disk"
    disk.mkdir()
    more = {"DATABASE_URL": f"sqlite:///{disk}/triage.db", "MIN_FREE_BYTES": str(reserve)}
    filled = ("sh", "-c", f'head -c 500000 /dev/zero > "{disk}/filler" && exec "$@"', "sh", *SERVE)
    with address_of(on_small_disk(disk, "1536k", filled), **more) as address:
        async with httpx2.AsyncClient(base_url=address) as client:
            well = await client.get("/health/ready")
            full = [await posted(client, mail(number), f"m{number}") for number in range(40)]
            ill = await client.get("/health/ready")
            Path(f"/proc/{await inside(address)}/root{disk}/filler").unlink()
            better = await client.get("/health/ready")
            again = [await posted(client, mail(number), f"m{number}") for number in range(full.index(503) + 5)]

    assert (set(full), full[0], full[-1]) == ({200, 503}, 200, 503)
    assert (ill.status_code, ill.json()["parts"]["room"]) == (503, False)
    assert (well.status_code, better.status_code, set(again)) == (200, 200, {200})


async def inside(address: str) -> int:
    """The process that listens there."""
    port = int(address.rpartition(":")[2])
    listening = (c for c in psutil.net_connections("tcp") if c.laddr.port == port and c.status == "LISTEN" and c.pid)
    return int(next(listening).pid)


async def test_no_room_for_a_large_body(tmp_path: Path, url: str) -> None:
    """A body that does not fit where large ones wait is answered with 503 and leaves nothing; small ones go on."""
    spool = tmp_path / "spool"
    spool.mkdir()
    with address_of(on_small_disk(spool, "2m", (*DOOR, url)), TMPDIR=str(spool)) as address:
        async with httpx2.AsyncClient(base_url=address) as client:
            large = [await posted(client, mail(number, 4_000_000), f"l{number}") for number in range(3)]
            small = await posted(client, mail(1), "small")
            fits = await posted(client, mail(2, 1_500_000), "fits")

    assert (large, small, fits) == ([503] * 3, 200, 200)
    assert await kept(url) == [mail(1), mail(2, 1_500_000)]


# --- broken ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fault",
    [
        "fdatasync,fsync:error=EIO:when=4+",
        "pwrite64,write:error=EIO:when=60+",
        "pwrite64,write:error=ENOSPC:when=60+",
    ],
    ids=["sync", "write", "no-space"],
)
async def test_failing_disk(tmp_path: Path, url: str, fault: str) -> None:
    """From the first error on nothing is acknowledged; what was before is there, and a mended disk takes the rest."""
    files = [tmp_path / f"triage.db{ending}" for ending in ("", "-wal", "-journal")]
    with address_of(with_fault(fault, files, (*DOOR, url))) as address:
        async with httpx2.AsyncClient(base_url=address) as client:
            statuses = [await posted(client, mail(number), f"m{number}") for number in range(15)]
    before = await kept(url)
    with door(tmp_path) as (address, _):
        async with httpx2.AsyncClient(base_url=address) as client:
            again = [await posted(client, mail(number), f"m{number}") for number in range(15)]

    taken = statuses.index(503)
    assert statuses == [200] * taken + [503] * (15 - taken)
    assert taken > 0
    assert before[:taken] == [mail(number) for number in range(taken)]
    assert len(before) <= taken + 1, "more was kept than a sync could have left in doubt"
    assert again == [200] * 15
    assert await kept(url) == [mail(number) for number in range(15)]


async def test_one_bad_write(tmp_path: Path, url: str) -> None:
    """A single error costs the mail that met it a 503, and no other."""
    files = [tmp_path / f"triage.db{ending}" for ending in ("", "-wal")]
    with address_of(with_fault("pwrite64:error=EIO:when=40", files, (*DOOR, url))) as address:
        async with httpx2.AsyncClient(base_url=address) as client:
            statuses = [await posted(client, mail(number), f"m{number}") for number in range(20)]

    refused = statuses.index(503)
    assert sorted(statuses) == [200] * 19 + [503]
    assert await kept(url) == [mail(number) for number in range(20) if number != refused]


@pytest.mark.parametrize("sync", [1, 2, 12])
async def test_killed_in_a_sync(tmp_path: Path, url: str, sync: int) -> None:
    """Killed while the disk syncs for the n-th time: what was acknowledged is there, once, and at most one mail more."""
    files = [tmp_path / f"triage.db{ending}" for ending in ("", "-wal")]
    with address_of(with_fault(f"fdatasync,fsync:signal=KILL:when={sync}", files, (*DOOR, url))) as address:
        async with httpx2.AsyncClient(base_url=address) as client:
            statuses = [await posted(client, mail(number), f"m{number}") for number in range(25)]
    acknowledged = statuses.count(200)
    found = await kept(url)

    assert 0 in statuses, "it was never killed"
    assert statuses == [200] * acknowledged + [0] * (25 - acknowledged)
    assert found in ([mail(number) for number in range(n)] for n in (acknowledged, acknowledged + 1))


async def damaged(path: Path, url: str) -> None:
    """Mails in a file, of which some pages are then lost: behind those of the tables' own, which a start reads."""
    store = await open_store(url, SystemClock())
    await asyncio.gather(*(store.inbox.accept(received(number)) for number in range(60)))
    await store.close()
    pages = path.read_bytes()
    at = len(pages) * 3 // 4 // 4096 * 4096
    path.write_bytes(pages[:at] + bytes(8 * 4096) + pages[at + 8 * 4096 :])


def left_open(url: str) -> None:
    """A process has the file, and is killed: SQLite's log stays."""
    script = f"""
import asyncio, os, signal
from integrations.sql.store import open_store
from integrations.system_clock import SystemClock
async def main():
    await (await open_store("{url}", SystemClock())).health.secret()
    os.kill(os.getpid(), signal.SIGKILL)
asyncio.run(main())
"""
    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False).returncode == -9


async def test_damaged_file(tmp_path: Path, url: str) -> None:
    """After an unclean end a service looks through its file, and ends where it is damaged; its last words say why."""
    await damaged(tmp_path / "triage.db", url)
    left_open(url)
    given = {"PATH": os.environ["PATH"], "WEBHOOK_SECRET": SECRET, "PORT": "0", "DATABASE_URL": url}
    told = subprocess.run(SERVE, cwd=ROOT, env=given, capture_output=True, text=True, timeout=PATIENCE, check=False)

    assert told.returncode == 3
    assert "damaged" in told.stderr or "malformed" in told.stderr


async def test_unclean_end(tmp_path: Path, url: str) -> None:
    """Only who was killed leaves a file to be looked through; who has closed it does not, and a start reads little of it."""
    store = await open_store(url, SystemClock())
    unclean = [store.health.unclean]
    await store.inbox.accept(received(1))
    await store.close()
    store = await open_store(url, SystemClock())
    unclean.append(store.health.unclean)
    await store.close()
    left_open(url)
    store = await open_store(url, SystemClock())
    unclean.append(store.health.unclean)
    await store.health.check()
    await store.close()

    assert unclean == [False, False, True]


async def test_check_is_interrupted(tmp_path: Path, url: str) -> None:
    """A look that is cancelled ends SQLite's reading, too, and leaves the file as it is."""
    store = await open_store(url, SystemClock())
    await asyncio.gather(*(store.inbox.accept(received(number)) for number in range(60)))
    looking = asyncio.create_task(store.health.check())
    await asyncio.sleep(0)
    looking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await looking

    await store.health.check()
    await store.close()


def received(number: int) -> Received:
    """A mail at the store."""
    return Received(source="file", source_id=str(number), raw=mail(number, 5000), at=SystemClock().now())

"""The door under trouble by the thousand: floods, a full disk, and kills while mail comes in."""

import asyncio
import os
import signal
from pathlib import Path
from random import Random

import httpx2
import psutil  # type: ignore[import-untyped]  # it has no types
import pytest

from integrations.sql.store import open_store
from integrations.system_clock import SystemClock
from tests.e2e.webhooks.door_process import door
from tests.e2e.webhooks.webhook_door import MAIL
from triage.domain.errors import StoreDown
from webhooks.signatures import SigningKeys
from webhooks.spool import MEMORY, SMALL, RequestBody, Spool

KEYS = SigningKeys.read(["a-key-of-the-bench-that-is-long-enough"], "X")


async def post(client: httpx2.AsyncClient, name: str, mail: bytes) -> httpx2.Response:
    """A signed mail."""
    return await client.post("/webhooks/mime", content=mail, headers=KEYS.sign(name, SystemClock().now(), mail))


async def test_disk_full(tmp_path: Path) -> None:
    """What does not fit is answered with 503 and when to come again, never with 2xx; with room it goes on by itself."""
    with door(tmp_path, 1_000_000) as (address, process):
        async with httpx2.AsyncClient(base_url=address) as client:
            answers = [await post(client, str(n), MAIL + os.urandom(20_000)) for n in range(60)]
            full = [answer.status_code for answer in answers]
            psutil.Process(process.pid).rlimit(psutil.RLIMIT_FSIZE, (1 << 40, psutil.RLIM_INFINITY))
            after = await post(client, "after", MAIL)
    store = await open_store(f"sqlite:///{tmp_path}/triage.db", SystemClock())
    kept = sum((await store.archive.counts()).values())
    await store.close()

    assert set(full) == {200, 503}
    assert answers[full.index(503)].headers["retry-after"]
    assert after.status_code == 200
    assert kept == full.count(200) + 1


async def test_killed_again_and_again(tmp_path: Path) -> None:
    """Killed while many mails come in, after any number of them: each acknowledged mail is in the store, once."""
    chance, accepted, mails = Random(7), dict[str, bytes](), 0
    for _ in range(3):
        fatal = len(accepted) + chance.randint(5, 60)
        with door(tmp_path) as (address, process):
            async with httpx2.AsyncClient(base_url=address, timeout=None) as client:

                async def send(first: int, client: httpx2.AsyncClient = client, fatal: int = fatal) -> None:
                    nonlocal mails
                    while True:
                        mails += 1
                        mail = MAIL + b"%d" % mails
                        try:
                            answer = await post(client, f"m{mails}", mail)
                        except httpx2.HTTPError:
                            return
                        assert answer.status_code == 200
                        (case,) = answer.json()["cases"]
                        assert case not in accepted
                        accepted[case] = mail
                        if len(accepted) == fatal:
                            process.send_signal(signal.SIGKILL)

                await asyncio.gather(*map(send, range(16)))
    store = await open_store(f"sqlite:///{tmp_path}/triage.db", SystemClock())
    for case, mail in accepted.items():
        assert mail == await store.archive.raw(case)
    counts = await store.archive.counts()
    await store.close()

    assert len(accepted) >= fatal
    assert len(accepted) <= sum(counts.values()) <= mails


async def test_flood_of_large_bodies(tmp_path: Path) -> None:
    """Many large bodies at once, of strangers too, do not make the process large."""
    with door(tmp_path) as (address, process):
        async with httpx2.AsyncClient(base_url=address) as client:
            await post(client, "first", MAIL)
            before, most = psutil.Process(process.pid).memory_info().rss, 0
            big = MAIL + os.urandom(15_000_000)
            flood = [asyncio.create_task(post(client, f"f{n}", big)) for n in range(12)]
            flood += [asyncio.create_task(client.post("/webhooks/mime", content=big)) for _ in range(12)]
            while not all(task.done() for task in flood):
                most = max(most, psutil.Process(process.pid).memory_info().rss)
                await asyncio.sleep(0.01)
            statuses = sorted(task.result().status_code for task in flood)

    assert statuses == [200] * 12 + [401] * 12
    assert most - before < 16 * len(big)


class TestSpool:
    """Room for bodies."""

    def test_memory_is_bounded(self) -> None:
        """Small bodies have so much memory together; what is refused or done gives its room back."""
        spool = Spool()
        bodies = [RequestBody(spool) for _ in range(MEMORY // SMALL)]
        for body in bodies:
            body.add(bytes(SMALL))
        with pytest.raises(StoreDown, match="at once"):
            RequestBody(spool).add(b"x")
        for body in bodies:
            body.close()

        assert (spool.memory, spool.disk) == (0, 0)

    def test_large_ones_lie_in_a_file(self) -> None:
        """A body that grows large leaves memory, and is whole."""
        spool = Spool()
        body = RequestBody(spool)
        for _ in range(5):
            body.add(b"0123456789" * 50_000)

        assert (spool.memory, spool.disk, body.large) == (0, 2_500_000, True)
        assert body.whole() == b"0123456789" * 250_000
        body.close()
        assert (spool.memory, spool.disk) == (0, 0)

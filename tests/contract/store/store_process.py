"""Other processes at the same store: `python -m tests.contract.store.store_process open|accept|drain URL NAME…`.

They are forked from one that has loaded everything, and do each thing at the same moment. Each line they say begins with
their name.
"""

import asyncio
import multiprocessing
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from itertools import count
from multiprocessing.synchronize import Barrier
from pathlib import Path

from integrations.sql.store import SqlStore, open_store
from tests.contract.store.store_samples import mail


class WallClock:
    """The real time."""

    def now(self) -> datetime:
        """Now."""
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


async def accept(store: SqlStore, name: str, _gate: Barrier) -> None:
    """Accept mails until killed, eight at a time, and say so behind each."""
    numbers = count()

    async def one_after_the_other() -> None:
        for number in numbers:
            case = await store.inbox.accept(mail(f"{name}-{number}", raw=f"{name}-{number} ".encode() * 500))
            say(name, case, f"{name}-{number}")

    await asyncio.gather(*(one_after_the_other() for _ in range(8)))


async def drain(store: SqlStore, name: str, gate: Barrier) -> None:
    """Lease whatever there is, in four tasks, and say which; nobody takes a second one before each has its first."""

    async def work() -> None:
        while lease := await store.jobs.lease(name, 60):
            say(name, lease.case)

    if first := await store.jobs.lease(name, 60):
        say(name, first.case)
    gate.wait()
    await asyncio.gather(*(work() for _ in range(4)))


async def at_store(what: str, url: str, name: str, gate: Barrier) -> None:
    """Open the store together with the others, then begin together with them."""
    gate.wait()
    store = await open_store(url, WallClock())
    gate.wait()
    say(name, "opened", str(os.getpid()))
    if what != "open":
        await {"accept": accept, "drain": drain}[what](store, name, gate)
    await store.close()


def say(*words: str) -> None:
    """One line, in one write, so that lines of several processes do not mix."""
    os.write(sys.stdout.fileno(), (" ".join(words) + "\n").encode())


@asynccontextmanager
async def processes(what: str, url: str, *names: str) -> AsyncIterator[asyncio.StreamReader]:
    """Start them, and hear what they say."""
    command = (sys.executable, "-m", __spec__.name, what, url, *names)
    folder = Path(__file__).parents[3]
    parent = await asyncio.create_subprocess_exec(*command, cwd=folder, stdout=asyncio.subprocess.PIPE)
    assert parent.stdout
    yield parent.stdout
    assert await parent.wait() == 0


def main(what: str, url: str, *names: str) -> None:
    """Fork them, let them begin together, and wait for all; being killed is a good end."""
    fork = multiprocessing.get_context("fork")
    gate = fork.Barrier(len(names))

    def child(name: str) -> None:
        asyncio.run(at_store(what, url, name, gate))

    children = [fork.Process(target=child, args=(name,)) for name in names]
    for process in children:
        process.start()
    for process in children:
        process.join()
    sys.exit(any(process.exitcode not in {0, -9} for process in children))


if __name__ == "__main__":
    main(*sys.argv[1:])

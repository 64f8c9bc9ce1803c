"""Sends letters in a process of its own that kills itself at a named point, and judges by the mail server's own list."""

import asyncio
import multiprocessing
import os
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from integrations.imap.session import Tls
from integrations.smtp.outbox import SmtpOutbox, SmtpServer
from integrations.sql.store import open_store
from tests.contract.store.store_samples import MORNING, HeldClock, mail
from tests.database import migrated
from tests.servers.mail.smtp import MailServer
from tests.unit.triage.policy.letters.letters import SUPPORT, letter
from triage.domain.errors import StoreDown
from triage.domain.letters import Letter, LetterState
from triage.services.letters.sender import LEASE, LOOKED, LetterSender

POINTS = ("letter.leased", "smtp.envelope", "smtp.data_sent", "smtp.250", "reply.committed")
"""Where the process dies, in the order in which a letter comes by."""
CUTS = ("connect", "ehlo", "mail", "rcpt", "data", "body", "unkept", "lost")
_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload([__name__])


@dataclass(frozen=True)
class Fate:
    """What became of a letter: by our list, and by the mail server's."""

    letter: Letter
    taken: int
    """How often the server took it."""

    @property
    def twice(self) -> bool:
        """It went more than once."""
        return self.taken > 1

    @property
    def lost(self) -> bool:
        """It did not go, and nobody is told: it is neither in doubt nor refused, visibly."""
        return self.taken == 0 and self.letter.state not in {LetterState.UNKNOWN, LetterState.REFUSED}

    @property
    def untrue(self) -> bool:
        """Our list says it left, and it did not."""
        return self.taken == 0 and self.letter.state is LetterState.SENT


def drained(url: str, port: int, point: str, seconds: float) -> None:
    """In a process of its own: do what is due so many seconds after the morning; die at the point."""

    def kill(name: str) -> None:
        if name == point:
            os.kill(os.getpid(), signal.SIGKILL)

    asyncio.run(_drain(url, port, kill, seconds))


async def _drain(url: str, port: int, kill: object, seconds: float) -> None:
    clock = HeldClock()
    clock.time = MORNING + timedelta(seconds=seconds)
    store = await open_store(url, clock, kill)  # type: ignore[arg-type]  # a failpoint
    server = SmtpServer(host="127.0.0.1", port=port, tls=Tls.NONE, answer=5.0, last_answer=5.0)
    outbox = SmtpOutbox(server, failpoint=kill)  # type: ignore[arg-type]
    sender = LetterSender(
        store=store.letters, outbox=outbox, folders=None, clock=clock, sender=SUPPORT, per_minute=1000, failpoint=kill  # type: ignore[arg-type]
    )  # fmt: skip
    with suppress(StoreDown):
        await sender.drain()
    await outbox.close()
    await store.close()


def run(url: str, server: MailServer, point: str, seconds: float) -> int:
    """Run the process to its end, or its death; return its exit code."""
    process = _PROCESSES.Process(target=drained, args=(url, server.port, point, seconds))
    process.start()
    process.join(120)
    return process.exitcode or 0


def fates(folder: Path, server: MailServer, point: str, cuts: tuple[str, ...] = ()) -> Iterator[Fate]:
    """Queue an acknowledgement and an accepted answer, die at the point with the line cut there, go on until nothing is due."""
    url = f"sqlite:///{migrated(folder / 'letters.db')}"
    queued = asyncio.run(_queued(url, folder.name))
    server.cuts = dict(Counter(cuts))
    died = run(url, server, point, 0)
    assert died == (-signal.SIGKILL if point else 0) or cuts
    later = LEASE + 1
    for _ in range(8):
        if all(one.due_at is None for one in asyncio.run(_found(url))):
            break
        run(url, server, "", later)
        later += LOOKED.total_seconds() + 3700
    taken = Counter(one.message["Message-ID"].strip("<>") for one in server.accepted)
    for one in asyncio.run(_found(url)):
        assert one.message_id in queued
        yield Fate(one, taken[one.message_id])


async def _queued(url: str, name: str) -> set[str]:
    store = await open_store(url, HeldClock())
    await store.inbox.accept(mail())
    made = []
    for number, automatic in enumerate((True, False), 1):
        new = letter(
            key=f"case-1:reply:{number}", case="case-1", message_id=f"{name}.{number}@harbour.example",
            due_at=MORNING, automatic=automatic,
        )  # fmt: skip
        made.append(await store.letters.queue(replace(new)))
    await store.close()
    return {one.message_id for one in made}


async def _found(url: str) -> tuple[Letter, ...]:
    store = await open_store(url, HeldClock())
    found = await store.letters.letters()
    await store.close()
    return found

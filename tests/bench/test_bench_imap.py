"""How fast a mailbox is emptied into the store, how much memory that takes, and how soon a new mail is there."""

import asyncio
import gc
import statistics
import time
from collections.abc import AsyncIterator
from pathlib import Path

import psutil  # type: ignore[import-untyped]  # it has no types
import pytest

from integrations.imap.login import Password
from integrations.imap.mailbox import ImapMailbox
from integrations.imap.session import ImapAccount, Tls
from integrations.local_notifier import LocalNotifier
from integrations.sql.store import SqlStore, open_store
from integrations.system_clock import SystemClock
from tests.servers.dovecot import PASSWORD, Person, mail
from triage.domain.mailboxes import Phase
from triage.services.intake import Intake
from triage.services.mailbox_sync import MailboxSync
from triage.services.mailbox_watch import Watch, WatchPace

pytestmark = [pytest.mark.bench, pytest.mark.timeout(300)]

MANY = 10_000
ROUNDS = 15


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqlStore]:
    """SQLite in a file, synced at every commit."""
    store = await open_store(f"sqlite:///{tmp_path}/triage.db", SystemClock())
    yield store
    await store.close()


def watch_of(person: Person, store: SqlStore) -> Watch:
    """As `triage watch` makes it."""
    account = ImapAccount(name="bench", host="127.0.0.1", port=person.server.imap, user=person.name, tls=Tls.NONE)
    clock = SystemClock()
    sync = MailboxSync(
        mailbox=ImapMailbox(account, Password(PASSWORD)),
        mailboxes=store.mailboxes,
        intake=Intake(store.inbox, LocalNotifier(), clock, account.limit),
        clock=clock,
    )
    return Watch(sync, WatchPace(look=600))


async def test_many_mails(person: Person, store: SqlStore) -> None:
    """10,000 small mails: at least 1,000 a second from Dovecot to the disk, with flat memory."""
    await watch_of(person, store).once()
    person.fill(mail(number, size=1500) for number in range(MANY))
    with person.client() as client:  # Dovecot's own index is not what is measured
        client.select_folder("INBOX", readonly=True)
    gc.collect()
    process, peaks = psutil.Process(), [0] * 10
    before = process.memory_info().rss

    async def sample() -> None:
        while True:
            done = sum((await store.archive.counts()).values())
            place = min(9, done * 10 // MANY)
            peaks[place] = max(peaks[place], process.memory_info().rss - before)
            await asyncio.sleep(0.1)

    sampling = asyncio.create_task(sample())
    began, used = time.perf_counter(), process.cpu_times()
    await watch_of(person, store).once()
    seconds, cpu = time.perf_counter() - began, process.cpu_times()
    sampling.cancel()
    await asyncio.gather(sampling, return_exceptions=True)

    ours = cpu.user + cpu.system - used.user - used.system
    grown = " ".join(f"{peak / 2**20:.0f}" for peak in peaks)
    print(f"\nIMAP to SQLite: {MANY / seconds:,.0f} mails/s ({seconds:.1f} s, CPU {ours:.1f} s)")
    print(f"memory above start, MiB, by tenths of the way: {grown}")
    assert sum((await store.archive.counts()).values()) == MANY
    assert MANY / seconds >= 1000
    assert max(peaks[5:]) - max(peaks[:5]) < 30 * 2**20


async def test_new_mail(person: Person, store: SqlStore) -> None:
    """A new mail is in the store within a second of its delivery, by IDLE alone."""
    watching = asyncio.create_task(watch_of(person, store).run())
    while not (at := await store.mailboxes.cursor("bench")) or at.phase is not Phase.IDLE:
        await asyncio.sleep(0.02)
    waits = []
    for number in range(ROUNDS):
        await asyncio.sleep(0.3 + number / 30)
        await asyncio.to_thread(person.deliver, mail(number))
        began = time.perf_counter()
        while sum((await store.archive.counts()).values()) <= number:
            await asyncio.sleep(0.005)
        waits.append(time.perf_counter() - began)
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)

    print(f"\ndelivered to stored: median {statistics.median(waits) * 1000:.0f} ms, most {max(waits) * 1000:.0f} ms")
    assert statistics.median(waits) < 1

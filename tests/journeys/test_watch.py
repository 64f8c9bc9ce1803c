"""Mailboxes on a real Dovecot, watched into a real store: nothing lost, nothing twice, whatever breaks."""

import asyncio
import contextlib
import json
import os
import random
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Self

import pytest

from integrations.imap.login import Password
from integrations.imap.mailbox import ImapMailbox
from integrations.imap.session import Account, Tls
from integrations.local_doorbell import LocalDoorbell
from integrations.sql.store import SqlStore, open_store
from integrations.system_clock import SystemClock
from tests.conftest import ROOT
from tests.servers.dovecot import PASSWORD, Person, mail
from tests.servers.proxy import FaultProxy
from triage.desk.catch_up import CatchUp
from triage.desk.intake import Intake
from triage.desk.watch import Pace, Watch, complaint
from triage.domain.errors import MailboxDenied, StoreDown
from triage.domain.mail import Received
from triage.domain.mailboxes import Phase, Standing

QUICK = Pace(look=1.0, first_pause=0.05, longest_pause=0.2, denied_pause=0.2, reconcile=3600)


@dataclass
class Desk:
    """A watched mailbox and the store behind it."""

    person: Person
    store: SqlStore
    url: str
    failing: list[Exception] = field(default_factory=list)
    """Raised by the next deliveries into the store, one each."""
    passed: list[str] = field(default_factory=list)

    def watch(
        self, *, port: int = 0, pace: Pace = QUICK, since: datetime | None = None, most: int = 200, **more: object
    ) -> Watch:
        """A watch of its own, as after a restart."""
        account: dict[str, object] = {
            "name": "support",
            "host": "127.0.0.1",
            "port": port or self.person.server.imap,
            "user": self.person.name,
            "tls": Tls.NONE,
            "silence": 3.0,
            **more,
        }
        mailbox = ImapMailbox(Account(**account), Password(PASSWORD))  # type: ignore[arg-type]  # tests name fields
        intake = Intake(_Breaking(self), LocalDoorbell(), SystemClock(), 40 * 2**20, self.passed.append)  # type: ignore[arg-type]  # `accept` is all it needs
        catch_up = CatchUp(
            mailbox=mailbox, mailboxes=self.store.mailboxes, intake=intake, clock=SystemClock(), most=most
        )
        return Watch(catch_up, pace, since)

    async def standing(self) -> Standing:
        """Where we stand."""
        at = await self.store.mailboxes.standing("support")
        assert at
        return at

    async def ids(self) -> list[str]:
        """Message-IDs of what is in the store, in the order of the cases."""
        cases = sorted((line.id for line in await self.store.cases(100_000)), key=lambda case: int(case[5:]))
        return [message_id(await self.store.raw(case)) for case in cases]

    async def until(self, done: Callable[[], object], seconds: float = 20.0) -> None:
        """Wait until something (asked for again and again) holds."""
        async with asyncio.timeout(seconds):
            while not (await found if asyncio.iscoroutine(found := done()) else found):
                await asyncio.sleep(0.02)

    async def has(self, count: int) -> bool:
        """So many mails are in the store."""
        return sum((await self.store.counts()).values()) >= count

    async def phase(self, *phases: Phase) -> bool:
        """It is in one of these."""
        at = await self.store.mailboxes.standing("support")
        return at is not None and at.phase in phases


@dataclass
class _Breaking:
    """The real store, which raises first what a test wants to be raised."""

    desk: Desk

    async def accept(self, received: Received) -> str:
        if self.desk.failing:
            raise self.desk.failing.pop(0)
        return await self.desk.store.accept(received)


def message_id(raw: bytes) -> str:
    """`<7@example.com>` as `7`."""
    for line in raw.splitlines():
        if line.lower().startswith(b"message-id:"):
            return line.partition(b"<")[2].partition(b"@")[0].decode()
    return ""


@contextlib.asynccontextmanager
async def watching(watch: Watch) -> AsyncIterator[None]:
    """While it runs."""
    task = asyncio.create_task(watch.run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    assert task.cancelled(), task.exception()


@pytest.fixture
async def desk(person: Person, tmp_path: Path) -> AsyncIterator[Desk]:
    """An empty mailbox and an empty store."""
    url = f"sqlite:///{tmp_path}/triage.db"
    store = await open_store(url, SystemClock())
    desk = Desk(person, store, url)
    yield desk
    await desk.store.close()


class TestEverydayLife:
    """Nothing breaks."""

    async def test_from_now_on(self, desk: Desk) -> None:
        """What was there before us is left alone; what comes then is taken, each once, with its number and time."""
        desk.person.deliver(mail("old"))
        await desk.watch().once()
        desk.person.deliver(mail(1), mail(2))
        for _ in range(2):
            await desk.watch().once()

        assert await desk.ids() == ["1", "2"]
        at = await desk.standing()
        assert at.phase is Phase.IDLE
        assert (at.uid, at.missing) == (3, 0)
        report = await desk.store.report("case-1")
        assert report.case.source == "imap:support"
        assert datetime.now(UTC) - report.case.received_at < timedelta(minutes=1)

    async def test_since(self, desk: Desk) -> None:
        """With a day, what came since then is taken too, and what came before is not; asked again nothing happens."""
        with desk.person.client() as client:
            for age in (40, 20, 10):
                client.append("INBOX", mail(age), msg_time=datetime.now(UTC) - timedelta(days=age))
        since = datetime.now(UTC) - timedelta(days=30)
        for _ in range(2):
            await desk.watch(since=since).once()

        assert await desk.ids() == ["20", "10"]

    async def test_since_later(self, desk: Desk) -> None:
        """A backfill may be asked for when the mailbox has been watched for long."""
        with desk.person.client() as client:
            client.append("INBOX", mail("old"), msg_time=datetime.now(UTC) - timedelta(days=3))
        await desk.watch().once()
        desk.person.deliver(mail("new"))
        await desk.watch().once()
        assert await desk.ids() == ["new"]
        await desk.watch(since=datetime.now(UTC) - timedelta(days=5)).once()

        assert await desk.ids() == ["new", "old"]

    async def test_seen_by_others(self, desk: Desk) -> None:
        """A mail that somebody reads or flags before we come is taken like any other."""
        await desk.watch().once()
        desk.person.deliver(mail(1), mail(2))
        with desk.person.client() as client:
            client.select_folder("INBOX")
            client.add_flags([1], [rb"\Seen", rb"\Answered"])
        await desk.watch().once()

        assert await desk.ids() == ["1", "2"]

    async def test_heard_at_once(self, desk: Desk) -> None:
        """A new mail is in the store within a second or so of its delivery, without a look in between."""
        async with watching(desk.watch(pace=Pace(look=600))):
            await desk.until(lambda: desk.phase(Phase.IDLE))
            await asyncio.sleep(0.2)
            for number in (1, 2):
                await asyncio.to_thread(desk.person.deliver, mail(number))
                began = time.monotonic()
                await desk.until(partial(desk.has, number))

                assert time.monotonic() - began < 1.5

    async def test_portions(self, desk: Desk) -> None:
        """Many mails come in portions, and the cursor moves with each."""
        await desk.watch().once()
        desk.person.deliver(*(mail(number) for number in range(25)))
        await desk.watch(most=10).once()

        assert await desk.ids() == [str(number) for number in range(25)]
        assert desk.passed.count("imap.cursor_saved") == 4  # the last says that nothing is left

    async def test_oversize(self, desk: Desk) -> None:
        """A mail over the limit becomes a case with its headers."""
        await desk.watch().once()
        desk.person.deliver(mail(1), mail("large", size=300_000), mail(2))
        await desk.watch(limit=100_000).once()

        assert await desk.ids() == ["1", "large", "2"]
        assert b"X-Triage-Oversize: " in await desk.store.raw("case-2")

    async def test_moved_away(self, desk: Desk) -> None:
        """What is taken leaves the folder where that is asked for, also when a crash came in between."""
        await desk.watch().once()
        desk.person.deliver(mail(1), mail(2))
        await desk.watch().once()
        assert desk.person.count() == 2
        desk.person.deliver(mail(3))
        await desk.watch(move_to="Done").once()

        assert await desk.ids() == ["1", "2", "3"]
        assert (desk.person.count(), desk.person.count("Done")) == (0, 3)

    async def test_folder_that_cannot_be_tidied(self, desk: Desk) -> None:
        """Mails are taken although they cannot be moved."""
        await desk.watch().once()
        desk.person.deliver(mail(1))
        async with watching(desk.watch(move_to="a//b")):
            await desk.until(lambda: desk.has(1))

        assert await desk.ids() == ["1"]


class TestNumbersChange:
    """The server forgets its UIDs."""

    async def test_rescan(self, desk: Desk) -> None:
        """With a new UIDVALIDITY what came meanwhile is taken, what is here already is not taken twice."""
        await desk.watch().once()
        desk.person.deliver(*(mail(number) for number in range(5)))
        await desk.watch().once()
        before = await desk.standing()
        desk.person.deliver(mail("meanwhile"))
        desk.person.forget_numbers()
        desk.person.deliver(mail("after"))
        await desk.watch().once()
        await desk.watch().once()

        at = await desk.standing()
        assert at.validity != before.validity
        assert Counter(await desk.ids()) == Counter(["0", "1", "2", "3", "4", "meanwhile", "after"])
        assert (at.owed, at.missing) == (None, 0)

    async def test_while_watched(self, desk: Desk) -> None:
        """A watch that lives through it loses nothing either."""
        async with watching(desk.watch()):
            await desk.until(lambda: desk.phase(Phase.IDLE))
            desk.person.deliver(mail(1))
            await desk.until(lambda: desk.has(1))
            await asyncio.to_thread(desk.person.forget_numbers)
            desk.person.deliver(mail(2), mail(3))
            await desk.until(lambda: desk.has(3))

        assert sorted(await desk.ids()) == ["1", "2", "3"]

    async def test_another_account(self, desk: Desk) -> None:
        """The name of one mailbox given to another is refused, since their numbers mean different mails."""
        await desk.watch().once()
        other = Desk(desk.person.server.user(), desk.store, desk.url)
        with pytest.raises(MailboxDenied, match="another name"):
            await other.watch().once()


class TestTrouble:
    """The network, the server or the store breaks."""

    async def test_cut_anywhere(self, desk: Desk) -> None:
        """Whatever byte a connection is cut at, in the end each mail is here once, in order."""
        await desk.watch().once()
        desk.person.deliver(*(mail(number, size=number * 300) for number in range(30)))
        dice = random.Random(7)
        async with FaultProxy(desk.person.server.imap) as proxy, watching(desk.watch(port=proxy.port, most=10)):
            for cut in range(1, 25):
                proxy.cut_after = dice.randrange(1, 60_000)
                proxy.hang_up()
                await desk.until(partial(proxy.tried, cut))
                await asyncio.sleep(dice.uniform(0, 0.05))
            proxy.cut_after = None
            proxy.hang_up()
            await desk.until(lambda: desk.has(30))
            await desk.until(lambda: desk.phase(Phase.IDLE, Phase.RECOVERED))

        assert await desk.ids() == [str(number) for number in range(30)]
        assert (await desk.standing()).uid == 30

    async def test_stalled_and_recovered(self, desk: Desk) -> None:
        """A server that is away shows as stalled with the reason, then as recovered, then as idle."""
        async with FaultProxy(desk.person.server.imap) as proxy, watching(desk.watch(port=proxy.port)):
            await desk.until(lambda: desk.phase(Phase.IDLE))
            proxy.cut_after = 5
            proxy.hang_up()
            await desk.until(lambda: desk.phase(Phase.STALLED))
            stalled = await desk.standing()
            desk.person.deliver(mail(1))
            proxy.cut_after = None
            await desk.until(lambda: desk.phase(Phase.RECOVERED))
            await desk.until(lambda: desk.phase(Phase.IDLE))

        assert "closed" in stalled.trouble
        assert complaint(stalled, datetime.now(UTC), 1.0) == stalled.trouble
        assert (await desk.standing()).trouble == ""
        assert await desk.ids() == ["1"]

    async def test_black_hole(self, desk: Desk) -> None:
        """A connection that dies in silence while we listen is noticed at the next look, and replaced."""
        async with FaultProxy(desk.person.server.imap) as proxy, watching(desk.watch(port=proxy.port, silence=0.3)):
            await desk.until(lambda: desk.phase(Phase.IDLE))
            proxy.black_hole = True
            desk.person.deliver(mail(1))
            await asyncio.sleep(1.5)
            proxy.black_hole = False
            await desk.until(lambda: desk.has(1))

        assert await desk.ids() == ["1"]

    async def test_wrong_password(self, desk: Desk) -> None:
        """A login that is refused shows as stalled, also for a mailbox that was never open; mended it goes on."""
        async with watching(desk.watch(user="nobody")):
            await desk.until(lambda: desk.phase(Phase.STALLED))
        assert "user" in (await desk.standing()).trouble
        await desk.watch().once()

        assert (await desk.standing()).phase is Phase.RECOVERED

    async def test_store_down(self, desk: Desk) -> None:
        """While the store takes nothing the cursor stays, and then everything comes, once."""
        await desk.watch().once()
        desk.person.deliver(*(mail(number) for number in range(5)))
        desk.failing += [StoreDown("database or disk is full")] * 12
        with pytest.raises(StoreDown):
            await desk.watch().once()
        assert (await desk.standing()).uid == 0
        async with watching(desk.watch()):
            await desk.until(lambda: desk.has(5))
            await desk.until(lambda: desk.phase(Phase.RECOVERED, Phase.IDLE))

        assert sorted(await desk.ids()) == ["0", "1", "2", "3", "4"]
        assert desk.failing == []

    async def test_disk_full(self, desk: Desk) -> None:
        """The real database, which may grow no more: mail waits on its server, and comes when there is room."""
        await desk.watch().once()
        await desk.store.close()
        path = desk.url.removeprefix("sqlite:///")
        with contextlib.closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        desk.store = await open_store(desk.url, SystemClock())
        # `max_page_count` belongs to a connection, so each one gets it, whichever way the write takes.
        from sqlalchemy import event

        database = desk.store._intake._database
        full = [True]

        def limit(connection: object, _record: object, _proxy: object) -> None:
            pages = connection.execute("PRAGMA page_count").fetchone()[0]  # type: ignore[attr-defined]  # a driver's
            connection.execute(f"PRAGMA max_page_count={pages if full[0] else 1_000_000}")  # type: ignore[attr-defined]  # same

        for engine in (database._engine.sync_engine, database._straight):
            event.listen(engine, "checkout", limit)
        desk.person.deliver(*(mail(number, size=20_000) for number in range(10)))
        async with watching(desk.watch()):
            await asyncio.sleep(1.0)
            stuck = await desk.ids()
            full[0] = False
            await desk.until(lambda: desk.has(10))

        assert len(stuck) < 10
        assert sorted(await desk.ids()) == sorted(str(number) for number in range(10))

    async def test_gap(self, desk: Desk) -> None:
        """A mail below the cursor that is not in the store is found by the comparison, and taken."""
        await desk.watch().once()
        desk.person.deliver(mail(1), mail(2))
        await desk.watch().once()
        at = await desk.standing()
        desk.person.deliver(mail("skipped"))
        await desk.store.mailboxes.keep(replace(at, uid=3))
        await desk.watch().once()

        assert await desk.ids() == ["1", "2", "skipped"]
        assert (await desk.standing()).missing == 0

    async def test_poisoned_fetch(self, desk: Desk) -> None:
        """A mail at which the server always hangs up does not hold up the others; it is counted as missing."""
        await desk.watch().once()
        desk.person.deliver(mail(1), mail("poison"), mail(3))
        poison = b"<poison@example.com>"
        async with Hanging(desk.person.server.imap, poison) as proxy, watching(desk.watch(port=proxy.port)):
            await desk.until(lambda: desk.has(2))
            await desk.until(lambda: desk.phase(Phase.RECOVERED, Phase.IDLE))
            at = await desk.standing()
        assert await desk.ids() == ["1", "3"]
        assert at.missing == 1
        assert complaint(at, datetime.now(UTC), 1.0) == "1 mails on the server are not here"
        await desk.watch().once()

        assert await desk.ids() == ["1", "3", "poison"]
        assert (await desk.standing()).missing == 0

    async def test_expunged_meanwhile(self, desk: Desk) -> None:
        """A mail that goes away while we fetch is no gap."""
        await desk.watch().once()
        desk.person.deliver(*(mail(number) for number in range(6)))
        with desk.person.client() as client:
            client.select_folder("INBOX")
            client.delete_messages([2, 5])
            client.expunge()
        await desk.watch(most=2).once()

        assert await desk.ids() == ["0", "2", "3", "5"]
        assert (await desk.standing()).missing == 0

    def test_nobody_watches(self) -> None:
        """A mailbox that nobody has looked into for several looks is complained about, one that is being filled is not."""
        then = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
        at = Standing(name="x", account="x", floor=then, complete_at=then, changed_at=then, phase=Phase.IDLE)
        assert complaint(at, then + timedelta(seconds=500), 120) == ""
        assert "nobody" in complaint(at, then + timedelta(seconds=700), 120)
        assert complaint(replace(at, phase=Phase.FETCHING), then + timedelta(seconds=700), 120) == ""


class TestCommand:
    """`triage watch` as a process."""

    @pytest.fixture
    def env(self, person: Person, tmp_path: Path) -> dict[str, str]:
        """Settings of the process."""
        ours = {
            "IMAP_HOST": "127.0.0.1",
            "IMAP_PORT": str(person.server.imap),
            "IMAP_TLS": "none",
            "IMAP_USER": person.name,
            "IMAP_PASSWORD": PASSWORD,
            "IMAP_POLL_SECONDS": "2",
            "DATABASE_URL": f"sqlite:///{tmp_path}/triage.db",
            "TRIAGE_CONFIG": str(tmp_path / "triage.yaml"),
        }
        return {"PATH": os.environ["PATH"], **ours}

    def run(self, env: dict[str, str], *args: str) -> "subprocess.CompletedProcess[str]":
        """To its end."""
        command = [sys.executable, "-m", "triage", "watch", *args]
        return subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)

    async def test_once_and_status(self, env: dict[str, str], person: Person) -> None:
        """Once fetches and ends; the status tells people and machines, with an exit code for a supervisor."""
        before = self.run(env, "--status")
        assert (before.returncode, "never seen" in before.stdout) == (1, True)
        assert self.run(env, "--once").returncode == 0
        person.deliver(mail(1))
        told = self.run(env, "--once")
        assert (told.returncode, told.stderr.count(PASSWORD)) == (0, 0)
        status = self.run(env, "--status", "--json")

        assert status.returncode == 0
        (mailbox,) = json.loads(status.stdout)["mailboxes"]
        assert (mailbox["name"], mailbox["phase"], mailbox["uid"]) == (person.name, "idle", 1)
        assert self.run(env | {"IMAP_PASSWORD": "wrong"}, "--once").returncode == 3

    async def test_several(self, env: dict[str, str], person: Person, tmp_path: Path) -> None:
        """Mailboxes and folders of triage.yaml are watched beside that of the environment, each under its name."""
        other = person.server.user()
        (tmp_path / "secret").write_text(PASSWORD + "\n")
        (tmp_path / "triage.yaml").write_text(
            f"mailboxes:\n"
            f"  - {{name: ops, host: 127.0.0.1, port: {person.server.imap}, tls: none, user: {other.name},\n"
            f"     password_file: {tmp_path}/secret, folders: [INBOX, Drafts], after: seen}}\n"
        )
        with other.client() as client:
            client.create_folder("Drafts")
        assert self.run(env, "--once").returncode == 0
        person.deliver(mail(1))
        other.deliver(mail(2))
        with other.client() as client:
            client.append("Drafts", mail(3))
        assert self.run(env, "--once").returncode == 0
        store = await open_store(env["DATABASE_URL"], SystemClock())
        sources = [(await store.report(line.id)).case.source for line in await store.cases()]
        await store.close()

        assert sorted(sources) == sorted([f"imap:{person.name}", "imap:ops", "imap:ops/Drafts"])
        assert other.flags() == [{rb"\Seen"}]
        assert person.flags() == [set()]

    async def test_mistakes_are_told_at_once(self, env: dict[str, str], tmp_path: Path) -> None:
        """Every mistake in the file is named with its place."""
        (tmp_path / "triage.yaml").write_text(
            "mailboxes:\n"
            "  - {name: a, host: imap.example.com, user: a, tls: none, password_file: x}\n"
            "  - {name: a, host: imap.example.com, user: a}\n"
            "  - {name: b, host: h, user: a, password_file: x, after: delete, fodlers: [x]}\n"
        )
        told = self.run(env, "--once")

        assert told.returncode == 2
        for place in ("mailboxes[0]: `tls: none`", "mailboxes[1]: give `password_file`", "mailboxes[2].after",
                      "mailboxes[2].fodlers: unknown key; known are after, folders"):  # fmt: skip
            assert place in told.stderr

    @pytest.mark.parametrize("landmark", ["imap.fetched", "raw.written", "row.inserted", "intake.committed",
                                          "intake.rung", "imap.cursor_saved", "imap.flagged"])  # fmt: skip
    async def test_killed_at(self, env: dict[str, str], desk: Desk, person: Person, landmark: str) -> None:
        """Killed at a named point it takes up where it was: each mail is one case."""
        await desk.watch(name=person.name).once()
        person.deliver(*(mail(number) for number in range(3)))

        assert self.run(env | {"TRIAGE_CRASH_AT": landmark}, "--once").returncode == -9
        await desk.watch(name=person.name).once()
        assert sorted(await desk.ids()) == ["0", "1", "2"]

    async def test_killed_again_and_again(self, env: dict[str, str], desk: Desk, person: Person) -> None:
        """Killed at random while mail comes in, nothing is lost and each mail is one case."""
        await desk.watch(name=person.name).once()
        dice, sent = random.Random(3), 0
        for _ in range(6):
            process = subprocess.Popen(
                [sys.executable, "-m", "triage", "watch"], env=env, cwd=ROOT, stderr=subprocess.DEVNULL
            )
            end = time.monotonic() + dice.uniform(0.8, 2.2)
            while time.monotonic() < end:
                await asyncio.to_thread(person.deliver, *(mail(sent + n) for n in range(5)))
                sent += 5
                await asyncio.sleep(0.05)
            process.kill()
            process.wait()
        await desk.watch(name=person.name).once()
        accepted = await desk.ids()

        assert len(accepted) == sent
        assert set(accepted) == {str(number) for number in range(sent)}

    async def test_inside_serve(self, env: dict[str, str], desk: Desk, person: Person) -> None:
        """`triage serve` watches too; that Jira is away keeps no mail out, and the doctor finds the mailbox open."""
        await desk.watch(name=person.name).once()
        person.deliver(mail(1))
        jira = {"JIRA_BASE_URL": "http://127.0.0.1:9", "JIRA_PROJECT_KEY": "OPS", "JIRA_TOKEN": "none"}
        command = [sys.executable, "-m", "triage", "serve"]
        process = subprocess.Popen(command, env=env | jira | {"PORT": "0"}, cwd=ROOT, stderr=subprocess.DEVNULL)
        try:
            await desk.until(partial(desk.has, 1))
        finally:
            process.terminate()
            process.wait(30)
        doctor = [sys.executable, "-m", "triage", "doctor"]
        told = subprocess.run(doctor, env=env, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)

        assert await desk.ids() == ["1"]
        assert f"mailbox {person.name}: opens" in told.stdout

    async def test_sigterm(self, env: dict[str, str], person: Person) -> None:
        """Told to stop it stops, with exit code 0, also while it listens."""
        process = subprocess.Popen([sys.executable, "-m", "triage", "watch"], env=env, cwd=ROOT)
        store = await open_store(env["DATABASE_URL"], SystemClock())
        async with asyncio.timeout(20):
            while not await store.mailboxes.standings():
                await asyncio.sleep(0.05)
        await store.close()
        await asyncio.sleep(0.3)
        began = time.monotonic()
        process.terminate()

        assert process.wait(20) == 0
        assert time.monotonic() - began < 5


class Hanging:
    """A proxy that hangs up where the server is about to say certain words."""

    def __init__(self, target: int, words: bytes) -> None:
        self._target = target
        self._words = words
        self.port = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        self._tasks: set[asyncio.Task[None]] = set()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._tasks.add(asyncio.create_task(self._serve(reader, writer)))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self._target)

        async def ask() -> None:
            while piece := await reader.read(65536):
                up_writer.write(piece)
            up_writer.close()

        asking = asyncio.create_task(ask())
        while (piece := await up_reader.read(65536)) and self._words not in piece:
            writer.write(piece)
        writer.transport.abort()
        up_writer.transport.abort()
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)

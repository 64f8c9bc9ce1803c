"""A watched mailbox whose network, server or store breaks: nothing lost, nothing twice."""

import asyncio
import contextlib
import random
import re
import sqlite3
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from integrations.sql.database.sqlite import SqliteThreads
from integrations.sql.store import open_store
from integrations.system_clock import SystemClock
from tests.e2e.mailbox.mailbox_desk import Desk, Hanging, watching
from tests.servers.dovecot import mail
from tests.servers.proxy import FaultProxy, Filter
from triage.domain.errors import StoreDown
from triage.domain.mailboxes import Phase, SyncCursor
from triage.services.mailbox_watch import problem_of


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
        assert (await desk.cursor()).uid == 30

    async def test_stalled_and_recovered(self, desk: Desk) -> None:
        """A server that is away shows as stalled with the reason, then as recovered, then as idle."""
        async with FaultProxy(desk.person.server.imap) as proxy, watching(desk.watch(port=proxy.port)):
            await desk.until(lambda: desk.phase(Phase.IDLE))
            proxy.cut_after = 5
            proxy.hang_up()
            await desk.until(lambda: desk.phase(Phase.STALLED))
            stalled = await desk.cursor()
            desk.person.deliver(mail(1))
            proxy.cut_after = None
            await desk.until(lambda: desk.phase(Phase.RECOVERED))
            await desk.until(lambda: desk.phase(Phase.IDLE))

        assert "closed" in stalled.trouble
        assert problem_of(stalled, datetime.now(UTC), 1.0) == stalled.trouble
        assert (await desk.cursor()).trouble == ""
        assert await desk.ids() == ["1"]

    async def test_black_hole(self, desk: Desk) -> None:
        """A connection that dies in silence while we listen is noticed at the next look, and replaced."""
        async with FaultProxy(desk.person.server.imap) as proxy, watching(desk.watch(port=proxy.port, silence=3.0)):
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
        assert "user" in (await desk.cursor()).trouble
        await desk.watch().once()

        assert (await desk.cursor()).phase is Phase.RECOVERED

    async def test_store_down(self, desk: Desk) -> None:
        """While the store takes nothing the cursor stays, and then everything comes, once."""
        await desk.watch().once()
        desk.person.deliver(*(mail(number) for number in range(5)))
        desk.failing += [StoreDown("database or disk is full")] * 12
        with pytest.raises(StoreDown):
            await desk.watch().once()
        assert (await desk.cursor()).uid == 0
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

        database = desk.store.inbox._database
        full = [True]

        def limit(connection: object, _record: object, _proxy: object) -> None:
            pages = connection.execute("PRAGMA page_count").fetchone()[0]  # type: ignore[attr-defined]  # a driver's
            connection.execute(f"PRAGMA max_page_count={pages if full[0] else 1_000_000}")  # type: ignore[attr-defined]  # same

        way = database._way
        assert isinstance(way, SqliteThreads)
        event.listen(way.engine, "checkout", limit)
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
        at = await desk.cursor()
        desk.person.deliver(mail("skipped"))
        await desk.store.mailboxes.keep(replace(at, uid=3))
        await desk.watch().once()

        assert await desk.ids() == ["1", "2", "skipped"]
        assert (await desk.cursor()).missing == 0

    async def test_poisoned_fetch(self, desk: Desk) -> None:
        """A mail at which the server always hangs up does not hold up the others; it is counted as missing."""
        await desk.watch().once()
        desk.person.deliver(mail(1), mail("poison"), mail(3))
        poison = b"<poison@example.com>"
        async with Hanging(desk.person.server.imap, poison) as proxy, watching(desk.watch(port=proxy.port)):
            await desk.until(lambda: desk.has(2))
            await desk.until(lambda: desk.phase(Phase.RECOVERED, Phase.IDLE))
            at = await desk.cursor()
        assert await desk.ids() == ["1", "3"]
        assert at.missing == 1
        assert problem_of(at, datetime.now(UTC), 1.0) == "1 mail on the server is not here"
        await desk.watch().once()

        assert await desk.ids() == ["1", "3", "poison"]
        assert (await desk.cursor()).missing == 0

    async def test_expunge_race(self, desk: Desk) -> None:
        """Mails that others remove just as we ask for them are gone; none of the rest is missed or taken twice."""
        await desk.watch().once()
        desk.person.deliver(*(mail(number) for number in range(30)))
        removed: list[int] = []

        def remove(*uids: int) -> None:
            with desk.person.client() as client:
                client.select_folder("INBOX")
                client.delete_messages(uids)
                client.uid_expunge(uids)
            removed.extend(uids)

        async def first(said: bytes) -> None:
            for asked in re.findall(rb"UID FETCH (\d+)[\d:,]* \(?BODY.PEEK", said):
                await asyncio.to_thread(remove, int(asked), int(asked) + 1)

        async with Filter(desk.person.server.imap, {}, before=first) as proxy:
            await desk.watch(port=proxy.port, most=5).once()
        at = await desk.cursor()

        assert len(removed) == 12
        assert await desk.ids() == [str(uid - 1) for uid in range(1, 31) if uid not in removed]
        assert (at.uid, at.missing) == (30, 0)

    async def test_nearly_full(self, desk: Desk) -> None:
        """Below MIN_FREE_BYTES mail waits on its server, the reason shows, and with room it comes by itself."""
        await desk.watch().once()
        desk.store.inbox._min_free = 1 << 62
        desk.person.deliver(mail(1), mail(2))
        async with watching(desk.watch()):
            await desk.until(lambda: desk.phase(Phase.STALLED))
            stalled = await desk.cursor()
            desk.store.inbox._min_free = 0
            await desk.until(lambda: desk.has(2))
            await desk.until(lambda: desk.phase(Phase.RECOVERED, Phase.IDLE))

        assert "MIN_FREE_BYTES" in problem_of(stalled, datetime.now(UTC), 1.0)
        assert (stalled.uid, await desk.ids()) == (0, ["1", "2"])

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
        assert (await desk.cursor()).missing == 0

    def test_nobody_watches(self) -> None:
        """A mailbox that nobody has looked into for several looks is complained about, one that is being filled is not."""
        then = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
        at = SyncCursor(name="x", account="x", floor=then, complete_at=then, changed_at=then, phase=Phase.IDLE)
        assert problem_of(at, then + timedelta(seconds=500), 120) == ""
        assert "nobody" in problem_of(at, then + timedelta(seconds=700), 120)
        assert problem_of(replace(at, phase=Phase.FETCHING), then + timedelta(seconds=700), 120) == ""

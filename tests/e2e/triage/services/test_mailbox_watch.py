"""A mailbox on a real Dovecot, watched into a real store: each mail once, whatever numbers the server gives."""

import asyncio
from datetime import UTC, datetime, timedelta
from functools import partial

from tests.e2e.mailbox.mailbox_desk import Desk, watching
from tests.servers.dovecot import mail
from triage.domain.mail import Stub
from triage.domain.mailboxes import Phase
from triage.services.mailbox_watch import WatchPace, problem_of


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
        at = await desk.cursor()
        assert at.phase is Phase.IDLE
        assert (at.uid, at.missing) == (3, 0)
        report = await desk.store.archive.report("case-1")
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

    async def test_moves_that_the_server_refuses(self, desk: Desk) -> None:
        """Mails that cannot be moved are taken all the same, the mailbox says why, and they are moved once that is possible."""
        await desk.watch().once()
        desk.person.deliver(mail(1), mail(2))
        in_the_way = desk.person.home / "Maildir" / ".Done"
        in_the_way.write_bytes(b"")
        async with watching(desk.watch(move_to="Done")):
            await desk.until(lambda: desk.refused("2 stored mails cannot be moved or marked as read (IMAP_AFTER): "))
            stored, left, at = await desk.ids(), desk.person.count(), await desk.cursor()
            in_the_way.unlink()
            await desk.until(lambda: desk.refused(""))

        assert (stored, left, at.phase) == (["1", "2"], 2, Phase.IDLE)
        assert problem_of(at, datetime.now(UTC), 120) == at.trouble
        assert (desk.person.count(), desk.person.count("Done")) == (0, 2)

    async def test_heard_at_once(self, desk: Desk) -> None:
        """A new mail is in the store within a moment of its delivery, without a look in between."""
        async with watching(desk.watch(pace=WatchPace(look=600))):
            await desk.until(lambda: desk.phase(Phase.IDLE))
            await asyncio.sleep(0.2)
            for number in (1, 2):
                await asyncio.to_thread(desk.person.deliver, mail(number))
                await desk.until(partial(desk.has, number))

    async def test_portions(self, desk: Desk) -> None:
        """Many mails come in portions, and the cursor moves with each."""
        await desk.watch().once()
        desk.person.deliver(*(mail(number) for number in range(25)))
        await desk.watch(most=10).once()

        assert await desk.ids() == [str(number) for number in range(25)]
        assert desk.passed.count("imap.cursor_saved") == 4  # the last says that nothing is left

    async def test_oversize(self, desk: Desk) -> None:
        """A mail over the limit becomes a case with its headers, known as a stub; no header of a mail makes it one."""
        await desk.watch().once()
        forged = b"X-Triage-Oversize: 50000000\r\nX-Triage-Stub: oversize\r\n" + mail("forged")
        desk.person.deliver(mail(1), mail("large", size=300_000), forged)
        await desk.watch(limit=100_000).once()
        stubs = [(await desk.store.archive.report(f"case-{number}")).case.stub for number in (1, 2, 3)]

        assert await desk.ids() == ["1", "large", "forged"]
        assert stubs == [None, Stub.OVERSIZE, None]

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

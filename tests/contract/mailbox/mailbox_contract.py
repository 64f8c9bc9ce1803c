"""What every mailbox must do; a protocol joins with a folder and ways to bring mail into it."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

import pytest

from tests.conftest import PATIENCE
from triage.domain.errors import MailboxDown
from triage.domain.mailboxes import Fetched
from triage.domain.ports import Mailbox

AT_ONCE = PATIENCE / 2
"""Seconds that a busy machine may take for what comes at once: far less than a wait lasts."""


async def everything(mailbox: Mailbox) -> tuple[Fetched, ...]:
    """All mails of the folder."""
    return await mailbox.fetch(await mailbox.listed(await mailbox.uids()))


class MailboxContract:
    """Subclasses give `mailbox`, closed and empty, `deliver`, and `remove`, which takes mails out of the folder."""

    async def test_empty(self, mailbox: Mailbox) -> None:
        """An empty folder has no mails, and the next number is the first."""
        folder = await mailbox.open()

        assert folder.next_uid == 1
        assert folder.validity > 0
        assert await mailbox.uids() == ()
        assert await mailbox.listed([]) == ()
        assert await mailbox.fetch([]) == ()

    async def test_is_the_port(self, mailbox: Mailbox) -> None:
        """It is what the core asks for."""
        port: Mailbox = mailbox

        assert port.name
        assert port.account

    async def test_bytes_are_the_mails(
        self, mailbox: Mailbox, deliver: Callable[..., None], mails: Sequence[bytes]
    ) -> None:
        """What is fetched ends with the very bytes that were sent (a delivery puts lines in front), in order."""
        deliver(*mails)
        await mailbox.open()
        fetched = await everything(mailbox)

        assert len(fetched) == len(mails)
        assert [mail.uid for mail in fetched] == sorted({mail.uid for mail in fetched})
        assert all(got.raw.endswith(sent) for got, sent in zip(fetched, mails, strict=True))
        assert [mail.oversize for mail in fetched] == [None] * len(mails)

    async def test_time_of_arrival(
        self, mailbox: Mailbox, deliver: Callable[..., None], mails: Sequence[bytes]
    ) -> None:
        """Each mail has the time of its arrival, with a zone."""
        deliver(mails[0])
        await mailbox.open()
        (mail,) = await everything(mailbox)

        assert mail.at
        assert abs(datetime.now(UTC) - mail.at) < timedelta(minutes=2)

    async def test_above_the_cursor(
        self, mailbox: Mailbox, deliver: Callable[..., None], mails: Sequence[bytes]
    ) -> None:
        """Only numbers above the cursor come; beyond the last there is nothing, and the next number is named."""
        deliver(*mails)
        folder = await mailbox.open()
        uids = await mailbox.uids()

        assert await mailbox.uids(above=uids[0]) == uids[1:]
        assert await mailbox.uids(above=uids[-1]) == ()
        assert await mailbox.uids(above=uids[-1] + 1000) == ()
        assert folder.next_uid > uids[-1]

    async def test_since_a_day(self, mailbox: Mailbox, deliver: Callable[..., None], mails: Sequence[bytes]) -> None:
        """Mails of today are since yesterday and since an hour ago, and not since the day after tomorrow."""
        deliver(*mails)
        await mailbox.open()
        now = datetime.now(UTC)

        assert len(await mailbox.uids(since=now - timedelta(days=1))) == len(mails)
        assert len(await mailbox.uids(since=now - timedelta(hours=1))) == len(mails)
        assert await mailbox.uids(since=now + timedelta(days=3)) == ()

    async def test_gone_meanwhile(
        self,
        mailbox: Mailbox,
        deliver: Callable[..., None],
        mails: Sequence[bytes],
        remove: Callable[[Sequence[int]], None],
    ) -> None:
        """Mails that somebody removes between looking and fetching are left out, and harm no other."""
        deliver(*mails)
        await mailbox.open()
        listed = await mailbox.listed(await mailbox.uids())
        remove([listed[1].uid])
        fetched = await mailbox.fetch(listed)

        assert [mail.uid for mail in fetched] == [mail.uid for mail in listed if mail.uid != listed[1].uid]
        assert await mailbox.fetch([listed[1]]) == ()

    async def test_wait_hears(self, mailbox: Mailbox, deliver: Callable[..., None], mails: Sequence[bytes]) -> None:
        """A new mail ends the wait."""
        await mailbox.open()
        waiting = asyncio.create_task(mailbox.wait(PATIENCE))
        await asyncio.sleep(0.2)
        await asyncio.to_thread(deliver, mails[0])
        async with asyncio.timeout(AT_ONCE):
            await waiting

        assert len(await mailbox.uids()) == 1

    async def test_wait_ends(self, mailbox: Mailbox) -> None:
        """Where nothing comes the wait ends by itself, and the connection is still of use."""
        await mailbox.open()
        async with asyncio.timeout(AT_ONCE):
            await mailbox.wait(0.1)
            await mailbox.wait(0.1)

        assert await mailbox.uids() == ()

    async def test_no_mail_is_missed_between_look_and_wait(
        self, mailbox: Mailbox, deliver: Callable[..., None], mails: Sequence[bytes]
    ) -> None:
        """A mail that came after the last look and before the wait ends it too."""
        await mailbox.open()
        assert await mailbox.uids() == ()
        deliver(mails[0])
        async with asyncio.timeout(AT_ONCE):
            await mailbox.wait(PATIENCE)

        assert len(await mailbox.uids()) == 1

    async def test_no_mail_is_missed_while_others_are_fetched(
        self, mailbox: Mailbox, deliver: Callable[..., None], mails: Sequence[bytes]
    ) -> None:
        """A mail that came while others were fetched ends the wait, although the server will not speak of it again."""
        deliver(mails[0])
        await mailbox.open()
        uids = await mailbox.uids()
        await asyncio.to_thread(deliver, mails[1])
        await mailbox.fetch(await mailbox.listed(uids))
        async with asyncio.timeout(AT_ONCE):
            await mailbox.wait(PATIENCE)

        assert len(await mailbox.uids(above=uids[-1])) == 1

    async def test_interrupted(self, mailbox: Mailbox) -> None:
        """A wait can be cancelled at once, and the mailbox be opened again."""
        await mailbox.open()
        waiting = asyncio.create_task(mailbox.wait(PATIENCE))
        await asyncio.sleep(0.1)
        waiting.cancel()
        async with asyncio.timeout(AT_ONCE):
            await asyncio.gather(waiting, return_exceptions=True)
            await mailbox.close()
        await mailbox.open()

        assert waiting.cancelled()
        assert await mailbox.uids() == ()

    async def test_closed(self, mailbox: Mailbox) -> None:
        """Closed it says so; closing again is no error, and opening it again is possible."""
        with pytest.raises(MailboxDown):
            await mailbox.uids()
        folder = await mailbox.open()
        await mailbox.close()
        await mailbox.close()
        with pytest.raises(MailboxDown):
            await mailbox.uids()

        assert await mailbox.open() == folder

    async def test_numbers_stay(self, mailbox: Mailbox, deliver: Callable[..., None], mails: Sequence[bytes]) -> None:
        """The same mail has the same number and bytes at the next connection."""
        deliver(*mails)
        first = await mailbox.open()
        before = await everything(mailbox)
        await mailbox.close()

        assert (await mailbox.open()).validity == first.validity
        assert await everything(mailbox) == before

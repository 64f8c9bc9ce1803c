"""Mailboxes whose server gives its mails new numbers."""

import asyncio
from collections import Counter

import pytest

from tests.e2e.mailbox.mailbox_desk import Desk, watching
from tests.servers.dovecot import mail
from triage.domain.errors import MailboxDenied
from triage.domain.mailboxes import Phase


class TestNumbersChange:
    """The server forgets its UIDs."""

    async def test_rescan(self, desk: Desk) -> None:
        """With a new UIDVALIDITY what came meanwhile is taken, what is here already is not taken twice."""
        await desk.watch().once()
        desk.person.deliver(*(mail(number) for number in range(5)))
        await desk.watch().once()
        before = await desk.cursor()
        desk.person.deliver(mail("meanwhile"))
        desk.person.forget_numbers()
        desk.person.deliver(mail("after"))
        await desk.watch().once()
        await desk.watch().once()

        at = await desk.cursor()
        assert at.validity != before.validity
        assert Counter(await desk.ids()) == Counter(["0", "1", "2", "3", "4", "meanwhile", "after"])
        assert (at.backfill, at.missing) == (None, 0)

    async def test_stub_under_another_number(self, desk: Desk) -> None:
        """A mail of which we have a stub is known again when its own number has changed, too."""
        await desk.watch().once()
        desk.person.deliver(mail(1), mail("large", size=300_000))
        await desk.watch(limit=100_000).once()
        with desk.person.client() as client:
            client.select_folder("INBOX")
            client.delete_messages([1])
            client.expunge()
        desk.person.forget_numbers()
        await desk.watch(limit=100_000).once()

        assert await desk.ids() == ["1", "large"]
        assert (await desk.cursor()).uid == 1

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

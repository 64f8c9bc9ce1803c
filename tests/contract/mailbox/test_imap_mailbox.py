"""The mailbox over IMAP: the contract on a real Dovecot, and what becomes of mails that were accepted."""

import re
from collections.abc import Callable, Sequence

import pytest

from integrations.imap.mailbox import ImapMailbox
from tests.contract.mailbox.mailbox_contract import MailboxContract, everything
from tests.servers.dovecot import Person, mail
from tests.servers.proxy import Filter

MEBIBYTE = 2**20


class TestImapMailbox(MailboxContract):
    """On Dovecot."""

    @pytest.fixture
    def mailbox(self, at: Callable[..., ImapMailbox]) -> ImapMailbox:
        """Closed and empty."""
        return at()

    @pytest.fixture
    def mails(self) -> Sequence[bytes]:
        """Small ones, and one over the size up to which mails come in one answer."""
        return [mail(1), mail(2, size=2 * MEBIBYTE + 123), mail(3), mail(4)]

    @pytest.fixture
    def deliver(self, person: Person) -> Callable[..., None]:
        """By LMTP."""
        return person.deliver

    @pytest.fixture
    def remove(self, person: Person) -> Callable[[Sequence[int]], None]:
        """By another mail program."""

        def expunge(uids: Sequence[int]) -> None:
            with person.client() as client:
                client.select_folder("INBOX")
                client.delete_messages(uids)
                client.expunge()

        return expunge


class TestManners:
    """What we say to a server."""

    async def test_only_numbers_that_last(self, at: Callable[..., ImapMailbox], person: Person) -> None:
        """Mails are named by UID alone, their sizes are asked for before their bytes, and reading leaves no mark."""
        person.deliver(mail(1), mail(2, size=2 * MEBIBYTE), mail(3))
        async with Filter(person.server.imap, {}) as f:
            mailbox = at(port=f.port, seen=True, move_to="Done")
            await mailbox.open()
            fetched = await everything(mailbox)
            await mailbox.settle([one.uid for one in fetched])
            await mailbox.close()
        said = [line.split(b" ", 1)[1] for line in bytes(f.heard).split(b"\r\n") if b" " in line]
        about_mails = [line for line in said if re.search(rb"\b(FETCH|STORE|SEARCH|COPY|MOVE|EXPUNGE)\b", line)]
        asked_for = [b"RFC822.SIZE" in line for line in about_mails if b"FETCH" in line]

        assert len(fetched) == 3
        assert [line for line in about_mails if not line.startswith(b"UID ")] == []
        assert [line for line in said if b"BODY[" in line] == []
        assert asked_for == [True] + [False] * (len(asked_for) - 1)
        assert any(b"BODY.PEEK[]" in line for line in about_mails)


class TestTidyingUp:
    """What becomes of mails that were accepted."""

    async def test_nothing_is_marked(self, at: Callable[..., ImapMailbox], person: Person) -> None:
        """Fetching changes no flag, and a mail that somebody has read before comes like any other."""
        person.deliver(mail(1), mail(2))
        with person.client() as client:
            client.select_folder("INBOX")
            client.add_flags([1], [rb"\Seen"])
        mailbox = at()
        await mailbox.open()

        assert [m.uid for m in await everything(mailbox)] == [1, 2]
        await mailbox.settle([1, 2])
        assert person.flags() == [{rb"\Seen"}, set()]

    async def test_seen(self, at: Callable[..., ImapMailbox], person: Person) -> None:
        """What was accepted is marked as read where that is asked for."""
        person.deliver(mail(1), mail(2))
        mailbox = at(seen=True)
        await mailbox.open()
        for _ in range(2):
            await mailbox.settle([2])

        await mailbox.settle([1], again=True)

        assert person.flags() == [set(), {rb"\Seen"}]

    @pytest.mark.parametrize("without", ["", "MOVE", "MOVE UIDPLUS"])
    async def test_move(self, at: Callable[..., ImapMailbox], person: Person, without: str) -> None:
        """What was accepted goes to a folder, which is made; also where the server cannot move."""
        person.deliver(mail(1), mail(2))
        async with Filter(person.server.imap, {f" {word}": b" X-NO" for word in without.split()}) as f:
            mailbox = at(port=f.port, move_to="Done/Bäckup")
            await mailbox.open()
            await mailbox.settle([1])
            await mailbox.settle([1], again=True)
            await mailbox.close()

        assert person.count("Done/Bäckup") == 1
        assert person.count() == (2 if "UIDPLUS" in without else 1)

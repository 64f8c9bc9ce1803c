"""A mailbox over IMAP whose server lies, hangs, drips or goes away."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

import psutil  # type: ignore[import-untyped]  # it has no types
import pytest

from integrations.imap.mailbox import ImapMailbox
from tests.conftest import PATIENCE
from tests.contract.mailbox.mailbox_contract import AT_ONCE, everything
from tests.servers.dovecot import Person, mail
from tests.servers.proxy import FaultProxy, Filter
from triage.domain.errors import MailboxDown
from triage.domain.mailboxes import Listed

MEBIBYTE = 2**20
TIMES = 20
"""Bytes by which one and the same answer of Dovecot's may differ: it tells how long it took."""


@asynccontextmanager
async def lying(word: bytes, lie: Callable[[asyncio.StreamWriter], Awaitable[None]]) -> AsyncIterator[int]:
    """The port of a server that is in order until it hears a word; one mail is there."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] ready\r\n")
        with contextlib.suppress(OSError):
            while line := await reader.readline():
                tag = line.split()[0]
                if word in line:
                    await lie(writer)
                elif b"AUTHENTICATE" in line:
                    writer.write(b"+ \r\n")
                    await reader.readline()
                    writer.write(tag + b" OK in\r\n")
                elif b"EXAMINE" in line:
                    writer.write(
                        b"* 1 EXISTS\r\n* OK [UIDVALIDITY 1] x\r\n* OK [UIDNEXT 2] x\r\n" + tag + b" OK done\r\n"
                    )
                else:
                    writer.write(b"* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\n" + tag + b" OK done\r\n")
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1]


def lose_patience(mailbox: ImapMailbox) -> None:
    """From now on a third of a second without a byte is too long."""
    assert mailbox._session
    mailbox._session._the_wire._silence = 0.3


class TestSizes:
    """Mails larger than they should be."""

    async def test_oversize_is_a_stub(self, at: Callable[..., ImapMailbox], person: Person) -> None:
        """A mail over the limit comes as its headers and a sentence, with its size."""
        mailbox = at(limit=100_000)
        person.deliver(mail(1), mail("large", size=150_000), mail(3))
        await mailbox.open()
        fetched = await everything(mailbox)

        assert [bool(m.oversize) for m in fetched] == [False, True, False]
        large = fetched[1]
        assert large.oversize
        assert large.oversize > 150_000
        assert b"Subject: Mail large\r\n" in large.raw
        assert b"Message-ID: <large@example.com>\r\n" in large.raw
        assert b"This mail has %d bytes" % large.oversize in large.raw
        assert b"The rest is long" not in large.raw
        assert len(large.raw) < 5_000

    async def test_lied_about(self, at: Callable[..., ImapMailbox], person: Person) -> None:
        """A server that calls a large mail small cannot fill our memory; asked for alone the mail comes as a stub."""
        mailbox = at(limit=3 * MEBIBYTE)
        person.deliver(mail(1), mail("large", size=8 * MEBIBYTE))
        await mailbox.open()
        lied = [Listed(uid=mail.uid, size=100, at=mail.at) for mail in await mailbox.listed(await mailbox.uids())]
        with pytest.raises(MailboxDown, match="more than it may"):
            await mailbox.fetch(lied)
        await mailbox.close()
        await mailbox.open()

        assert [(await mailbox.fetch([one]))[0].oversize is not None for one in lied] == [False, True]

    async def test_guessed_too_high(self, at: Callable[..., ImapMailbox], person: Person) -> None:
        """A server that calls a mail larger than it is hands over all of it."""
        mailbox = at()
        person.deliver(mail(1, size=1000))
        await mailbox.open()
        (honest,) = await mailbox.listed(await mailbox.uids())
        (whole,) = await mailbox.fetch([honest])

        assert await mailbox.fetch([replace(honest, size=5 * MEBIBYTE)]) == (whole,)

    @pytest.mark.parametrize("size", [MEBIBYTE - 1, MEBIBYTE, MEBIBYTE + 1, 2 * MEBIBYTE])
    async def test_edges_of_pieces(self, at: Callable[..., ImapMailbox], person: Person, size: int) -> None:
        """A mail that ends where a piece ends is whole."""
        with person.client() as client:
            client.append("INBOX", b"Subject: x\r\n\r\n" + b"a" * (size - 14))
        mailbox = at()
        await mailbox.open()
        (fetched,) = await everything(mailbox)

        assert len(fetched.raw) == size

    async def test_announced_without_end(self, at: Callable[..., ImapMailbox]) -> None:
        """A literal of a terabyte is refused before a byte of it is stored."""

        async def announce(writer: asyncio.StreamWriter) -> None:
            writer.write(b"* 1 FETCH (UID 1 BODY[]<0> {1000000000000}\r\n")

        async with lying(b"FETCH", announce) as port:
            mailbox = at(port=port)
            await mailbox.open()
            with pytest.raises(MailboxDown, match="more than it may"):
                await mailbox.fetch([Listed(uid=1, size=100, at=None)])
            await mailbox.close()

    async def test_flood_of_answers(self, at: Callable[..., ImapMailbox]) -> None:
        """A server that never ends its answer is left, and has not filled our memory by then."""

        async def flood(writer: asyncio.StreamWriter) -> None:
            while not writer.is_closing():
                writer.write(b"* SEARCH" + b" 1" * 50_000 + b"\r\n")
                await writer.drain()

        async with lying(b"SEARCH", flood) as port:
            mailbox = at(port=port)
            await mailbox.open()
            before = psutil.Process().memory_info().rss
            with pytest.raises(MailboxDown, match="more than it may"):
                await mailbox.uids()
            grown = psutil.Process().memory_info().rss - before
            await mailbox.close()

        assert grown < 150_000_000  # 32 MB are allowed, and imaplib holds them as lines


class TestNetwork:
    """What happens to connections."""

    async def test_cut_anywhere(self, at: Callable[..., ImapMailbox], person: Person) -> None:
        """Cut after any number of bytes it says `MailboxDown`, and never hands over half a mail."""
        person.deliver(mail(1), mail(2, size=30_000), mail(3))
        async with FaultProxy(person.server.imap) as proxy:
            mailbox = at(port=proxy.port)
            await mailbox.open()
            whole = await everything(mailbox)
            await mailbox.close()
            total, cuts = proxy.passed, 0
            tenths = [total * tenth // 10 for tenth in range(1, 10)]
            for cut in (1, 10, 300, *tenths, total - 2500, total - 400, total - 150):
                proxy.cut_after = cut
                try:
                    await mailbox.open()
                    assert await everything(mailbox) == whole
                except MailboxDown:
                    cuts += 1
                await mailbox.close()

        assert cuts >= 13

    async def test_cut_within_a_fetch(self, at: Callable[..., ImapMailbox], person: Person) -> None:
        """Cut at any byte of the answer that brings the mails, from the first to its last line, it gives no mail at all."""
        person.deliver(mail(1), mail(2, size=30_000), mail(3))
        async with FaultProxy(person.server.imap) as proxy:
            mailbox = at(port=proxy.port)
            await mailbox.open()
            listed = await mailbox.listed(await mailbox.uids())
            before = proxy.passed
            whole = await mailbox.fetch(listed)
            answer = proxy.passed - before
            await mailbox.close()
            for cut in (1, *(answer * tenth // 10 for tenth in range(1, 10)), answer - TIMES):
                opened = proxy.passed
                await mailbox.open()
                await mailbox.listed(await mailbox.uids())
                proxy.cut_after = proxy.passed - opened + cut
                with pytest.raises(MailboxDown):
                    await mailbox.fetch(listed)
                proxy.cut_after = None
                await mailbox.close()
            await mailbox.open()

            assert await mailbox.fetch(listed) == whole
            await mailbox.close()

    async def test_black_hole(self, at: Callable[..., ImapMailbox], person: Person) -> None:
        """A server that goes silent in the middle is noticed."""
        async with FaultProxy(person.server.imap) as proxy:
            mailbox = at(port=proxy.port)
            await mailbox.open()
            proxy.black_hole = True
            lose_patience(mailbox)
            with pytest.raises(MailboxDown):
                await mailbox.uids()
            await mailbox.close()

    async def test_half_open_while_listening(self, at: Callable[..., ImapMailbox], person: Person) -> None:
        """A connection that died without a word while we listened is noticed at the end of the wait."""
        async with FaultProxy(person.server.imap) as proxy:
            mailbox = at(port=proxy.port)
            await mailbox.open()
            proxy.black_hole = True
            lose_patience(mailbox)
            with pytest.raises(MailboxDown):
                await mailbox.wait(0.2)

    async def test_hung_up_while_listening(self, at: Callable[..., ImapMailbox], person: Person) -> None:
        """A connection that is reset while we listen is noticed at once, and does not spin."""
        async with FaultProxy(person.server.imap) as proxy:
            mailbox = at(port=proxy.port)
            await mailbox.open()
            waiting = asyncio.create_task(mailbox.wait(PATIENCE))
            await asyncio.sleep(0.2)
            proxy.hang_up()
            async with asyncio.timeout(AT_ONCE):
                with pytest.raises(MailboxDown):
                    await waiting

    async def test_interrupted_fetch(self, at: Callable[..., ImapMailbox], person: Person) -> None:
        """A fetch that drips can be cancelled at once."""
        person.deliver(mail(1, size=500_000))
        async with FaultProxy(person.server.imap) as proxy:
            mailbox = at(port=proxy.port)
            await mailbox.open()
            listed = await mailbox.listed(await mailbox.uids())
            proxy.drip = 0.05
            fetching = asyncio.create_task(mailbox.fetch(listed))
            await asyncio.sleep(0.3)
            fetching.cancel()
            async with asyncio.timeout(AT_ONCE):
                await asyncio.gather(fetching, return_exceptions=True)
                await mailbox.close()

        assert fetching.cancelled()

    async def test_slow_drip(self, person: Person) -> None:
        """A server that sends a byte now and then, always in time, does not hold us for ever."""
        from integrations.imap.wire import ImapWire

        async with FaultProxy(person.server.imap) as proxy:
            wire = await asyncio.to_thread(ImapWire, "127.0.0.1", proxy.port, None, connect=PATIENCE, silence=PATIENCE)
            proxy.drip = 0.05
            wire.allow(10_000, 0.5)
            with pytest.raises(TimeoutError):
                await asyncio.to_thread(wire.capability)
            wire.shutdown()

    async def test_nobody_there(self, at: Callable[..., ImapMailbox]) -> None:
        """Where nobody listens it says so."""
        from tests.servers import free_port

        with pytest.raises(MailboxDown):
            await at(port=free_port()).open()
        with pytest.raises(MailboxDown):
            await at(host="mail.example.invalid").open()

    @pytest.mark.parametrize(
        "greeting",
        [
            b"HTTP/1.1 400 Bad Request\r\n\r\n",
            b"* BYE come later\r\n",
            b"* OK\r\n",
            b"\xff\xfe\r\n",
            b"",
            b"* OK x" * 50_000,
        ],
    )
    async def test_not_imap(self, at: Callable[..., ImapMailbox], greeting: bytes) -> None:
        """Whatever answers there, it ends in `MailboxDown`."""

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(greeting)
            writer.write_eof()
            await reader.read()
            writer.close()

        async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
            mailbox = at(port=server.sockets[0].getsockname()[1])
            with pytest.raises(MailboxDown):
                await mailbox.open()
            await mailbox.close()

    @pytest.mark.parametrize("code", ["[UNAVAILABLE]", "[INUSE]", "[LIMIT]"])
    async def test_server_in_trouble(self, at: Callable[..., ImapMailbox], person: Person, code: str) -> None:
        """A login that fails because the server has trouble of its own is tried again, not given to a person."""
        async with Filter(person.server.imap, {"OK Logged in": f"NO {code} Sorry".encode()}) as f:
            with pytest.raises(MailboxDown):
                await at(port=f.port).open()

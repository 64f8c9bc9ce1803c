"""The mailbox over IMAP: the contract on a real Dovecot, and what only a network and a login can suffer."""

import asyncio
import shlex
import ssl
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

import pytest

from integrations.imap.login import Login, Password, TokenCommand
from integrations.imap.mailbox import ImapMailbox
from integrations.imap.session import Account, Tls
from tests.contract.mailbox_contract import MailboxContract, everything
from tests.servers.dovecot import PASSWORD, Person, mail
from tests.servers.proxy import FaultProxy
from triage.domain.errors import MailboxDenied, MailboxDown
from triage.domain.mailboxes import Listed

MEBIBYTE = 2**20


def account_of(person: Person, **more: object) -> Account:
    """His mailbox, over a plain connection."""
    port = person.server.imap
    plain = Account(name="support", host="127.0.0.1", port=port, user=person.name, tls=Tls.NONE, silence=5.0)
    return replace(plain, **more)  # type: ignore[arg-type]  # tests name fields


@pytest.fixture
async def at(person: Person) -> AsyncIterator[Callable[..., ImapMailbox]]:
    """His mailbox with some things changed; closed in the end."""
    made: list[ImapMailbox] = []

    def make(login: Login | None = None, **more: object) -> ImapMailbox:
        made.append(ImapMailbox(account_of(person, **more), login or Password(PASSWORD)))
        return made[-1]

    yield make
    for mailbox in made:
        await mailbox.close()


@pytest.fixture
def trusting(person: Person) -> ssl.SSLContext:
    """Trusts our Dovecot alone."""
    return ssl.create_default_context(cafile=person.server.certificate)


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


class TestSecrecy:
    """Ways to connect."""

    async def test_tls(self, at: Callable[..., ImapMailbox], person: Person, trusting: ssl.SSLContext) -> None:
        """TLS from the first byte, also for large mails and for listening."""
        mailbox = at(tls=Tls.SSL, port=person.server.imaps, context=trusting)
        person.deliver(mail(1, size=3 * MEBIBYTE), mail(2))
        await mailbox.open()

        assert [len(m.raw) > 3 * MEBIBYTE for m in await everything(mailbox)] == [True, False]
        waiting = asyncio.create_task(mailbox.wait(60))
        await asyncio.sleep(0.2)
        await asyncio.to_thread(person.deliver, mail(3))
        async with asyncio.timeout(3):
            await waiting

    async def test_tls_interrupted(
        self, at: Callable[..., ImapMailbox], person: Person, trusting: ssl.SSLContext
    ) -> None:
        """Listening over TLS can be cancelled at once."""
        mailbox = at(tls=Tls.SSL, port=person.server.imaps, context=trusting)
        await mailbox.open()
        waiting = asyncio.create_task(mailbox.wait(60))
        await asyncio.sleep(0.1)
        waiting.cancel()
        async with asyncio.timeout(1):
            await asyncio.gather(waiting, return_exceptions=True)
            await mailbox.close()

        assert waiting.cancelled()

    async def test_starttls(self, at: Callable[..., ImapMailbox], person: Person, trusting: ssl.SSLContext) -> None:
        """TLS after a plain greeting."""
        mailbox = at(tls=Tls.STARTTLS, context=trusting)
        person.deliver(mail(1))
        await mailbox.open()

        assert len(await everything(mailbox)) == 1

    async def test_nothing_is_said_before_starttls(self, at: Callable[..., ImapMailbox], person: Person) -> None:
        """Through STARTTLS neither user nor password pass in clear."""
        heard = bytearray()

        async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"* OK [CAPABILITY IMAP4rev1 STARTTLS AUTH=PLAIN] ready\r\n")
            while line := await reader.readline():
                heard.extend(line)
                tag = line.split()[0]
                if b"STARTTLS" in line:
                    writer.write(tag + b" OK go on\r\n* OK said by somebody in between\r\n")
                else:
                    writer.write(b"* CAPABILITY IMAP4rev1 STARTTLS AUTH=PLAIN\r\n" + tag + b" OK done\r\n")
            writer.close()

        async with await asyncio.start_server(listen, "127.0.0.1", 0) as server:
            mailbox = at(tls=Tls.STARTTLS, port=server.sockets[0].getsockname()[1])
            with pytest.raises(MailboxDown):
                await mailbox.open()
            await mailbox.close()

        assert b"STARTTLS" in heard
        assert person.name.encode() not in heard

    async def test_a_stranger_is_not_trusted(self, at: Callable[..., ImapMailbox], person: Person) -> None:
        """A certificate that nobody signed asks for a person."""
        with pytest.raises(MailboxDenied, match="certificate"):
            await at(tls=Tls.SSL, port=person.server.imaps).open()
        with pytest.raises(MailboxDenied, match="certificate"):
            await at(tls=Tls.STARTTLS).open()


class TestLogin:
    """Passwords and tokens."""

    async def test_wrong_password(self, at: Callable[..., ImapMailbox]) -> None:
        """A wrong password asks for a person, and does not stand in the error."""
        with pytest.raises(MailboxDenied) as denied:
            await at(Password("not-the-right-one")).open()

        assert "not-the-right-one" not in str(denied.value)

    async def test_no_such_folder(self, at: Callable[..., ImapMailbox]) -> None:
        """A folder that is not there asks for a person."""
        with pytest.raises(MailboxDenied):
            await at(folder="Support").open()

    async def test_folder_with_a_name(self, at: Callable[..., ImapMailbox], person: Person) -> None:
        """A folder may be called as people call folders."""
        name = "Büro/Störungen & Fragen"
        with person.client() as client:
            client.create_folder(name)
            client.append(name, mail(1))
        mailbox = at(folder=name)
        await mailbox.open()

        assert len(await everything(mailbox)) == 1

    @pytest.mark.parametrize("mechanism", ["XOAUTH2", "OAUTHBEARER"])
    async def test_token(self, at: Callable[..., ImapMailbox], person: Person, mechanism: str) -> None:
        """A token from a command opens the mailbox, by whichever way the server offers."""
        login = TokenCommand("support", ["echo", person.server.token(person.name)])
        async with Filter(person.server.imap, {"XOAUTH2": b"X-NOTHING"} if mechanism == "OAUTHBEARER" else {}) as f:
            mailbox = at(login, port=f.port)
            person.deliver(mail(1))
            await mailbox.open()

            assert len(await everything(mailbox)) == 1
            assert f"AUTHENTICATE {mechanism}".encode() in f.heard
            await mailbox.close()

    async def test_token_is_kept_and_renewed(
        self, at: Callable[..., ImapMailbox], person: Person, tmp_path: Path
    ) -> None:
        """The command runs again only when the server refuses the token that it gave."""
        script = "import sys; print(sys.argv[1]); open(sys.argv[2], 'a').write('x')"
        token, runs = person.server.token(person.name), tmp_path / "runs"
        login = TokenCommand("support", [sys.executable, "-c", script, token, str(runs)])
        mailbox = at(login)
        for _ in range(2):
            await mailbox.open()
            await mailbox.close()
        assert runs.read_text() == "x"
        no = {"OK Logged in": b"NO [AUTHENTICATIONFAILED] expired"}
        async with Filter(person.server.imap, no, only_first=True) as f:
            mailbox = at(login, port=f.port)
            await mailbox.open()
            await mailbox.close()

        assert runs.read_text() == "xx"

    @pytest.mark.parametrize(
        ("command", "error"),
        [
            (["/no/such/command"], MailboxDenied),
            (["false"], MailboxDown),
            (["echo", ""], MailboxDenied),
            (["echo", "two words"], MailboxDenied),
            (["printf", "a\\001b"], MailboxDenied),
            (["echo", "a-token-that-is-wrong"], MailboxDenied),
            (["echo", "; echo $(whoami)"], MailboxDenied),
        ],
    )
    async def test_bad_token(
        self, at: Callable[..., ImapMailbox], command: Sequence[str], error: type[Exception]
    ) -> None:
        """A command that gives no token is told apart from one that fails for now; no shell reads it."""
        with pytest.raises(error) as told:
            await at(TokenCommand("support", command)).open()

        assert "a-token-that-is-wrong" not in str(told.value)

    def test_secrets_are_not_shown(self, person: Person) -> None:
        """Neither password nor token stand in a repr."""
        from integrations.imap.login import Secret

        assert "hidden" not in repr(Secret("hidden"))
        assert PASSWORD not in repr(account_of(person))
        assert shlex.quote(PASSWORD) not in repr(Password(PASSWORD))


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
        assert b"X-Triage-Oversize: %d\r\n" % large.oversize in large.raw
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

        async def lie(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] ready\r\n")
            while line := await reader.readline():
                tag = line.split()[0]
                if b"AUTHENTICATE" in line:
                    writer.write(b"+ \r\n")
                    await reader.readline()
                    writer.write(tag + b" OK in\r\n")
                elif b"EXAMINE" in line:
                    writer.write(
                        b"* 1 EXISTS\r\n* OK [UIDVALIDITY 1] x\r\n* OK [UIDNEXT 2] x\r\n" + tag + b" OK done\r\n"
                    )
                elif b"FETCH" in line:
                    writer.write(b"* 1 FETCH (UID 1 BODY[]<0> {1000000000000}\r\n")
                else:
                    writer.write(b"* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\n" + tag + b" OK done\r\n")
            writer.close()

        async with await asyncio.start_server(lie, "127.0.0.1", 0) as server:
            mailbox = at(port=server.sockets[0].getsockname()[1])
            await mailbox.open()
            with pytest.raises(MailboxDown, match="more than it may"):
                await mailbox.fetch([Listed(uid=1, size=100, at=None)])
            await mailbox.close()


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
            for cut in (1, 10, 300, total // 10, total // 4, total // 2, total - 2500, total - 400, total - 150):
                proxy.cut_after = cut
                try:
                    await mailbox.open()
                    assert await everything(mailbox) == whole
                except MailboxDown:
                    cuts += 1
                await mailbox.close()

        assert cuts >= 8

    async def test_black_hole(self, at: Callable[..., ImapMailbox], person: Person) -> None:
        """A server that goes silent in the middle is noticed."""
        async with FaultProxy(person.server.imap) as proxy:
            mailbox = at(port=proxy.port, silence=0.3)
            await mailbox.open()
            proxy.black_hole = True
            began = time.monotonic()
            with pytest.raises(MailboxDown):
                await mailbox.uids()
            await mailbox.close()

            assert time.monotonic() - began < 3

    async def test_half_open_while_listening(self, at: Callable[..., ImapMailbox], person: Person) -> None:
        """A connection that died without a word while we listened is noticed at the end of the wait."""
        async with FaultProxy(person.server.imap) as proxy:
            mailbox = at(port=proxy.port, silence=0.3)
            await mailbox.open()
            proxy.black_hole = True
            with pytest.raises(MailboxDown):
                await mailbox.wait(0.2)

    async def test_hung_up_while_listening(self, at: Callable[..., ImapMailbox], person: Person) -> None:
        """A connection that is reset while we listen is noticed at once, and does not spin."""
        async with FaultProxy(person.server.imap) as proxy:
            mailbox = at(port=proxy.port)
            await mailbox.open()
            waiting = asyncio.create_task(mailbox.wait(60))
            await asyncio.sleep(0.2)
            proxy.hang_up()
            async with asyncio.timeout(2):
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
            async with asyncio.timeout(2):
                await asyncio.gather(fetching, return_exceptions=True)
                await mailbox.close()

        assert fetching.cancelled()

    async def test_slow_drip(self, person: Person) -> None:
        """A server that sends a byte now and then, always in time, does not hold us for ever."""
        from integrations.imap.wire import Wire

        async with FaultProxy(person.server.imap) as proxy:
            wire = await asyncio.to_thread(Wire, "127.0.0.1", proxy.port, None, connect=5.0, silence=5.0)
            proxy.drip = 0.05
            wire.allow(10_000, 0.5)
            began = time.monotonic()
            with pytest.raises(TimeoutError):
                await asyncio.to_thread(wire.capability)
            wire.shutdown()

            assert time.monotonic() - began < 2

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

        assert person.flags() == [set(), {rb"\Seen"}]
        assert not mailbox.moves

    @pytest.mark.parametrize("without", ["", "MOVE", "MOVE UIDPLUS"])
    async def test_move(self, at: Callable[..., ImapMailbox], person: Person, without: str) -> None:
        """What was accepted goes to a folder, which is made; also where the server cannot move."""
        person.deliver(mail(1), mail(2))
        async with Filter(person.server.imap, {f" {word}": b" X-NO" for word in without.split()}) as f:
            mailbox = at(port=f.port, move_to="Done/Bäckup")
            await mailbox.open()
            await mailbox.settle([1])
            await mailbox.settle([1])
            await mailbox.close()

        assert mailbox.moves
        assert person.count("Done/Bäckup") == 1
        assert person.count() == (2 if "UIDPLUS" in without else 1)


class Filter:
    """Passes a connection on and replaces words in what the server says; remembers what the client said."""

    def __init__(self, target: int, words: dict[str, bytes], *, only_first: bool = False) -> None:
        self._target = target
        self._words = {word.encode(): other for word, other in words.items()}
        self._only_first = only_first
        self.heard = bytearray()
        self.port = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await asyncio.sleep(0)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self._target)
        words = self._words
        if self._only_first:
            self._words = {}

        async def ask() -> None:
            while piece := await reader.read(65536):
                self.heard.extend(piece)
                up_writer.write(piece)
            up_writer.close()

        asking = asyncio.create_task(ask())
        while piece := await up_reader.read(65536):
            for word, other in words.items():
                piece = piece.replace(word, other)
            writer.write(piece)
        writer.close()
        await asking

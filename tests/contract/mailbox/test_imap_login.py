"""How a mailbox over IMAP is opened: in secret, by password or token, and never with a stranger."""

import asyncio
import shlex
import ssl
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from integrations.imap.login import Password, TokenCommand
from integrations.imap.mailbox import ImapMailbox
from integrations.imap.session import Tls
from tests.conftest import PATIENCE
from tests.contract.mailbox.mailbox_contract import AT_ONCE, everything
from tests.servers import free_port
from tests.servers.dovecot import PASSWORD, Person, mail
from tests.servers.proxy import Filter
from triage.domain.errors import MailboxDenied, MailboxDown

MEBIBYTE = 2**20


class TestSecrecy:
    """Ways to connect."""

    async def test_tls(self, at: Callable[..., ImapMailbox], person: Person, trusting: ssl.SSLContext) -> None:
        """TLS from the first byte, also for large mails and for listening."""
        mailbox = at(tls=Tls.SSL, port=person.server.imaps, context=trusting)
        person.deliver(mail(1, size=3 * MEBIBYTE), mail(2))
        await mailbox.open()

        assert [len(m.raw) > 3 * MEBIBYTE for m in await everything(mailbox)] == [True, False]
        waiting = asyncio.create_task(mailbox.wait(PATIENCE))
        await asyncio.sleep(0.2)
        await asyncio.to_thread(person.deliver, mail(3))
        async with asyncio.timeout(AT_ONCE):
            await waiting

    async def test_tls_interrupted(
        self, at: Callable[..., ImapMailbox], person: Person, trusting: ssl.SSLContext
    ) -> None:
        """Listening over TLS can be cancelled at once."""
        mailbox = at(tls=Tls.SSL, port=person.server.imaps, context=trusting)
        await mailbox.open()
        waiting = asyncio.create_task(mailbox.wait(PATIENCE))
        await asyncio.sleep(0.1)
        waiting.cancel()
        async with asyncio.timeout(AT_ONCE):
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
        assert denied.value.cure == "check user and password, or the tokens"

    async def test_no_such_folder(self, at: Callable[..., ImapMailbox]) -> None:
        """A folder that is not there asks for a person, who is told which ones there are."""
        with pytest.raises(MailboxDenied) as denied:
            await at(folder="Support").open()

        assert denied.value.cure == "there are: INBOX"

    async def test_a_port_of_another_kind(self, at: Callable[..., ImapMailbox], person: Person) -> None:
        """TLS at a port that switches to it, and a port where nobody listens, are told with what to check."""
        for port, told in ((person.server.imap, "does not begin with TLS"), (free_port(), "Connection refused")):
            with pytest.raises(MailboxDown, match=told) as down:
                await at(tls=Tls.SSL, port=port).open()
            assert f":{port}): 993 begins with TLS" in down.value.cure

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

    async def test_secrets_are_not_shown(self, at: Callable[..., ImapMailbox]) -> None:
        """Neither password nor token stand in a repr."""
        from integrations.imap.login import Secret

        assert "hidden" not in repr(Secret("hidden"))
        assert PASSWORD not in repr(at()._account)
        assert shlex.quote(PASSWORD) not in repr(Password(PASSWORD))

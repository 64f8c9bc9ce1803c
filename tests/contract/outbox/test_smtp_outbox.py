"""Letters over a real mail server: in secret, once, and with an exact answer to whether one has left."""

import asyncio
import shlex
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from integrations.imap.login import Login, Password, TokenCommand
from integrations.imap.session import Tls
from integrations.smtp.outbox import SmtpOutbox, SmtpServer
from tests.contract.store.store_samples import Marks
from tests.servers import free_port
from tests.servers.mail.smtp import PASSWORD, USER, Certificate, MailServer, serve
from triage.domain.letters.errors import LetterRefused, LetterUnconfirmed, OutboxDenied, OutboxDown
from triage.domain.ports import Outbox

RAW = b"From: bot@harbour.example\r\nTo: ada@acme.example\r\nSubject: Hello\r\n\r\n.\r\n..two dots\r\nlast line\r\n"
ADA, BOB = "ada@acme.example", "bob@acme.example"
Make = Callable[..., SmtpOutbox]


@pytest.fixture
async def outbox(mail_server: MailServer) -> AsyncIterator[Make]:
    """Our adapter at the server, with some things changed; closed in the end."""
    made: list[SmtpOutbox] = []

    def make(login: Login | None = None, **more: object) -> SmtpOutbox:
        marks = more.pop("marks", Marks())
        server = SmtpServer(host="127.0.0.1", port=mail_server.port, tls=Tls.NONE, answer=5.0, last_answer=5.0)
        made.append(SmtpOutbox(replace(server, **more), login, marks))  # type: ignore[arg-type]  # tests name fields
        return made[-1]

    yield make
    for one in made:
        await one.close()


@pytest.fixture
def secure(mail_certificate: Certificate) -> Iterator[MailServer]:
    """A server that wants STARTTLS and a login."""
    yield from serve(mail_certificate.serving, login=True)


async def sent(outbox: Outbox, *to: str) -> dict[str, str]:
    """Who was refused."""
    return dict(await outbox.send(RAW, "bot@harbour.example", to or (ADA,)))


class TestTaken:
    """What is handed over."""

    async def test_the_mail_as_it_is(self, outbox: Make, mail_server: MailServer) -> None:
        """Every byte arrives, leading dots included, for exactly these recipients; the moments on the way are named."""
        marks = Marks()

        assert await sent(outbox(marks=marks), ADA, BOB) == {}
        [taken] = mail_server.accepted
        assert (taken.sender, taken.to, taken.raw) == ("bot@harbour.example", (ADA, BOB), RAW)
        assert marks.seen == ["smtp.envelope", "smtp.data_sent", "smtp.250"]

    async def test_one_connection(self, outbox: Make, mail_server: MailServer) -> None:
        """Letters in a row go over one connection; one that the server has closed meanwhile is opened anew."""
        one = outbox()
        counts = [mail_server.connections]
        for cut in (0, 0, 1):
            mail_server.cuts["mail"] = cut
            await sent(one)
            counts.append(mail_server.connections - counts[0])

        assert counts[1:] == [1, 1, 2]
        assert len(mail_server.accepted) == 3

    async def test_side_by_side(self, outbox: Make, mail_server: MailServer) -> None:
        """Two letters at the same time do not mix."""
        one = outbox()
        await asyncio.gather(*(sent(one, f"p{n}@acme.example") for n in range(5)))

        assert sorted(taken.to[0] for taken in mail_server.accepted) == [f"p{n}@acme.example" for n in range(5)]

    async def test_some_refused(self, outbox: Make, mail_server: MailServer) -> None:
        """Who is refused for good is named with the server's words; the others get it."""
        mail_server.answers[BOB] = ["550 5.1.1 no such user"]

        assert await sent(outbox(), ADA, BOB) == {BOB: "550 5.1.1 no such user"}
        assert [taken.to for taken in mail_server.accepted] == [(ADA,)]

    async def test_looked_at(self, outbox: Make) -> None:
        """The doctor logs in and sees what the server offers."""
        assert "size" in await outbox().check()


class TestSecrecy:
    """Ways to connect."""

    async def test_starttls_and_password(self, outbox: Make, secure: MailServer, mail_certificate: Certificate) -> None:
        """TLS after a plain greeting, then the login."""
        make = {"port": secure.port, "tls": Tls.STARTTLS, "context": mail_certificate.trusting, "user": USER}
        await sent(outbox(Password(PASSWORD), **make))

        assert len(secure.accepted) == 1
        with pytest.raises(OutboxDenied, match="535"):
            await sent(outbox(Password("wrong"), **make))
        with pytest.raises(OutboxDenied, match="530"):
            await sent(outbox(None, **make))

    async def test_tls_at_once(self, outbox: Make, mail_certificate: Certificate) -> None:
        """TLS from the first byte."""
        for server in serve(mail_certificate.serving, at_once=True):
            await sent(outbox(port=server.port, tls=Tls.SSL, context=mail_certificate.trusting))

            assert len(server.accepted) == 1

    async def test_stranger(self, outbox: Make, secure: MailServer) -> None:
        """A certificate that nobody vouches for gets neither password nor letter."""
        for tls in (Tls.STARTTLS,):
            with pytest.raises(OutboxDenied, match="certificate"):
                await sent(outbox(Password(PASSWORD), port=secure.port, tls=tls, user=USER))

        assert secure.accepted == []

    async def test_no_starttls(self, outbox: Make, mail_server: MailServer) -> None:
        """A server, or somebody between, that hides STARTTLS gets nothing."""
        with pytest.raises(OutboxDenied):
            await sent(outbox(tls=Tls.STARTTLS))

        assert mail_server.accepted == []

    async def test_token(self, outbox: Make, mail_certificate: Certificate, tmp_path: Path) -> None:
        """A token logs in; one that the server does not take any more is fetched anew, once."""
        (tmp_path / "token").write_text("old")
        command = shlex.split(f"{sys.executable} -c 'print(open(\"{tmp_path}/token\").read())'")
        for server in serve(mail_certificate.serving, login=True):
            server.tokens.add("old")
            one = outbox(
                TokenCommand("SMTP", command),
                port=server.port,
                tls=Tls.STARTTLS,
                context=mail_certificate.trusting,
                user=USER,
            )
            await sent(one)
            await one.close()
            server.tokens = {"new"}
            (tmp_path / "token").write_text("new")
            await sent(one)
            await one.close()
            server.tokens = set()
            with pytest.raises(OutboxDenied):
                await sent(one)

            assert len(server.accepted) == 2

    async def test_no_token(self, outbox: Make) -> None:
        """A token command that fails now is passing trouble; one that cannot run needs a person."""
        with pytest.raises(OutboxDown, match="exit code 3"):
            await sent(outbox(TokenCommand("SMTP", [sys.executable, "-c", "raise SystemExit(3)"]), user=USER))
        with pytest.raises(OutboxDenied, match="cannot run"):
            await sent(outbox(TokenCommand("SMTP", ["/nonexistent"]), user=USER))


class TestTrouble:
    """Whether it has left."""

    @pytest.mark.parametrize("step", ["connect", "ehlo", "mail", "rcpt", "data"])
    async def test_cut_before_the_letter(self, outbox: Make, mail_server: MailServer, step: str) -> None:
        """A line cut before the letter's first byte: nothing was sent, and the next try succeeds."""
        one = outbox()
        mail_server.cuts[step] = 1
        with pytest.raises(OutboxDown):
            await sent(one)

        assert mail_server.accepted == []
        await sent(one)
        assert len(mail_server.accepted) == 1

    async def test_cut_at_the_login(self, outbox: Make, secure: MailServer, mail_certificate: Certificate) -> None:
        """The same while we log in."""
        secure.cuts["auth"] = 1
        make = {"port": secure.port, "tls": Tls.STARTTLS, "context": mail_certificate.trusting, "user": USER}
        with pytest.raises(OutboxDown):
            await sent(outbox(Password(PASSWORD), **make))

    @pytest.mark.parametrize(("step", "taken"), [("body", 0), ("unkept", 0), ("lost", 1)])
    async def test_cut_behind_data(self, outbox: Make, mail_server: MailServer, step: str, taken: int) -> None:
        """A line cut from the letter's first byte on: nobody knows, whether the server has taken it or not."""
        mail_server.cuts[step] = 1
        with pytest.raises(LetterUnconfirmed):
            await sent(outbox())

        assert len(mail_server.accepted) == taken

    @pytest.mark.parametrize("step", ["mail", "data", "dot", ADA])
    async def test_not_now(self, outbox: Make, mail_server: MailServer, step: str) -> None:
        """A 4xx at any step: nothing was taken, the letter may go later."""
        mail_server.answers[step] = ["451 4.3.0 try again"]
        one = outbox()
        with pytest.raises(OutboxDown, match=r"451 4\.3\.0 try again"):
            await sent(one, ADA, BOB)

        assert mail_server.accepted == []
        await sent(one, ADA, BOB)
        assert len(mail_server.accepted) == 1

    @pytest.mark.parametrize("step", ["mail", "data", "dot", ADA])
    async def test_never(self, outbox: Make, mail_server: MailServer, step: str) -> None:
        """A 5xx at any step refuses the letter."""
        mail_server.answers[step] = ["550 5.7.1 not wanted"]
        with pytest.raises(LetterRefused, match=r"550 5\.7\.1 not wanted"):
            await sent(outbox())

        assert mail_server.accepted == []

    @pytest.mark.parametrize("step", ["mail", "dot"])
    async def test_login_wanted(self, outbox: Make, mail_server: MailServer, step: str) -> None:
        """A server that wants another login is an account's trouble, not the letter's."""
        mail_server.answers[step] = ["530 5.7.0 authentication required"]
        with pytest.raises(OutboxDenied):
            await sent(outbox())

    @pytest.mark.parametrize("step", ["data", "dot"])
    async def test_nonsense(self, outbox: Make, mail_server: MailServer, step: str) -> None:
        """An answer that is neither yes nor no leaves it unknown."""
        mail_server.answers[step] = ["399 what?"]
        with pytest.raises(LetterUnconfirmed):
            await sent(outbox())

    async def test_too_large(self, outbox: Make, mail_server: MailServer) -> None:
        """A letter over the server's limit is not begun."""
        with pytest.raises(LetterRefused, match="2000000"):
            await outbox().send(RAW + b"x" * 2_000_000, "bot@harbour.example", [ADA])

        assert mail_server.accepted == []

    async def test_nobody_there(self, outbox: Make) -> None:
        """A port that nobody listens on is passing trouble."""
        with pytest.raises(OutboxDown):
            await sent(outbox(port=free_port()))

    async def test_cancelled(self, outbox: Make, mail_server: MailServer) -> None:
        """A cancelled call leaves no half connection behind."""
        one = outbox()
        task = asyncio.create_task(sent(one))
        await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await sent(one)

        assert mail_server.accepted

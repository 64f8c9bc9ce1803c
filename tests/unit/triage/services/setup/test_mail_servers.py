"""Which servers a mailbox has, and how they are reached."""

import pytest

from triage.domain.errors import MailboxDenied, MailboxDown
from triage.domain.mailboxes import MailServer, MailServers
from triage.policy.setup.mail_providers import by_domain
from triage.services.setup.mail_servers import INSECURE, SMTP, MailServerSearch, server_at

NAMED = MailServers(imap=MailServer(host="mx.acme.example", port=993, tls="ssl"))


class Directory:
    """A domain that publishes something."""

    def __init__(self, published: MailServers | None = None, exchangers: tuple[str, ...] = ()) -> None:
        self._published, self._exchangers = published, exchangers

    async def published(self, address: str) -> MailServers | None:
        """What it names."""
        return self._published

    async def exchangers(self, domain: str) -> tuple[str, ...]:
        """Its MX hosts."""
        return self._exchangers


class Net:
    """Servers that answer, by host, port and TLS; the others with an error."""

    def __init__(self, *answering: tuple[str, int, str], certificate: bool = True) -> None:
        self._answering, self._certificate = answering, certificate
        self.tried: list[tuple[str, int, str]] = []

    async def __call__(self, server: MailServer) -> None:
        """Connect."""
        self.tried.append((server.host, server.port, server.tls))
        if server.tls != "none" and not self._certificate:
            raise MailboxDenied(server.host, "its certificate is not trusted: self-signed certificate")
        if self.tried[-1] not in self._answering:
            raise MailboxDown(server.host, f"no {server.tls}")


async def test_what_is_known_asks_nobody() -> None:
    """A provider's domain needs no look-up; without look-ups any other domain is unknown."""
    search = MailServerSearch(reach=Net(), directory=None)

    assert await search.of("me@gmail.com") == by_domain("gmail.com")
    assert await search.of("me@acme.example") is None


async def test_mail_exchangers_then_what_the_domain_names_then_what_answers() -> None:
    """The provider that takes the mail comes first; a guess counts only if it answers over TLS."""
    guess = ("mail.acme.example", 993, "ssl")

    async def found(directory: Directory, *answering: tuple[str, int, str]) -> MailServers | None:
        return await MailServerSearch(reach=Net(*answering), directory=directory).of("me@acme.example")

    assert await found(Directory(NAMED, ("aspmx.l.google.com",))) == by_domain("gmail.com")
    assert await found(Directory(NAMED)) == NAMED
    assert await found(Directory(), guess) == MailServers(imap=MailServer(host=guess[0], port=993, tls="ssl"))
    assert await found(Directory()) is None


async def test_the_best_tls_wins() -> None:
    """TLS at once, STARTTLS, then none; the port that is named is used for all."""
    assert (await server_at(Net(("h", 143, "starttls"), ("h", 143, "none")), "h")).tls == "starttls"
    assert (await server_at(Net(("h", 2525, "none")), "h", 2525, SMTP)).tls == INSECURE
    assert (await server_at(Net(("127.0.0.1", 143, "none")), "127.0.0.1")).tls == "none"


async def test_a_certificate_that_is_not_trusted_ends_the_search() -> None:
    """A password never goes out in clear because somebody stands between with a certificate of his own."""
    net = Net(("h", 143, "none"), certificate=False)

    with pytest.raises(MailboxDenied, match="not trusted"):
        await server_at(net, "h")
    assert net.tried == [("h", 993, "ssl")]
    assert (await server_at(Net(("localhost", 143, "none"), certificate=False), "localhost")).tls == "none"


async def test_nobody_answers() -> None:
    """The reason of the first way is told."""
    with pytest.raises(MailboxDown, match="no ssl"):
        await server_at(Net(), "h")

"""Finds the mail servers of an address, and how a named server is reached."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from triage.config.shapes.base import this_machine
from triage.domain.errors import MailboxDenied, MailboxDown
from triage.domain.mailboxes import MailServer, MailServers
from triage.domain.ports import MailDirectory
from triage.policy.setup.mail_providers import by_domain, by_exchangers, guesses

INSECURE: Final = "insecure"
"""TLS of a server that offers none, over a network."""
IMAP: Final = {"ssl": 993, "starttls": 143, "none": 143}
"""Usual port by TLS, the best first."""
SMTP: Final = {"ssl": 465, "starttls": 587, "none": 25}

Reach = Callable[[MailServer], Awaitable[None]]
"""Connects without logging in. Raises `MailboxDown`, and `MailboxDenied` for a certificate or a missing STARTTLS."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MailServerSearch:
    """Called by `triage init`. No password is sent."""

    reach: Reach
    directory: MailDirectory | None
    """None: no lookup, only known servers."""

    async def of(self, address: str) -> MailServers | None:
        """Return the servers of an address: a well-known provider's, those that its domain names, else what answers."""
        domain = address.rpartition("@")[2].lower()
        if (known := by_domain(domain)) or self.directory is None:
            return known
        exchangers, published = await asyncio.gather(
            self.directory.exchangers(domain), self.directory.published(address)
        )
        if found := by_exchangers(exchangers) or published:
            return found
        for guess in guesses(domain):
            with suppress(MailboxDown, MailboxDenied):
                await self.reach(guess)
                return MailServers(imap=guess)
        return None


async def server_at(reach: Reach, host: str, port: int = 0, ports: Mapping[str, int] = IMAP) -> MailServer:
    """Return the server with the best TLS that it offers; `insecure` if it offers none.

    Raises `MailboxDown` or `MailboxDenied` with the reason of the first way. A certificate that is not trusted ends the
    search, except on this machine.
    """
    first: MailboxDown | MailboxDenied | None = None
    for tls, usual in ports.items():
        server = MailServer(host=host, port=port or usual, tls=tls)
        try:
            await reach(server)
        except (MailboxDown, MailboxDenied) as e:
            if "certificate" in e.detail and not this_machine(host):
                raise
            first = first or e
        else:
            clear = tls == "none" and not this_machine(host)
            return MailServer(host=host, port=server.port, tls=INSECURE if clear else tls)
    raise first or MailboxDown(host, "it does not answer")

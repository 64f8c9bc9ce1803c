"""Reads what DNS says of a domain's mail: SRV records of IMAP and submission (RFC 6186, RFC 8314) and its MX hosts."""

from typing import Any, Final

import dns.asyncresolver
import dns.exception
import dns.resolver

from triage.domain.mailboxes import MailServer, MailServers

SECONDS: Final = 3.0
IMAP: Final = (("_imaps._tcp", "ssl"), ("_imap._tcp", "starttls"))
SUBMISSION: Final = (("_submissions._tcp", "ssl"), ("_submission._tcp", "starttls"))


class MailRecords:
    """Asks the system's resolver, or the one given as (address, port); what is not answered is not there."""

    def __init__(self, nameserver: tuple[str, int] | None = None) -> None:
        self._nameserver = nameserver

    async def exchangers(self, domain: str) -> tuple[str, ...]:
        """Return the MX hosts, the preferred ones first."""
        records = sorted(await self._find(domain, "MX"), key=lambda one: (one.preference, one.exchange))
        return tuple(record.exchange.to_text(omit_final_dot=True) for record in records)

    async def servers(self, domain: str) -> MailServers | None:
        """Return the servers that SRV records name; None without one for IMAP."""
        imap = await self._first(domain, IMAP)
        return MailServers(imap=imap, smtp=await self._first(domain, SUBMISSION)) if imap else None

    async def _first(self, domain: str, services: tuple[tuple[str, str], ...]) -> MailServer | None:
        for service, tls in services:
            records = sorted(
                await self._find(f"{service}.{domain}", "SRV"), key=lambda one: (one.priority, -one.weight)
            )
            host = records[0].target.to_text(omit_final_dot=True) if records else ""
            if host.strip("."):  # a single dot: this service is not offered
                return MailServer(host=host.lower(), port=records[0].port, tls=tls)
        return None

    async def _find(self, name: str, kind: str) -> list[Any]:
        try:
            resolver = dns.asyncresolver.Resolver(configure=self._nameserver is None)
            if self._nameserver:
                resolver.nameservers, resolver.port = [self._nameserver[0]], self._nameserver[1]
            return list(await resolver.resolve(f"{name}.", kind, lifetime=SECONDS, search=False))
        except (dns.exception.DNSException, OSError, UnicodeError):
            return []

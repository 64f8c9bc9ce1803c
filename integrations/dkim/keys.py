"""Looks up DKIM keys in DNS, cached by their time to live."""

from typing import Final

import dns.asyncresolver
import dns.exception
import dns.nameserver
import dns.resolver

from triage.domain.errors import SettingsInvalid

SECONDS: Final = 3.0
"""Time limit for one key, retries included."""
LARGEST: Final = 4096
"""Largest record in bytes: RSA keys of 16,384 bits fit; longer ones would only cost time."""
REMEMBERED: Final = 500

NO_RESOLVER: Final = "DKIM_NAMESERVER: this machine names no DNS server; give the address of one"


class NoAnswer(Exception):  # noqa: N818 - an event between these modules, nobody's error
    """DNS gave no answer; a later lookup may succeed."""


class Keys:
    """Looks up records with the system's resolver or the given one."""

    def __init__(self, nameserver: tuple[str, int] | None = None, seconds: float = SECONDS) -> None:
        """`nameserver` is (address, port). Raises `SettingsInvalid` if neither it nor the system names one."""
        try:
            self._resolver = dns.asyncresolver.Resolver(configure=nameserver is None)
        except dns.resolver.NoResolverConfiguration:
            raise SettingsInvalid((NO_RESOLVER,)) from None
        if nameserver:
            self._resolver.nameservers = [dns.nameserver.Do53Nameserver(*nameserver)]
        self._resolver.cache = dns.resolver.LRUCache(REMEMBERED)
        self._resolver.timeout = seconds / 2
        self._resolver.lifetime = seconds
        self._resolver.use_edns(0, 0, 1232)

    async def find(self, name: str) -> bytes | None:
        """Return the TXT record at `name`; None if there is none, several, or one over `LARGEST`. Raises `NoAnswer`."""
        try:
            answer = await self._resolver.resolve(f"{name}.", "TXT", search=False)
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            return None
        except (dns.exception.DNSException, OSError) as e:
            raise NoAnswer(type(e).__name__) from e
        records = [b"".join(record.strings) for record in answer]
        [record] = records if len(records) == 1 else [b""]
        return record if 0 < len(record) <= LARGEST else None

"""The port `MailDirectory`: the domain's autoconfig file, and DNS where the package `dnspython` is installed."""

import asyncio
from importlib.util import find_spec
from typing import TYPE_CHECKING

from integrations.mail_directory.autoconfig import PLACES, autoconfig_of
from triage.domain.mailboxes import MailServers

if TYPE_CHECKING:
    from integrations.mail_directory.records import MailRecords


class PublicMailDirectory:
    """The port `MailDirectory`: asks the domain and nobody else."""

    def __init__(self, nameserver: tuple[str, int] | None = None, places: tuple[str, ...] = PLACES) -> None:
        """`nameserver` is (address, port); None: the system's resolver."""
        self._nameserver = nameserver
        self._places = places

    async def published(self, address: str) -> MailServers | None:
        """Return what the domain's file names, else its SRV records."""
        records = self._records()
        by_file = autoconfig_of(address, self._places)
        if records is None:
            return await by_file
        found, named = await asyncio.gather(by_file, records.servers(address.rpartition("@")[2]))
        return found or named

    async def exchangers(self, domain: str) -> tuple[str, ...]:
        """Return the MX hosts; none without `dnspython`."""
        records = self._records()
        return await records.exchangers(domain) if records else ()

    def _records(self) -> "MailRecords | None":
        if find_spec("dns") is None:
            return None
        from integrations.mail_directory.records import MailRecords  # noqa: PLC0415 - an optional extra

        return MailRecords(self._nameserver)

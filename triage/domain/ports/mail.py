"""Ports of inbound mail: mailbox, parser of raw bytes, check of DKIM signatures."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from triage.domain.mail import MailView, Message, Signature
from triage.domain.mailboxes import Fetched, Folder, Listed, MailServers, SyncCursor


class MailReader(Protocol):
    """Turns raw bytes into a message; called by the steps `read` and `attach`."""

    async def read(self, raw: bytes) -> Message:
        """Parse a mail as far as possible; `Message.flags` names what was odd.

        Raises `NotAMail` if the bytes are no mail, `MailUnreadable` if parsing fails or exceeds its limits.
        """

    async def files(self, raw: bytes, wanted: Sequence[str]) -> Mapping[str, bytes]:
        """The decoded bytes of the attachments with these SHA-256, by SHA-256; unknown ones are left out.

        Raises as `read` does.
        """


class MailViewer(Protocol):
    """Shows a mail to people; called by the mail page. Raises `NotAMail`, `MailUnreadable`, `ReaderDown`."""

    async def view(self, raw: bytes, labels: Mapping[str, str], *, plain: bool = False) -> MailView:
        """The mail as a person reads it, its text rather than its HTML if `plain`; `labels` are put on their words."""

    async def files(self, raw: bytes, wanted: Sequence[str]) -> Mapping[str, bytes]:
        """The decoded bytes of the attachments with these SHA-256, as `MailReader.files` returns them."""


class SignatureCheck(Protocol):
    """Verifies DKIM signatures (RFC 6376); called by the step `identify`. Raises nothing."""

    async def check(self, raw: bytes, domain: str) -> tuple[Signature, ...]:
        """The results of a mail's signatures that are relevant for a domain; `none` for what cannot be checked now."""

    async def ready(self) -> str:
        """Why it cannot check signatures now, empty if it can."""

    async def close(self) -> None:
        """End its processes."""


class Mailbox(Protocol):
    """One folder of one mail account, over a connection that is opened, used and closed; called by the mailbox sync.

    All methods raise `MailboxDown` and, if only a person can help, `MailboxDenied`; after either the connection
    is unusable and must be closed. A cancelled call cuts the connection too.
    """

    @property
    def name(self) -> str:
        """Its name in reports and in the source of its mails."""

    @property
    def account(self) -> str:
        """The account: a name used for another account is another mailbox."""

    async def open(self) -> Folder:
        """Connect, log in and open the folder."""

    async def uids(self, *, above: int = 0, since: datetime | None = None) -> tuple[int, ...]:
        """UIDs of the present mails above `above`, lowest first; with `since`, of those that came then or (a day at most)
        before.
        """

    async def listed(self, uids: Sequence[int]) -> tuple[Listed, ...]:
        """Size and arrival time of these UIDs, without mails that are gone."""

    async def fetch(self, mails: Sequence[Listed]) -> tuple[Fetched, ...]:
        """The mails with their bytes, without those that are gone or that the server refuses to send.

        A mail over the size limit is a stub of its headers. No mail is marked as read.
        """

    async def wait(self, seconds: float) -> None:
        """Return when there may be new mail, or after this many seconds."""

    async def settle(self, uids: Sequence[int], *, again: bool = False) -> None:
        """Mark or move accepted mails, as the settings ask; idempotent.

        With `again` they may have been settled before: nothing is sent if the settings only mark.
        """

    async def close(self) -> None:
        """Close the connection, in whatever state it is."""


class Mailboxes(Protocol):
    """The cursor of each mailbox; called by the mailbox sync and by health checks. All methods raise `StoreDown`."""

    async def cursor(self, name: str) -> SyncCursor | None:
        """The stored cursor, None for an unknown mailbox."""

    async def keep(self, standing: SyncCursor) -> None:
        """Store it durably."""

    async def cursors(self) -> tuple[SyncCursor, ...]:
        """All cursors, sorted by name."""

    async def accepted(self, source: str, ids: Sequence[str]) -> frozenset[str]:
        """Those of these source ids that are already accepted."""

    async def same(self, source: str, digests: Sequence[str]) -> frozenset[str]:
        """Those of these SHA-256 of raw bytes that a mail of this source already has."""


class MailDirectory(Protocol):
    """What a domain says of its mail servers; called by `services/setup/mail_servers`. Raises nothing."""

    async def published(self, address: str) -> MailServers | None:
        """The servers that the domain of this address names, None if it names none in time."""

    async def exchangers(self, domain: str) -> tuple[str, ...]:
        """The hosts that take the domain's mail (MX)."""

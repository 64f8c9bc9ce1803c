"""Ports of inbound mail: mailbox, parser of raw bytes, check of DKIM signatures."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from triage.domain.mail import Message, Signature
from triage.domain.mailboxes import Fetched, Folder, Listed, SyncCursor


class MailReader(Protocol):
    """Turns raw bytes into a message; called by the steps `read` and `attach`."""

    async def read(self, raw: bytes) -> Message:
        """As far as it can be read, with flags for what was odd.

        Raises `NotAMail` where there is no mail in it and `MailUnreadable` where reading it breaks the reader.
        """

    async def files(self, raw: bytes, wanted: Sequence[str]) -> Mapping[str, bytes]:
        """The decoded bytes of these attachments by their SHA-256, as `read` tells it; what is not there is left out.

        Raises as `read` does.
        """


class SignatureCheck(Protocol):
    """Verifies DKIM signatures (RFC 6376); called by the step `identify`. Raises nothing."""

    async def check(self, raw: bytes, domain: str) -> tuple[Signature, ...]:
        """What those of a mail prove that may speak for a domain. Never raises: what cannot be known now is `none`."""

    async def ready(self) -> str:
        """Why it cannot check anything now, empty where it can."""

    async def close(self) -> None:
        """Let processes go."""


class Mailbox(Protocol):
    """One folder of one mail account, over a connection that is opened, used and closed; called by the mailbox sync.

    All methods raise `MailboxDown` and, where only a person can help, `MailboxDenied`; after either the connection
    is worth nothing and must be closed. What is cancelled half-way cuts the connection too.
    """

    @property
    def name(self) -> str:
        """As it is called in reports and in the source of its mails."""

    @property
    def account(self) -> str:
        """Whose it is: the same name for another account is not the same mailbox."""

    async def open(self) -> Folder:
        """Connect, log in, look into the folder."""

    async def uids(self, *, above: int = 0, since: datetime | None = None) -> tuple[int, ...]:
        """Mails that are there now, lowest first; where a time is given, those that came then or (a day at most)
        before.
        """

    async def listed(self, uids: Sequence[int]) -> tuple[Listed, ...]:
        """Size and time of these, without those that are gone."""

    async def fetch(self, mails: Sequence[Listed]) -> tuple[Fetched, ...]:
        """The mails, without those that are gone or that the server will not give.

        One over the limit comes as a stub of its headers. Nothing is marked as read.
        """

    async def wait(self, seconds: float) -> None:
        """Until there may be something new, or so much time has passed."""

    async def settle(self, uids: Sequence[int], *, again: bool = False) -> None:
        """Mark or move what has been accepted, as the settings ask; again changes nothing.

        With `again` these may have been settled before: nothing is sent where they are only marked.
        """

    async def close(self) -> None:
        """Let the connection go, in whatever state it is."""


class Mailboxes(Protocol):
    """The cursor of each mailbox; called by the mailbox sync and by health checks. All methods raise `StoreDown`."""

    async def cursor(self, name: str) -> SyncCursor | None:
        """What was kept last, None for a mailbox never seen."""

    async def keep(self, standing: SyncCursor) -> None:
        """Keep it, durably."""

    async def cursors(self) -> tuple[SyncCursor, ...]:
        """All, by name."""

    async def accepted(self, source: str, ids: Sequence[str]) -> frozenset[str]:
        """Those of the deliveries that are mails of ours already."""

    async def same(self, source: str, digests: Sequence[str]) -> frozenset[str]:
        """Those SHA-256 of raw bytes that a mail of this source already has."""

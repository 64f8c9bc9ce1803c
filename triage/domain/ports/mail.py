"""Ports of inbound mail: mailbox, parser of raw bytes, check of DKIM signatures."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from triage.domain.mail import MailView, Message, Signature
from triage.domain.mailboxes import (
    DeviceCode,
    Fetched,
    Folder,
    Listed,
    MailServers,
    OAuthGrant,
    SignInWays,
    SyncCursor,
    Tokens,
)


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
        """Mark or move accepted mails, as the settings ask; idempotent. Raises `MailboxDenied` if the server refuses it.

        With `again` they may have been settled before: nothing is sent if the settings only mark.
        """

    async def close(self) -> None:
        """Close the connection, in whatever state it is."""


class Mailboxes(Protocol):
    """The cursor of each mailbox; called by the mailbox sync and by health checks. All methods raise `StoreDown`."""

    async def cursor(self, name: str) -> SyncCursor | None:
        """The stored cursor, None for an unknown mailbox."""

    async def keep(self, standing: SyncCursor) -> None:
        """Store the cursor of a mailbox durably, in place of the old one."""

    async def cursors(self) -> tuple[SyncCursor, ...]:
        """All cursors, sorted by name."""

    async def accepted(self, source: str, ids: Sequence[str]) -> frozenset[str]:
        """Those of these source ids that are already accepted."""

    async def same(self, source: str, digests: Sequence[str]) -> frozenset[str]:
        """Those of these SHA-256 of raw bytes that a mail of this source already has."""


class MailDirectory(Protocol):
    """Looks up a domain's mail servers; called by `services/setup/mail_servers`. Raises nothing."""

    async def published(self, address: str) -> MailServers | None:
        """The servers that the domain of this address names, None if it names none in time."""

    async def exchangers(self, domain: str) -> tuple[str, ...]:
        """The hosts that take the domain's mail (MX)."""


class MailGrants(Protocol):
    """The grants of mail accounts, one process at a time; called by `services/mail_oauth`. All methods raise `StoreDown`."""

    async def keep(self, grant: OAuthGrant) -> None:
        """Store a grant durably, in place of the account's old one and of everybody's turn."""

    async def find(self, account: str) -> OAuthGrant | None:
        """Return the account's grant, None if there is none."""

    async def grants(self) -> tuple[OAuthGrant, ...]:
        """All grants, sorted by account."""

    async def remove(self, account: str) -> bool:
        """Remove a grant; return whether there was one."""

    async def take_turn(self, account: str, turn: str, now: datetime, until: datetime) -> OAuthGrant | None:
        """Lock the grant's renewal for `turn` until then; return the present grant, None while another holder has the lock."""

    async def end_turn(self, account: str, turn: str, renewed: OAuthGrant | None = None) -> bool:
        """End the turn and store what it renewed, durably; return False, and store nothing, if it was over already."""


class TokenSeal(Protocol):
    """Encrypts tokens for the store; called by `services/mail_oauth`."""

    def seal(self, text: str) -> bytes:
        """The text, encrypted and authenticated. Raises `SettingsInvalid` if there is no key and none can be made."""

    def opened(self, sealed: bytes) -> str:
        """The text. Raises `GrantRefused` if it was sealed with another key, and as `seal` does."""


class TokenProvider(Protocol):
    """Who gives tokens for mail accounts (RFC 6749, 7636, 8628); called by `services/mail_oauth`.

    All but `client` raise `IdentityProviderDown` and `GrantRefused`.
    """

    @property
    def client(self) -> str:
        """The provider and our id there."""

    async def ways(self) -> SignInWays:
        """How people can sign in."""

    async def device(self) -> DeviceCode:
        """Begin a sign-in on another machine."""

    async def by_device(self, code: DeviceCode) -> Tokens:
        """The tokens, once the person has agreed. Raises `GrantPending` before."""

    async def address(self, redirect: str, state: str, challenge: str, account: str) -> str:
        """The page on which the person agrees; it sends the browser to `redirect`."""

    async def by_code(self, code: str, verifier: str, redirect: str) -> Tokens:
        """The tokens for a code of that page."""

    async def refreshed(self, refresh: str) -> Tokens:
        """Return new tokens for a refresh token."""

    async def of_application(self) -> Tokens:
        """A token of the application itself, without any person."""

    async def close(self) -> None:
        """Close the connections."""

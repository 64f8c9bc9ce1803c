"""One IMAP connection, used by one thread at a time: login, list, fetch, IDLE, mark or move."""

import imaplib
import ssl
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from imapclient import DELETED, SEEN

from integrations.imap.errors import error_text, our_words, passes
from integrations.imap.login import Secret
from integrations.imap.stub import stub
from integrations.imap.wire import ImapClient, ImapWire
from triage.domain.errors import MailboxDenied, MailboxDown
from triage.domain.mail import OWN_HEADER
from triage.domain.mailboxes import Fetched, Folder, Listed

CONNECT: Final = 10.0
SILENCE: Final = 60.0
"""Seconds without a byte after which an awaited answer fails."""
ROOM: Final = 32 * 2**20
"""Largest answer in bytes that holds no mail; a SEARCH answer of three million UIDs fits."""
SLOWEST: Final = 16_384
"""Lowest accepted transfer rate, in bytes per second."""
AT_ONCE: Final = 20
"""Mails of a folder that are fetched by one command."""
LISTED: Final = 20
"""Most folders that an error names."""
CHUNK: Final = 2**20
"""Bytes; larger mails are fetched in pieces of this size."""
HEAD: Final = 65_536
"""Bytes of headers fetched of a mail over the limit."""


class Tls(StrEnum):
    """How the connection is encrypted."""

    SSL = "ssl"
    STARTTLS = "starttls"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImapAccount:
    """A folder on a server, and what to do with its mails."""

    name: str
    host: str
    port: int
    user: str
    folder: str = "INBOX"
    tls: Tls = Tls.SSL
    context: ssl.SSLContext | None = None
    """The certificates to trust; None: those of the system."""
    seen: bool = False
    """Mark accepted mails as read."""
    move_to: str = ""
    """Move accepted mails to this folder; empty: leave them."""
    limit: int = 40 * 2**20
    """MAX_MAIL_BYTES: of a larger mail only the headers are fetched."""
    silence: float = SILENCE

    @property
    def reach(self) -> str:
        """What to do where the server cannot be reached."""
        place = f"{self.host}:{self.port}"
        return f"check host, port and TLS ({place}): 993 begins with TLS (ssl), 143 switches to it (starttls)"


class ImapSession:
    """One connection from login to logout. Every method but `close` may raise `MailboxDown` and `MailboxDenied`."""

    def __init__(self, account: ImapAccount) -> None:
        self._account = account
        self._wire: ImapWire | None = None
        self._client: Any = None
        self.can_idle = False
        """The server supports IDLE (RFC 2177)."""

    def open(self, secret: Secret) -> Folder:
        with our_words(self._account.name, cure=self._account.reach):
            self._connect()
        with our_words(self._account.name, deniable=True, cure="check user and password, or the tokens"):
            self._log_in(secret)
        with our_words(self._account.name, deniable=True):
            self.can_idle = bool(self._client.has_capability("IDLE"))
            folder = self._select()
            self._the_wire.announced()
            return folder

    def reach(self) -> None:
        """Connect as the account says, without logging in."""
        with our_words(self._account.name, cure=self._account.reach):
            self._connect()

    def folders(self) -> tuple[str, ...]:
        """Return the names of the folders that can be opened."""
        with our_words(self._account.name):
            self._allow(ROOM)
            found = self._client.list_folders()
        return tuple(str(name) for flags, _, name in found if rb"\Noselect" not in flags)

    def uids(self, above: int, since: datetime | None) -> tuple[int, ...]:
        """Return UIDs above `above`; with `since` from the day before on, as SINCE compares days of the server's zone."""
        criteria: list[Any] = ["UID", f"{above + 1}:*"]
        if since is not None:
            criteria += ["SINCE", (since - timedelta(days=1)).date()]
        with our_words(self._account.name):
            self._allow(ROOM)
            found = self._client.search(criteria)
        # RFC 9051: `n:*` includes the last mail also if its UID is below n.
        return tuple(sorted(uid for uid in found if uid > above))

    def listed(self, uids: Sequence[int]) -> tuple[Listed, ...]:
        """Return size (bytes) and INTERNALDATE of each mail that still exists."""
        with our_words(self._account.name):
            self._allow(ROOM)
            found = self._client.fetch(uids, ["RFC822.SIZE", "INTERNALDATE"])
            return tuple(
                Listed(uid=uid, size=int(items[b"RFC822.SIZE"]), at=items.get(b"INTERNALDATE"))
                for uid, items in found.items()
                if b"RFC822.SIZE" in items
            )

    def fetch(self, mails: Sequence[Listed]) -> tuple[Fetched, ...]:
        """Fetch small mails in one command; a mail over `CHUNK`, or a single one, in pieces."""
        alone = len(mails) == 1
        small = [mail for mail in mails if mail.size <= CHUNK and not alone]
        with our_words(self._account.name):
            got = self._together(small)
            got += [self._in_pieces(mail) for mail in mails if mail.size > CHUNK or alone]
        return tuple(sorted(filter(None, got), key=lambda mail: mail.uid))

    def idle(self, seconds: float) -> None:
        """Wait in IDLE until the server sends anything, or `seconds` have passed.

        A mail that arrives while others are fetched is told in the answers to those commands and not once more in IDLE
        (RFC 9051, 7.4.1): then there is no wait. The answer is ignored: the caller searches next. `idle_check` of imapclient is not used, since on a dead
        connection it returns an empty list at once, again and again; `idle_done` raises.
        """
        with our_words(self._account.name):
            if self._the_wire.announced():
                return
            self._allow(ROOM, seconds)
            self._client.idle()
            self._the_wire.wait(seconds)
            self._client.idle_done()
            self._the_wire.announced()

    def noop(self) -> None:
        """Send NOOP, so that a server without IDLE reports new mail."""
        with our_words(self._account.name):
            self._allow(ROOM)
            self._client.noop()

    def settle(self, uids: Sequence[int]) -> None:
        """Mark as read and move, as the account says. Raises `MailboxDenied` if the server refuses that."""
        with our_words(self._account.name, final=True):
            self._allow(ROOM)
            if self._account.seen:
                self._client.add_flags(uids, [SEEN], silent=True)
            if self._account.move_to:
                self._move(uids, self._account.move_to)

    def special_folder(self, flag: bytes) -> str:
        """Return the folder that the server marks so (RFC 6154) or that commonly has this part; empty if there is none."""
        with our_words(self._account.name):
            self._allow(ROOM)
            return str(self._client.find_special_folder(flag) or "")

    def holds(self, folder: str, message_id: str) -> bool:
        """Return whether the folder has a mail with this Message-ID; some servers give a mail another one, so both fields count."""
        with our_words(self._account.name):
            self._allow(ROOM)
            if not self._client.folder_exists(folder):
                return False
            self._client.select_folder(folder, readonly=True)
            either = ["OR", "HEADER", "Message-ID", message_id, "HEADER", OWN_HEADER, message_id]
            return bool(self._client.search(either))

    def recent(self, folder: str, since: datetime, limit: int) -> tuple[bytes, ...]:
        """Return a folder's mails from the day before `since` on, the newest first; mails over the account's limit are left out."""
        with our_words(self._account.name):
            self._allow(ROOM)
            if not self._client.folder_exists(folder):
                return ()
            self._client.select_folder(folder, readonly=True)
            found = self._client.search(["SINCE", (since - timedelta(days=1)).date()])
        newest = sorted(found, reverse=True)[:limit]
        listed = self.listed(newest) if newest else ()
        small = sorted((mail for mail in listed if mail.size <= self._account.limit), key=lambda mail: -mail.uid)
        fetched = [
            mail for start in range(0, len(small), AT_ONCE) for mail in self.fetch(small[start : start + AT_ONCE])
        ]
        return tuple(mail.raw for mail in sorted(fetched, key=lambda mail: -mail.uid))

    def append(self, folder: str, raw: bytes, flags: Sequence[bytes]) -> None:
        """Store a mail; make the folder if it is missing."""
        with our_words(self._account.name):
            self._allow(ROOM)
            if not self._client.folder_exists(folder):
                self._client.create_folder(folder)
            self._client.append(folder, raw, flags)

    def interrupt(self) -> None:
        """Call from another thread: make the current command fail."""
        if self._wire:
            self._wire.interrupt()

    def close(self) -> None:
        """Log out if possible, then close the socket; never raises a mailbox error."""
        if self._wire is None:
            return
        try:
            with suppress(MailboxDown, MailboxDenied), our_words(self._account.name):
                self._wire.allow(CHUNK, 2.0)
                if self._client:
                    self._client.logout()
        finally:
            self._wire.sock.close()
            self._wire.file.close()
            self._wire = self._client = None

    # --- connect and log in ---------------------------------------------------------------------

    @property
    def _the_wire(self) -> ImapWire:
        if self._wire is None:
            raise OSError("not connected")
        return self._wire

    def _connect(self) -> None:
        account = self._account
        context = account.context or ssl.create_default_context()
        at_once = context if account.tls is Tls.SSL else None
        self._wire = ImapWire(account.host, account.port, at_once, connect=CONNECT, silence=account.silence)
        self._client = ImapClient(self._wire, account.silence)
        self._allow(ROOM)
        if account.tls is Tls.STARTTLS:
            self._client.starttls(context)

    def _log_in(self, secret: Secret) -> None:
        """Send a token by XOAUTH2 or OAUTHBEARER; send a password by PLAIN if offered, since LOGIN takes ASCII only."""
        user, client = self._account.user, self._client
        if secret.is_token and not client.has_capability("AUTH=XOAUTH2") and client.has_capability("AUTH=OAUTHBEARER"):
            client.oauthbearer_login(user, secret.text)
        elif secret.is_token:
            client.oauth2_login(user, secret.text)
        elif client.has_capability("AUTH=PLAIN"):
            client.plain_login(user, secret.text)
        elif client.has_capability("LOGINDISABLED"):
            raise MailboxDenied(self._account.name, "the server takes no password over this connection")
        else:
            client.login(user, secret.text)

    def _select(self) -> Folder:
        """Select read-only (EXAMINE) unless we mark or move: then no command can change a flag."""
        writes = self._account.seen or bool(self._account.move_to)
        try:
            answer = self._client.select_folder(self._account.folder, readonly=not writes)
        except imaplib.IMAP4.error as e:
            if isinstance(e, imaplib.IMAP4.abort) or passes(e):
                raise
            raise MailboxDenied(
                self._account.name, error_text(e), f"there are: {', '.join(self.folders()[:LISTED])}"
            ) from e
        if b"UIDVALIDITY" not in answer:
            raise MailboxDenied(self._account.name, "the server gives its mails no lasting numbers (UIDVALIDITY)")
        next_uid = answer.get(b"UIDNEXT") or max(self.uids(0, None), default=0) + 1
        return Folder(validity=int(answer[b"UIDVALIDITY"]), next_uid=int(next_uid))

    # --- fetch ----------------------------------------------------------------------------------

    def _allow(self, size: int, seconds: float = 0.0) -> None:
        self._the_wire.allow(size, seconds + self._account.silence + size / SLOWEST)

    def _together(self, mails: Sequence[Listed]) -> list[Fetched | None]:
        """Fetch all with one command; if the server refuses it because of one mail, fetch each mail by itself.

        Some servers only estimate RFC822.SIZE, so the answer may be twice as large, but not larger.
        """
        found = self._items(mails, "BODY.PEEK[]", 2 * sum(mail.size + 4096 for mail in mails) + CHUNK)
        if not found:
            return [self._in_pieces(mail) for mail in mails]
        return [self._kept(mail, found.get(mail.uid, {}).get(b"BODY[]")) for mail in mails]

    def _in_pieces(self, mail: Listed) -> Fetched | None:
        """Read until the mail ends or exceeds the limit; only the headers if its announced size exceeds it."""
        if mail.size > self._account.limit:
            head = self._piece(mail, "HEADER", 0, HEAD)
            return None if head is None else self._stub(mail, head, mail.size)
        raw = piece = self._piece(mail, "", 0, CHUNK)
        while raw and piece and len(raw) <= self._account.limit and not (len(piece) < CHUNK and len(raw) >= mail.size):
            piece = self._piece(mail, "", len(raw), CHUNK)
            raw += piece or b""
        return self._kept(mail, raw)

    def _piece(self, mail: Listed, section: str, start: int, size: int) -> bytes | None:
        found = self._items([mail], f"BODY.PEEK[{section}]<{start}.{size}>", 2 * size)
        answer: bytes | None = found.get(mail.uid, {}).get(f"BODY[{section}]<{start}>".encode())
        return answer

    def _items(self, mails: Sequence[Listed], what: str, size: int) -> dict[int, dict[bytes, Any]]:
        """Return the answer by UID; empty if the server says NO (mails deleted, or unreadable on the server)."""
        self._allow(size)
        try:
            found: dict[int, dict[bytes, Any]] = self._client.fetch([mail.uid for mail in mails], [what])
        except imaplib.IMAP4.abort:
            raise
        except imaplib.IMAP4.error:
            return {}
        return found

    def _kept(self, mail: Listed, raw: bytes | None) -> Fetched | None:
        """Return the mail, or its stub if it is over the limit although its announced size was not."""
        if raw is None:
            return None
        if len(raw) > self._account.limit:
            return self._stub(mail, raw[:HEAD], max(len(raw), mail.size))
        return Fetched(uid=mail.uid, raw=raw, at=mail.at)

    def _stub(self, mail: Listed, head: bytes, size: int) -> Fetched:
        raw = stub(head, size, self._account.limit, self._account.name)
        return Fetched(uid=mail.uid, raw=raw, at=mail.at, oversize=size)

    # --- move -----------------------------------------------------------------------------------

    def _move(self, uids: Sequence[int], folder: str) -> None:
        """Move to a folder, create it if missing; without MOVE (RFC 6851) copy, flag as deleted, expunge by UID."""
        if not self._client.folder_exists(folder):
            self._client.create_folder(folder)
        if self._client.has_capability("MOVE"):
            self._client.move(uids, folder)
            return
        # Deleted ones were copied by an earlier try.
        uids = self._client.search(["UID", ",".join(map(str, uids)), "UNDELETED"])
        if not uids:
            return
        self._client.copy(uids, folder)
        self._client.add_flags(uids, [DELETED], silent=True)
        if self._client.has_capability("UIDPLUS"):  # a plain EXPUNGE would also remove mails that others deleted
            self._client.uid_expunge(uids)

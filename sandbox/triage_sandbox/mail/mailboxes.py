"""Keeps each letter in the mailboxes of its recipients, in memory."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage, MIMEPart
from typing import Final

MOST_LETTERS: Final = 1000
"""Kept at once; the oldest goes first."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A delivered letter and its recipients."""

    number: int
    to: tuple[str, ...]
    """Addresses of the envelope, in lower case."""
    raw: bytes

    @property
    def message(self) -> EmailMessage:
        """Parsed by the standard library, which keeps what it cannot read as defects."""
        return message_from_bytes(self.raw, policy=policy.default)

    def header(self, name: str) -> str:
        """Return a header's text; empty if it is missing or no header at all."""
        try:
            return str(self.message[name] or "")
        except (ValueError, IndexError, AttributeError):  # the standard library gives up on some broken headers
            return ""

    @property
    def text(self) -> str:
        """The plain part; for a letter without one the source of its HTML, which nobody renders."""
        body = self.message.get_body(("plain", "html"))
        return "" if body is None else bytes(body.get_payload(decode=True) or b"").decode(_charset(body), "replace")


class Mailboxes:
    """All mailboxes. Letters are delivered in the mail server's thread and read in the web server's."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._letters: list[Kept] = []
        self._last = 0

    def deliver(self, to: Sequence[str], raw: bytes) -> Kept:
        """Put a letter into the mailbox of each recipient."""
        with self._lock:
            self._last += 1
            kept = Kept(self._last, tuple(dict.fromkeys(address.lower() for address in to)), raw)
            self._letters = [*self._letters, kept][-MOST_LETTERS:]
        return kept

    def letters(self, address: str = "") -> list[Kept]:
        """Return the letters of a mailbox, of all without `address`; the latest first."""
        with self._lock:
            return [kept for kept in reversed(self._letters) if not address or address.lower() in kept.to]

    def one(self, number: int) -> Kept | None:
        return next((kept for kept in self.letters() if kept.number == number), None)

    def owners(self) -> list[tuple[str, int]]:
        """Return who has letters, by address, and how many."""
        letters = self.letters()
        owners = sorted({address for kept in letters for address in kept.to})
        return [(owner, sum(owner in kept.to for kept in letters)) for owner in owners]


def _charset(body: MIMEPart) -> str:
    """Return the charset of a part that Python knows."""
    name = body.get_content_charset() or "utf-8"
    try:
        "".encode(name)
    except LookupError:
        return "utf-8"
    return name

"""A mail as it came in, and what reading it tells."""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import count
from typing import Final

from triage.domain.untrusted import NOTHING, Untrusted

OWN_HEADER: Final = "x-triage-id"
"""Every mail of ours repeats its signed Message-ID here: some relays write a Message-ID of their own instead."""
LOGO: Final = 10_000
"""Bytes up to which a picture inside the text is taken for a logo or a tracking dot; screen shots are larger."""
PICTURE: Final = re.compile(r"\[image: ([^\[\]\n]{1,120})\]")
"""What stands in a text where a picture stands in the mail: its name as an attachment, `[image: screen.png]`."""


class Kind(StrEnum):
    """Who or what is behind a mail."""

    HUMAN = "human"
    AUTOMATED = "automated"
    LIST = "list"
    BOUNCE = "bounce"
    OWN = "own"


class Trust(StrEnum):
    """How sure we are that the sender is who the mail says."""

    VERIFIED = "verified"
    WEAK = "weak"
    UNVERIFIED = "unverified"
    FAILED = "failed"


class Stub(StrEnum):
    """Why the bytes only stand for a mail. Who brought it says so; the bytes cannot, a sender writes what he likes."""

    OVERSIZE = "oversize"
    """It is larger than MAX_MAIL_BYTES: its head, and where the whole of it is."""
    ELSEWHERE = "elsewhere"
    """A provider has told of it without its content."""
    UNREADABLE = "unreadable"
    """A provider's request in which there is no mail that we could find."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """Raw bytes and how they came; the bytes are the only truth, everything else is derived."""

    source: str
    """Where from, in one word with an optional colon part: `file`, `webhook:postmark`, `imap:support`."""
    source_id: str
    """The name the source has for this delivery; the same delivery again has the same name."""
    raw: bytes
    at: datetime
    verdict: Trust | None = None
    """What the provider says of the sender, where it says something."""
    token: str = ""
    """What may bring one mail only, where the source has such a thing; the store knows the used ones."""
    stub: Stub | None = None
    """Why this is only a stub, where it is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """One mailbox: `Ada Byron <ada@example.com>`; the address in lower case."""

    address: str
    name: Untrusted = NOTHING

    @property
    def domain(self) -> str:
        """The part behind the @, empty where there is none."""
        return self.address.rpartition("@")[2] if "@" in self.address else ""

    def __str__(self) -> str:
        """As it is written in a header."""
        return f"{self.name} <{self.address}>" if self.name and self.address else self.name or self.address


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """What hangs on a mail, without its bytes: those are cut from the raw mail when asked for."""

    name: Untrusted
    """Basename only, control and direction characters removed, 120 characters at most."""
    content_type: str
    size: int
    """Decoded bytes."""
    inline: bool
    sha256: str
    content_id: str | None = None

    @property
    def tiny_picture(self) -> bool:
        """A picture too small to show anything: nobody who reads the ticket misses it inside the text."""
        return self.content_type.startswith("image/") and self.size <= LOGO

    @property
    def mark(self) -> str:
        """What stands for it in the text."""
        return f"[image: {self.name}]"


def numbered(name: str) -> Iterator[str]:
    """The name of a file, and what it is called where another one has that: `screen-2.png`, then `screen-3.png`."""
    stem, dot, ending = name.rpartition(".")
    yield name
    yield from (f"{stem}-{number}{dot}{ending}" if stem else f"{name}-{number}" for number in count(2))


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop:
    """One Received line: what a server on the way says. Below our own servers it is the sender's word and proves nothing."""

    sender: Untrusted = NOTHING
    """Who handed the mail over: the name it gave, and what the server found in brackets."""
    by: Untrusted = NOTHING
    """The server that wrote the line."""
    protocol: Untrusted = NOTHING
    at: datetime | None = None
    delay: float | None = None
    """Seconds since the hop before; None where one of the two has no time."""
    defect: str = ""
    """What is wrong with the line, in one word; empty where nothing is."""

    def __str__(self) -> str:
        """`mx.example.org from out.example.net with ESMTPS, 3 s later`."""
        named = (("", self.by), ("from ", self.sender), ("with ", self.protocol))
        words = " ".join(label + value for label, value in named if value)
        later = "" if self.delay is None else f"{self.delay:.0f} s later"
        return ", ".join(filter(None, (words, later, self.defect))) or "says nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """What one raw mail says."""

    message_id: str | None = None
    in_reply_to: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    """Oldest first; ids without angle brackets, here and in the two fields above."""
    enclosed_ids: tuple[str, ...] = ()
    """Of the mails that hang on this one whole or by their headers, as on reports."""
    subject: Untrusted = NOTHING
    sender: Address | None = None
    """The From header, never Reply-To."""
    to: tuple[Address, ...] = ()
    cc: tuple[Address, ...] = ()
    reply_to: tuple[Address, ...] = ()
    date: datetime | None = None
    text: Untrusted = NOTHING
    """The whole visible text: text/plain before HTML; pictures that show something are named where they stand."""
    reply: Untrusted = NOTHING
    """What the sender wrote now; empty where the text is nothing but the history of others."""
    quoted: Untrusted = NOTHING
    """The history below or around it."""
    attachments: tuple[Attachment, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    """Names in lower case, decoded, in their order; the long list of Received lines included."""
    hops: tuple[Hop, ...] = ()
    """The way it took, the last server first."""
    flags: tuple[str, ...] = ()
    """What was odd: `unparsed`, `degraded:…`, `many-from`, `unknown-charset`, `hidden-text`, …"""
    hidden_text: bool = False
    """The HTML held text that a reader cannot see; it is in no field above."""
    size: int = 0
    """Raw bytes."""

    def header(self, name: str) -> str:
        """The first header of that name (lower case), empty where there is none."""
        return next((value for key, value in self.headers if key == name), "")

    @property
    def left_out(self) -> str:
        """The lines of the text that are not in the reply: history, signature, what programs append."""
        if not self.reply:
            return ""  # the text stands for it then
        kept = deque(filter(None, map(str.strip, self.reply.splitlines())))
        left = []
        for line in self.text.splitlines():
            if kept and line.strip() == kept[0]:
                kept.popleft()
            elif line.strip():
                left.append(line)
        return "\n".join(left)

    @property
    def thread(self) -> tuple[str, ...]:
        """Ids of the mails before this one, the nearest first."""
        return tuple(dict.fromkeys((*self.in_reply_to, *reversed(self.references))))

    @property
    def ids(self) -> tuple[str, ...]:
        """Its own id and those of the mails before it."""
        return (*((self.message_id,) if self.message_id else ()), *self.thread)


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """What came of checking one DKIM signature ourselves."""

    domain: str
    """Who signed."""
    result: str
    """In the words of RFC 8601: pass, fail, policy, permerror, or none where nothing is known."""
    why: str = ""
    """Our words, never those of the mail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KindVerdict:
    """What kind of mail it is, and the two questions that follow from it."""

    kind: Kind
    evidence: tuple[str, ...]
    """The headers or words that say so."""
    may_ticket: bool
    may_answer: bool
    reason: str = ""
    """Why it may not make a ticket, for the report: "vacation notice", "newsletter"."""

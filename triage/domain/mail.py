"""A mail as received, as parsed, and as it is kept outside the database."""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from itertools import count
from typing import Final, Self

from triage.domain.queueing.fair_order import NO_FLOW, Flow
from triage.domain.untrusted import NOTHING, Untrusted

OWN_HEADER: Final = "x-triage-id"
"""Our mails repeat their signed Message-ID in this header, because some relays replace the Message-ID."""
SCREEN: Final = 60_000
"""Pixels from which a small file is a picture of few colours, such as a message on a screen, and no logo."""
LOGO: Final = 10_000
"""Bytes up to which an inline picture is taken for a logo or a tracking pixel, unless it has many pixels."""
PICTURE: Final = re.compile(r"\[image: ([^\[\]\n]{1,120})\]")
"""Placeholder of an inline picture in the text, with its attachment name: `[image: screen.png]`."""


class Kind(StrEnum):
    """What sort of mail it is."""

    HUMAN = "human"
    AUTOMATED = "automated"
    LIST = "list"
    BOUNCE = "bounce"
    OWN = "own"


class Trust(StrEnum):
    """How reliably the sender is who the mail says."""

    VERIFIED = "verified"
    WEAK = "weak"
    UNVERIFIED = "unverified"
    FAILED = "failed"

    @property
    def rank(self) -> int:
        """Place in the order of trust, for comparison; 0 is the least."""
        return [*reversed(Trust)].index(self)


class Stub(StrEnum):
    """Why the raw bytes are only a stub of a mail. The source sets it; the bytes cannot, since a sender can forge them."""

    OVERSIZE = "oversize"
    """Larger than MAX_MAIL_BYTES: the stub has its headers and says where the whole mail is."""
    ELSEWHERE = "elsewhere"
    """The provider announced the mail without its content."""
    UNREADABLE = "unreadable"
    """A provider's request in which no mail was found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """Raw bytes of a mail and how they came; everything else is derived from the bytes."""

    source: str
    """Origin, one word and an optional part after a colon: `file`, `webhook:postmark`, `imap:support`."""
    source_id: str
    """The source's id of this delivery; a repeated delivery has the same id."""
    raw: bytes
    at: datetime
    verdict: Trust | None = None
    """The provider's verdict on the sender, None if it gives none."""
    token: str = ""
    """One-time token, empty if the source has none; the store rejects a used one with another mail."""
    stub: Stub | None = None
    """Why this is only a stub; None for a whole mail."""
    flow: Flow = NO_FLOW
    """Whose mail it is in the queue; set by the intake."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """One mailbox: `Ada Byron <ada@example.com>`; the address in lower case."""

    address: str
    name: Untrusted = NOTHING

    @classmethod
    def read(cls, text: str) -> Self:
        """Read what `str` has written, which is no header: the name may hold commas, quotes and brackets. Without `<…>` all is address."""
        if not text.endswith(">"):
            return cls(address=text)
        name, _, address = text.removesuffix(">").rpartition("<")
        return cls(address=address, name=Untrusted(name.strip()))

    @property
    def domain(self) -> str:
        """The part behind the @, empty where there is none."""
        return self.address.rpartition("@")[2] if "@" in self.address else ""

    def __str__(self) -> str:
        """As written in a header."""
        return f"{self.name} <{self.address}>" if self.name and self.address else self.name or self.address


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """An attachment without its bytes; those are extracted from the raw mail on demand."""

    name: Untrusted
    """Basename only, control and direction characters removed, 120 characters at most."""
    content_type: str
    size: int
    """Decoded bytes."""
    inline: bool
    sha256: str
    content_id: str | None = None
    pixels: int = field(default=0, compare=False)
    """Width times height of a picture; 0 where its file does not say, and in cases of older versions."""

    @property
    def tiny_picture(self) -> bool:
        """Whether it is a picture too small to show anything to a reader of the ticket."""
        return self.content_type.startswith("image/") and self.size <= LOGO and self.pixels < SCREEN

    @property
    def mark(self) -> str:
        """Its placeholder in the text."""
        return f"[image: {self.name}]"


def numbered(name: str) -> Iterator[str]:
    """Yield the file name, then variants in case of a clash: `screen-2.png`, `screen-3.png`."""
    stem, dot, ending = name.rpartition(".")
    yield name
    yield from (f"{stem}-{number}{dot}{ending}" if stem else f"{name}-{number}" for number in count(2))


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop:
    """One Received line. Lines below those of our own servers may be forged by the sender and prove nothing."""

    sender: Untrusted = NOTHING
    """The server that handed the mail over: the name it gave, and in brackets what the receiver found."""
    by: Untrusted = NOTHING
    """The server that wrote the line."""
    protocol: Untrusted = NOTHING
    at: datetime | None = None
    delay: float | None = None
    """Seconds since the previous hop, less than 0 where its clock is behind; None if either has no time."""
    defect: str = ""
    """What is wrong with the line, in one word; empty if nothing."""

    def __str__(self) -> str:
        """`mx.example.org from out.example.net with ESMTPS, 3 s later`."""
        named = (("", self.by), ("from ", self.sender), ("with ", self.protocol))
        words = " ".join(label + value for label, value in named if value)
        return ", ".join(filter(None, (words, self._after, self.defect))) or "says nothing"

    @property
    def _after(self) -> str:
        """When it came after the previous hop, in words; empty if either has no time."""
        if self.delay is None:
            return ""
        seconds = round(self.delay)
        return f"{seconds} s later" if seconds >= 0 else f"{-seconds} s earlier by its clock"


@dataclass(frozen=True, slots=True)
class TextMark:
    """A part of a line that the mail's markup sets off."""

    start: int
    end: int
    kind: str
    """`strong`, `code`, or the address that a link leads to."""


@dataclass(frozen=True, slots=True)
class RichLine:
    """A line of text with what the mail's markup says about it."""

    text: Untrusted
    kind: str = ""
    """`code` in preformatted text, `row` and `head` in tables, where ` | ` stands between cells, `quote` of what is answered."""
    marks: tuple[TextMark, ...] = ()

    @property
    def code(self) -> bool:
        return self.kind == "code"

    def part(self, start: int, end: int) -> "RichLine":
        """The line's characters from `start` to `end`, with their marks."""
        inside = ((max(start, mark.start) - start, min(end, mark.end) - start, mark.kind) for mark in self.marks)
        return RichLine(
            Untrusted(self.text[start:end]), self.kind, tuple(TextMark(*one) for one in inside if one[0] < one[1])
        )

    def then(self, other: "RichLine", between: str = "") -> "RichLine":
        """This line and another one as one line."""
        shift = len(self.text) + len(between)
        marks = (*self.marks, *(TextMark(one.start + shift, one.end + shift, one.kind) for one in other.marks))
        return RichLine(Untrusted(f"{self.text}{between}{other.text}"), self.kind, marks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A parsed mail."""

    message_id: str | None = None
    in_reply_to: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    """Oldest first; ids without angle brackets, here and in the two fields above."""
    enclosed_ids: tuple[str, ...] = ()
    """Message-IDs of mails attached whole or as headers, as in bounce reports."""
    subject: Untrusted = NOTHING
    sender: Address | None = None
    """The From header, never Reply-To."""
    to: tuple[Address, ...] = ()
    cc: tuple[Address, ...] = ()
    reply_to: tuple[Address, ...] = ()
    date: datetime | None = None
    text: Untrusted = NOTHING
    """The whole visible text, from text/plain rather than HTML; pictures that show something have placeholders."""
    reply: Untrusted = NOTHING
    """What the sender wrote in this mail; empty if the text is only quoted history."""
    rich: tuple[RichLine, ...] = ()
    """The reply as the mail's HTML shows it, with lists, tables, links; empty without HTML or where it says something else."""
    quoted: Untrusted = NOTHING
    """The quoted history below or around the reply."""
    attachments: tuple[Attachment, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    """Names in lower case, values decoded, in original order, Received lines included."""
    hops: tuple[Hop, ...] = ()
    """The Received lines, last server first."""
    flags: tuple[str, ...] = ()
    """Oddities: `unparsed`, `degraded:…`, `many-from`, `unknown-charset`, `hidden-text`, …"""
    hidden_text: bool = False
    """The HTML contained text that a reader cannot see; no field contains it."""
    size: int = 0
    """Bytes of the raw mail."""

    @classmethod
    def of_text(cls, subject: str, text: str) -> Self:
        """Return a mail that says this and nothing else."""
        return cls(subject=Untrusted(subject), text=Untrusted(text), reply=Untrusted(text))

    def header(self, name: str) -> str:
        """The first header of that name (lower case), empty where there is none."""
        return next((value for key, value in self.headers if key == name), "")

    @property
    def left_out(self) -> str:
        """Lines of the text that are not in the reply: history, signature, lines that programs append."""
        if not self.reply:
            return ""  # callers use the whole text instead of an empty reply
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
        """Message-IDs of the mails before this one, nearest first."""
        return tuple(dict.fromkeys((*self.in_reply_to, *reversed(self.references))))

    @property
    def ids(self) -> tuple[str, ...]:
        """Its own id and those of the mails before it."""
        return (*((self.message_id,) if self.message_id else ()), *self.thread)


@dataclass(frozen=True, slots=True)
class MailLink:
    """A link of a mail: shown as text, and opened only by a person who has seen its target."""

    text: Untrusted
    target: Untrusted
    """Begins with `http://`, `https://` or `mailto:`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MailView:
    """A mail as a person reads it in a browser: markup without scripts, styles, links, forms and addresses of other hosts."""

    html: str
    """Contents of a `body`; its pictures are `data:` addresses, what the sender hid stands in `mark.hidden`."""
    links: tuple[MailLink, ...] = ()
    """In their order, at most 500, each target once."""
    remote: int = 0
    """Pictures of other hosts, which are not loaded."""
    hidden: int = 0
    """Passages that a reader of the mail would not have seen."""
    cut: bool = False
    """It was too long or too deeply nested: only the raw mail has the rest."""
    plain: bool = True
    """It was made from text without markup."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """Result of our own check of one DKIM signature."""

    domain: str
    """The signing domain."""
    result: str
    """RFC 8601 result: pass, fail, policy, permerror; none if nothing is known."""
    why: str = ""
    """Written by code, never text of the mail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KindVerdict:
    """The kind of a mail, and whether it may create a ticket or be answered."""

    kind: Kind
    evidence: tuple[str, ...]
    """Headers or words that show the kind."""
    may_ticket: bool
    may_answer: bool
    reason: str = ""
    """Why it may not create a ticket, for the report: "vacation notice", "newsletter"."""


class CopyState(StrEnum):
    """What the database knows of a raw mail's copy in the archive."""

    COPYING = "copying"
    """A copy may be there; the bytes are still in the database."""
    KEPT = "kept"
    """The copy is the mail; the database has its bytes no more."""
    UNWANTED = "unwanted"
    """The mail is forgotten, or too old: the copy is to be deleted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedMail:
    """A raw mail that is in the archive, or may go there."""

    case: str
    accepted_at: datetime
    sha256: str

    @property
    def key(self) -> str:
        """Its name in the archive: a folder for each month; other bytes have another name."""
        return f"{self.accepted_at:%Y-%m}/{self.case}-{self.sha256}.eml"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnwantedCopy:
    """A copy that has to go from the archive."""

    case: str
    key: str
    since: datetime

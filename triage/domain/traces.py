"""Fingerprints of mails: hashes by which a later mail is recognised, without addresses or words."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from struct import unpack
from typing import Final

from triage.domain.untrusted import Untrusted


class Group(StrEnum):
    """Properties by which the rate limits group mails."""

    SENDER = "sender"
    NEWCOMERS = "newcomers"
    """Nearly the same words from new senders of any domain."""
    STORM = "storm"
    """Nearly the same words, from one proven sender or from any senders that are not proven."""
    THREAD = "thread"


SUMMARY: Final = "digest"
"""Last part of the effect key of a flood's summary."""
ALIKE: Final = 0.4
"""Two mails are alike if they share at least this part of the union of their words."""
SHORT: Final = 20
"""Of a mail with fewer words `ALIKE_IF_SHORT` counts: a laptop for Vera and one for Xaver are ordered in the same words."""
ALIKE_IF_SHORT: Final = 0.6
MOSTLY: Final = 0.75
"""Or this part of the shorter mail's words, so that padding hides nothing."""
MOSTLY_IF_SHORT: Final = 0.9
SEVERAL: Final = 6
"""Least words of which a part counts."""
FEW: Final = 5
"""Mails with fewer words are alike only if their words are equal."""


@dataclass(frozen=True, slots=True)
class Sketch:
    """The set of hashes of a mail's words, without their order."""

    words: frozenset[int] = frozenset()

    @classmethod
    def of(cls, text: str) -> "Sketch":
        """Parse a sketch from the text that `str` returns for one."""
        return cls(frozenset(unpack(f">{len(text) // 8}I", bytes.fromhex(text))))

    def __str__(self) -> str:
        """Eight hexadecimal digits per word, sorted."""
        return "".join(f"{word:08x}" for word in sorted(self.words))

    def like(self, other: "Sketch") -> bool:
        """Whether both have nearly the same words, even if shuffled or padded."""
        sizes, both = (len(self.words), len(other.words)), len(self.words & other.words)
        fewer, union = min(sizes), sum(sizes) - both
        if fewer < FEW:
            return self.words == other.words
        if fewer < SHORT:
            padded = fewer >= SEVERAL and both >= MOSTLY_IF_SHORT * fewer
            return padded or both >= ALIKE_IF_SHORT * union
        return both >= ALIKE * union or both >= MOSTLY * fewer


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """Keys of one mail; an empty key matches no other."""

    content: str
    message_id: str = ""
    dated: bool = True
    """The mail has a date, so equal content is the same mail even under another Message-ID."""
    sender: str = ""
    thread: str = ""
    storm: str = ""
    """Key of the group of alike mails; computed from the sketch if there is one."""
    sketch: Sketch | None = None
    proven: bool = False
    """The sender is verified, so mails that others send under this name do not count for it."""
    subject: str = ""
    """The subject without numbers and word order."""
    topic: str = ""
    """Proven sender and subject; of an alert sender, proven or not, and object."""
    people: tuple[str, ...] = ()
    """Sender and recipients, and the organisation of a proven sender."""
    answers: str = ""
    """The mails that it answers; equal in copies of one mail."""
    believed: int = 0
    """Rank of the sender's trust: a copy with a lower rank never stands for this mail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """An earlier case with the same mail."""

    case: str
    outranked: bool
    """The later mail's sender is better proven, so it is processed too: one of the two may be forged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """A mail that shares a Message-ID with another, as its own id or as one that it answers."""

    case: str
    busy: bool
    """It came earlier and is still in progress; otherwise it has ended and has a ticket."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupState:
    """Where the earlier mails of a group ended."""

    ticket: str | None = None
    """Ticket of the first mail that has one."""
    busy: str | None = None
    """Case of the first mail still in progress."""
    waiting: str | None = None
    """Case of the first mail that waits for a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """Mails that their flood's summary does not contain yet."""

    count: int
    first: bool
    """There is no other digest of this group within the window."""


@dataclass(frozen=True, slots=True)
class FloodSubject:
    """Mails of one flood with the same subject."""

    text: Untrusted
    count: int
    first: str
    """Case of the first of them."""
    last: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Content of the one comment on a flood's ticket: all mails reported so far."""

    count: int
    since: datetime
    until: datetime
    different: int
    """Number of different subjects."""
    subjects: tuple[FloodSubject, ...] = ()
    """All, or the first and the last, in order of arrival."""
    comment: str = ""
    """Id of the comment written before, empty if there is none."""
    writer: str | None = None
    """Case that is about to write the comment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Throttled:
    """Result of throttling a mail."""

    digest: Digest | None = None
    """Mails to report in a comment now; None if it is not time."""
    collects: bool = False
    """No comment reports this mail or an earlier one of its group, so its case wakes later to report them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flood:
    """Mails held by one rate limit and collected in one ticket."""

    group: Group
    ticket: str
    held: int
    reported: int
    """Number of them that a comment reports."""
    since: datetime
    until: datetime
    newest: Untrusted
    """Subject of the latest mail."""
    case: str
    """Case of the latest mail."""
    due: datetime | None = None
    """Latest time of the next comment; None if all mails are reported."""

    @property
    def unreported(self) -> int:
        """Number of mails that no comment reports yet."""
        return self.held - self.reported

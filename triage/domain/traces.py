"""Fingerprints of mails: hashes by which a later mail is recognised; they hold no address and no word."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from triage.domain.untrusted import Untrusted


class Group(StrEnum):
    """What mails can have in common."""

    SENDER = "sender"
    NEWCOMERS = "newcomers"
    """Nearly the same words, from addresses that nobody had heard of before; whatever the domains."""
    STORM = "storm"
    """Nearly the same words: of one proven sender, or of anybody who is not proven."""
    THREAD = "thread"


SUMMARY: Final = "digest"
"""The last part of the key under which the ledger has the summary of a flood."""
ALIKE: Final = 0.4
"""Share of the words of both that two alike mails have in common at least."""
MOSTLY: Final = 0.75
"""Share of the words of the shorter one that are enough, where it has `SEVERAL`: padding hides nothing."""
SEVERAL: Final = 6
FEW: Final = 5
"""Mails of fewer words are alike when they are the same."""


@dataclass(frozen=True, slots=True)
class Sketch:
    """A mail's words without their order, as numbers that say nothing of them."""

    words: frozenset[int] = frozenset()

    @classmethod
    def of(cls, text: str) -> "Sketch":
        """As `str` writes it."""
        return cls(frozenset(int(text[place : place + 8], 16) for place in range(0, len(text), 8)))

    def __str__(self) -> str:
        """Eight hexadecimal digits a word."""
        return "".join(f"{word:08x}" for word in sorted(self.words))

    def like(self, other: "Sketch") -> bool:
        """Nearly the same words, shuffled or padded as they may be."""
        both, fewer = len(self.words & other.words), min(len(self.words), len(other.words))
        if fewer < FEW:
            return self.words == other.words
        return both >= ALIKE * len(self.words | other.words) or (fewer >= SEVERAL and both >= MOSTLY * fewer)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """One mail's keys; an empty one is like no other."""

    content: str
    message_id: str = ""
    dated: bool = True
    """It has a date, so the same content is the same mail even under another Message-ID."""
    sender: str = ""
    thread: str = ""
    storm: str = ""
    """The mails that it is like; worked out from the sketch, where there is one."""
    sketch: Sketch | None = None
    proven: bool = False
    """Its sender is verified, so what others send in his name does not count for him."""
    subject: str = ""
    """The subject without numbers and order of words."""
    topic: str = ""
    """Proven sender and subject."""
    people: tuple[str, ...] = ()
    """Everybody the mail is from or to."""
    answers: str = ""
    """The mails that it answers: copies of one mail answer the same."""
    believed: int = 0
    """How far its sender is believed: no copy stands for one that is believed more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """The same mail came before."""

    case: str
    outranked: bool
    """This one's sender is better proven, so it is worked on, too: one of the two may be forged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """A mail that has or answers one of the ids that another one has or answers."""

    case: str
    busy: bool
    """It came earlier, and is still being worked on; else it has ended and has a ticket."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupState:
    """Where the earlier mails of a group ended."""

    ticket: str | None = None
    """Of the first one that has a ticket."""
    busy: str | None = None
    """The first one that is still being worked on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """Mails that the summary of their flood does not have yet."""

    count: int
    first: bool
    """No other digest of this group within the window."""


@dataclass(frozen=True, slots=True)
class Subject:
    """Mails of one flood that have the same subject."""

    text: Untrusted
    count: int
    first: str
    """The case of the first of them."""
    last: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What the one comment on a flood's ticket says of the mails that it has told of so far."""

    count: int
    since: datetime
    until: datetime
    different: int
    """So many subjects."""
    subjects: tuple[Subject, ...] = ()
    """All, or the first and the last ones, in the order in which they came."""
    comment: str = ""
    """The id of the comment that was written before, empty where there is none."""
    writer: str | None = None
    """The case that is about to write it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Throttled:
    """What came of holding a mail."""

    digest: Digest | None = None
    """To tell of now, where it is time to."""
    collects: bool = False
    """No comment has told of it or of any before it: its case is to come back and see to that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flood:
    """Mails that one brake has held and one ticket has collected."""

    group: Group
    ticket: str
    held: int
    told: int
    """So many of them a comment has told of."""
    since: datetime
    until: datetime
    newest: Untrusted
    """The subject of the last one."""
    case: str
    """Its case."""
    due: datetime | None = None
    """When the next comment comes at the latest; none where all have been told of."""

    @property
    def untold(self) -> int:
        """So many no comment has told of yet."""
        return self.held - self.told

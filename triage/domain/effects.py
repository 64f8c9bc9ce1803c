"""Effects: writes to other systems, and the state of each."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from triage.domain.untrusted import Untrusted


class EffectState(StrEnum):
    """State of a write."""

    INTENDED = "intended"
    """Committed before the first byte is sent."""
    UNKNOWN = "unknown"
    """Sent, answer lost."""
    DONE = "done"
    REFUSED = "refused"
    """The other side definitely rejected it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """A write to another system, made at most once."""

    key: str
    """`case-17:create:1`: case, kind, target if any, sequence; never derived from the text, which may differ after a restart."""
    kind: str
    """create, comment, edit, change or transition, among others."""
    target: str = ""
    """Key of the changed ticket; empty for create."""
    label: str = ""
    """Label of the `Mark` that it carries."""
    body_hash: str = ""
    above: int = 0
    """create: the highest ticket number known before; the search for a lost ticket starts there."""
    state: EffectState = EffectState.INTENDED
    result: str = ""
    """The ticket key or comment id."""
    note: str = ""
    """What was dropped, why it was refused, or (UNKNOWN) the ISO time since when."""
    posts: int = 0
    """Number of times it was sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reports:
    """The reports that all cases have made on one ticket."""

    comments: int = 0
    """Number of comments that are separate effects."""
    count: int = 0
    """Number of mails that the one comment on further reports collects."""
    since: datetime | None = None
    until: datetime | None = None
    senders: tuple[tuple[Untrusted, int, str], ...] = ()
    """Sender, number of collected mails, case of the last one: of most mails first, at most twenty."""
    different: int = 0
    """Number of different senders."""
    comment: str = ""
    """Id of that comment; empty before it is written."""
    writer: str | None = None
    """Earlier case that is about to write it."""

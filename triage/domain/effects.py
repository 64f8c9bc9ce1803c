"""Effects: writes that leave the process, and where each of them stands."""

from dataclasses import dataclass
from enum import StrEnum


class EffectState(StrEnum):
    """Where a write stands."""

    INTENDED = "intended"
    """Committed before the first byte is sent."""
    UNKNOWN = "unknown"
    """Sent, answer lost."""
    DONE = "done"
    REFUSED = "refused"
    """The other side said no, definitely."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """Something that leaves the process: written at most once."""

    key: str
    """`case-17:create:1`; from the case, what it is and which one of that kind, never from the text."""
    kind: str
    """create, comment, edit, change or transition, among others."""
    target: str = ""
    """The ticket it changes; empty for create."""
    label: str = ""
    """The mark it carries."""
    body_hash: str = ""
    above: int = 0
    """create: the highest ticket number known before, so the search for a lost one starts there."""
    state: EffectState = EffectState.INTENDED
    result: str = ""
    """The ticket key or comment id."""
    note: str = ""
    """What was dropped, why it was refused."""
    posts: int = 0
    """How often it was sent."""

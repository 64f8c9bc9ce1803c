"""Fair queueing of waiting mails: the flow that a mail belongs to, and its place in the queue.

Start-time fair queueing without a counter: a turn is reckoned from the open jobs alone. A sender's next mail comes a round
behind his last one that waits; first mails of senders share the rounds of their mailbox. Alerts and newsletters come some
rounds behind what people write. So neither a storm of one sender nor one of a mailbox puts off the others by more than a few mails.
"""

import hashlib
from dataclasses import dataclass
from typing import Final

ABREAST: Final = 10
"""Senders of one mailbox whose first mails share a round."""
LATER: Final = 20.0
"""Rounds by which a program's mail is queued behind people's; the bound keeps it from starving."""


@dataclass(frozen=True, slots=True)
class Flow:
    """The sender of a mail by its headers alone, unproven: enough for the order of the queue, and used for nothing else."""

    sender: str = ""
    """The hash of a person's address, empty if there is none to be read."""
    automated: bool = False
    """A program or a list has written it."""


NO_FLOW: Final = Flow()
"""Nobody's that is known."""


@dataclass(frozen=True, slots=True)
class Backlog:
    """The waiting mails, as far as the place of a new mail depends on them."""

    floor: float = 0.0
    """The turn of the mail that is next, reckoned as a person's."""
    of_sender: float | None = None
    """The last turn of his mails that wait in this mailbox."""
    first_ones: float | None = None
    """The last turn of the senders' first mails that wait in this mailbox."""


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a mail in the queue."""

    turn: float
    first: bool
    """No other mail of its sender waits in this mailbox."""


def place_of(backlog: Backlog, *, automated: bool) -> Place:
    """Return the place of a new mail; equal turns follow arrival."""
    floor = backlog.floor + (LATER if automated else 0.0)
    if backlog.of_sender is not None:
        return Place(max(floor, backlog.of_sender) + 1.0, first=False)
    return Place(max(floor, backlog.first_ones or floor) + 1.0 / ABREAST, first=True)


def number_of(*parts: object) -> int:
    """Return a number of 63 bits for an index."""
    text = "\0".join(map(str, parts)).encode(errors="replace")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest()) >> 1

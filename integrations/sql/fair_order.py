"""Reads from the open jobs what the turn of new mails depends on: one statement a batch, each part one step into an index."""

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Any, Final

from sqlalchemy import Connection, TextClause, bindparam, text

from integrations.sql.database.schema import jobs
from triage.domain.mail import Received
from triage.domain.queueing.fair_order import LATER, Backlog, Place, number_of, place_of

Key = tuple[int, int]
"""Numbers of sender and mailbox."""
NOBODY: Final = -1
"""Number of no sender and no mailbox; fills up a statement."""
UNKNOWN: Final = 0
"""Number of a sender that could not be read."""

# The floor: of the next one that is due; where none is, of the last one that waits, so that it is not overtaken for ever.
_FLOOR: Final = """
SELECT * FROM (
  SELECT 0 AS part, 0 AS number, turn - CASE WHEN automated THEN :later ELSE 0 END AS turn
  FROM jobs WHERE due <= :now ORDER BY jobs.turn, case_id LIMIT 1
) AS due
UNION ALL SELECT * FROM (
  SELECT 1, 0, turn - CASE WHEN automated THEN :later ELSE 0 END
  FROM jobs WHERE due IS NOT NULL ORDER BY jobs.turn DESC, case_id DESC LIMIT 1
) AS waiting
"""
_SENDER: Final = (
    "SELECT 2, {n}, (SELECT turn FROM jobs WHERE due IS NOT NULL AND sender = :s{n} AND mailbox = :m{n}"
    " ORDER BY turn DESC LIMIT 1)"
)
_FIRST: Final = "SELECT 3, {n}, (SELECT turn FROM jobs WHERE due IS NOT NULL AND opens AND mailbox = :b{n} ORDER BY turn DESC LIMIT 1)"


def key_of(received: Received) -> Key:
    """Return the numbers of a mail's sender and mailbox; what programs write is a mailbox of its own."""
    return sender_number(received.flow.sender), number_of(received.source, received.flow.automated)


def sender_number(person: str) -> int:
    """Return the number of a sender by the hash of his address."""
    return number_of(person) if person else UNKNOWN


def places(connection: Connection, batch: Sequence[Received], now: datetime) -> list[Place]:
    """Return the places of a batch's mails, in their order; the caller keeps other writers out."""
    keys = [key_of(received) for received in batch]
    last, first, floor = _standing(connection, list(dict.fromkeys(keys)), now)
    found = []
    for received, key in zip(batch, keys, strict=True):
        backlog = Backlog(floor, last.get(key), first.get(key[1]))
        place = place_of(backlog, automated=received.flow.automated)
        last[key] = place.turn
        if place.first:
            first[key[1]] = place.turn
        found.append(place)
    return found


def _standing(
    connection: Connection, keys: Sequence[Key], now: datetime
) -> tuple[dict[Key, float], dict[int, float], float]:
    """Return the last turns by sender and mailbox, those of first mails by mailbox, and the floor."""
    boxes = list(dict.fromkeys(box for _, box in keys))
    many, few = _room(len(keys)), _room(len(boxes))
    filled = [*keys, *[(NOBODY, NOBODY)] * (many - len(keys))]
    values: dict[str, Any] = {"now": now}
    values |= {f"s{n}": sender for n, (sender, _) in enumerate(filled)} | {
        f"m{n}": box for n, (_, box) in enumerate(filled)
    }
    values |= {f"b{n}": boxes[n] if n < len(boxes) else NOBODY for n in range(few)}
    rows = connection.execute(_statement(many, few), values).all()
    turns = {(row.part, row.number): float(row.turn) for row in rows if row.turn is not None}
    last = {keys[number]: turn for (part, number), turn in turns.items() if part == 2}  # noqa: PLR2004 - as in _SENDER
    first = {boxes[number]: turn for (part, number), turn in turns.items() if part == 3}  # noqa: PLR2004 - as in _FIRST
    return last, first, turns.get((0, 0), turns.get((1, 0), 0.0))


def _room(count: int) -> int:
    """Round up to a power of two, so that few statements are made and kept."""
    return 1 << (count - 1).bit_length()


@cache
def _statement(senders: int, mailboxes: int) -> TextClause:
    parts = [_FLOOR] + [_SENDER.format(n=n) for n in range(senders)] + [_FIRST.format(n=n) for n in range(mailboxes)]
    now, later = bindparam("now", type_=jobs.c.due.type), bindparam("later", LATER, type_=jobs.c.turn.type)
    return text(" UNION ALL ".join(parts)).bindparams(now, later)

"""Finds notes by their words in the rows of a note table."""

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from heapq import nsmallest
from typing import Final, NamedTuple

SHORTEST_BEGINNING: Final = 4
"""Letters of a word that also finds longer words: `invoice` finds `invoiced`."""
MOST_ENDINGS: Final = 12
HIGHEST: Final = "\U0010ffff"
BEGINNING: Final = 0.5
"""What a longer word counts beside the word itself."""


class NoteQuery(NamedTuple):
    """A term of a question."""

    term: str
    rarity: float
    holding: Mapping[int, float]
    """Numbers of the notes that hold it, with what it counts there."""


class FoundNotes(NamedTuple):
    """A note that was found."""

    data: str
    number: int
    terms: tuple[NoteQuery, ...]
    """Those that it holds, the rarest first."""


def asked_for(at: sqlite3.Connection, terms: Sequence[str], rarity: Callable[[int, int], float]) -> list[NoteQuery]:
    """Return the terms with the notes that hold them, the rarest first."""
    total = at.execute("SELECT count(*) FROM notes").fetchone()[0]
    held = {term: _holding(at, term) for term in terms}
    asked = [NoteQuery(term, rarity(len(numbers), total), numbers) for term, numbers in held.items()]
    return sorted(asked, key=lambda one: -one.rarity)


def best_of(at: sqlite3.Connection, asked: Sequence[NoteQuery], limit: int, kind: str, status: str) -> list[FoundNotes]:
    """Return the best notes of a kind and a status, best first; an empty kind or status is any."""
    values: defaultdict[int, float] = defaultdict(float)
    for one in asked:
        for number, share in one.holding.items():
            values[number] += one.rarity * share
    if kind or status:
        wanted = at.execute(
            "SELECT number FROM notes WHERE ? IN ('', kind) AND ? IN ('', status)", (kind, status)
        ).fetchall()
        values = defaultdict(float, {number: values[number] for (number,) in wanted if number in values})
    found = []
    for number in nsmallest(limit, values, key=lambda number: (-values[number], number)):
        (data,) = at.execute("SELECT data FROM notes WHERE number = ?", (number,)).fetchone()
        found.append(FoundNotes(data, number, tuple(one for one in asked if number in one.holding)))
    return found


def _holding(at: sqlite3.Connection, term: str) -> Mapping[int, float]:
    """Return the notes that hold a term; of one that none holds, those that hold words that begin with it."""
    found = dict(at.execute("SELECT note, share FROM words WHERE term = ?", (term,)).fetchall())
    if found or len(term) < SHORTEST_BEGINNING:
        return found
    longer = at.execute(
        "SELECT DISTINCT term FROM words WHERE term > ? AND term < ? ORDER BY term LIMIT ?",
        (term, term + HIGHEST, MOST_ENDINGS),
    ).fetchall()
    shares = [at.execute("SELECT note, share FROM words WHERE term = ?", one).fetchall() for one in longer]
    return {note: share * BEGINNING for each in shares for note, share in each}

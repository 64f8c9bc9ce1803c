"""Finds notes by words: an inverted index in memory that follows the vault note by note."""

import math
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from triage.domain.memory.notes import Note, NoteHit
from triage.policy.text.sentences import plain
from triage.policy.text.tokenizer import terms_in

TITLE, NAMES, TEXT = 3.0, 2.0, 1.0
"""What a word counts in the title; in people, tags, tickets and sources; in the text."""
SATURATED: Final = 1.2
"""BM25's k1: how soon a word that is repeated counts no more."""
SHORTEST_BEGINNING: Final = 4
"""Letters of a word that also finds longer words: `invoice` finds `invoiced`."""
MOST_ENDINGS: Final = 12
EDGES: Final = ".,;:!?()[]{}<>\"'*"


def terms_of(text: str) -> Iterator[str]:
    """Yield the terms of a text; addresses and what is written with a hyphen, such as the key of a ticket, also whole."""
    yield from terms_in(text)
    if "@" in text or "-" in text:
        yield from (plain(chunk.strip(EDGES)) for chunk in text.split() if "@" in chunk or "-" in chunk.strip(EDGES))


class NoteIndex:
    """Which notes hold which words. It is given all notes each time, and reads those that are other ones."""

    def __init__(self) -> None:
        self._notes: dict[str, Note] = {}
        self._terms: dict[str, Mapping[str, float]] = {}
        self._held: defaultdict[str, dict[str, float]] = defaultdict(dict)
        self._sorted: list[str] = []
        self._followed: tuple[Note, ...] = ()

    def follow(self, notes: tuple[Note, ...]) -> int:
        """Take over these notes as all that there are; return how many were read."""
        if notes is self._followed:
            return 0
        there = {note.id: note for note in notes}
        gone = [name for name in self._notes if name not in there]
        new = [note for note in notes if self._notes.get(note.id) is not note]
        for name in (*gone, *(note.id for note in new)):
            for term in self._terms.pop(name, ()):
                del self._held[term][name]
                if not self._held[term]:
                    del self._held[term]
        for note in new:
            self._terms[note.id] = weights = _weights(note)
            for term, weight in weights.items():
                self._held[term][note.id] = weight
        self._notes, self._followed, self._sorted = there, notes, []
        return len(new)

    def search(self, words: str, limit: int, wanted: Callable[[Note], bool] = lambda _: True) -> tuple[NoteHit, ...]:
        """Return the best notes for these words, best first; without words none."""
        terms = tuple(dict.fromkeys(terms_of(words)))
        rarity = {term: self._rarity(self._found(term)) for term in terms}
        values: defaultdict[str, float] = defaultdict(float)
        evidence: defaultdict[str, list[str]] = defaultdict(list)
        for term in sorted(terms, key=lambda each: -rarity[each]):
            for name, weight in self._found(term).items():
                values[name] += rarity[term] * weight / (weight + SATURATED)
                evidence[name].append(term)
        whole = sum(rarity.values())
        best = sorted((name for name in values if wanted(self._notes[name])), key=lambda name: (-values[name], name))
        return tuple(
            NoteHit(
                note=self._notes[name],
                score=round(sum(rarity[term] for term in evidence[name]) / whole, 4),
                evidence=tuple(evidence[name]),
            )
            for name in best[:limit]
        )

    def _found(self, term: str) -> Mapping[str, float]:
        """Return the notes that hold a term; of one that none holds, those that hold words that begin with it."""
        if term in self._held or len(term) < SHORTEST_BEGINNING:
            return self._held.get(term, {})
        self._sorted = self._sorted or sorted(self._held)
        at = bisect_left(self._sorted, term)
        longer = [other for other in self._sorted[at : at + MOST_ENDINGS] if other.startswith(term)]
        return {name: weight / 2 for other in longer for name, weight in self._held[other].items()}

    def _rarity(self, found: Mapping[str, float]) -> float:
        return math.log(1 + (len(self._notes) + 0.5) / (len(found) + 0.5))


def _weights(note: Note) -> Mapping[str, float]:
    """Return what each term of a note counts; in a long text a word counts less."""
    weights: defaultdict[str, float] = defaultdict(float)
    names = " ".join((*note.people, note.owner, *note.tags, *note.tickets, *note.source_senders, *note.source_emails))
    for text, each in ((note.title, TITLE), (names, NAMES)):
        _add(weights, terms_of(text), each)
    terms = tuple(terms_of(note.text))
    _add(weights, terms, TEXT / (1 + math.log10(1 + len(terms) / 100)))
    return weights


def _add(weights: defaultdict[str, float], terms: Iterable[str], each: float) -> None:
    for term, times in Counter(terms).items():
        weights[term] += times * each

"""Says by which words a note is found, and what they count."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from triage.domain.memory.notes import Note
from triage.policy.text.sentences import plain
from triage.policy.text.tokenizer import terms_in

VERSION: Final = 4
"""Count up when a note gives other terms, links or fields than before: the kept ones are made again."""
TITLE, NAMES, TEXT = 3.0, 2.0, 1.0
"""What a word counts in the title; in people, tags, tickets and sources; in the text."""
SATURATED: Final = 1.2
"""BM25's k1: how soon a word that is repeated counts no more."""
ADDRESS: Final = re.compile(r"([^\s<>@]+)@([^\s<>@]+)\.[^\s<>@.]+")
"""An address without the last part of its host."""
SIGNS: Final = re.compile(r"[<>._+-]")
EDGES: Final = ".,;:!?()[]{}<>\"'*"


def terms_of(text: str) -> Iterator[str]:
    """Yield the terms of a text; addresses and what is written with a hyphen, such as the key of a ticket, also whole."""
    yield from terms_in(text)
    if "@" in text or "-" in text:
        yield from (plain(chunk.strip(EDGES)) for chunk in text.split() if "@" in chunk or "-" in chunk.strip(EDGES))


def name_terms(person: str) -> Iterator[str]:
    """Yield the terms of a name or address: `Tom Reed <tom@north-freight.example>` gives reed, tom, north, freight."""
    address = ADDRESS.sub(lambda found: f" {found[1]} {found[2]} ", plain(person))
    yield from terms_in(SIGNS.sub(" ", address))


def words_of(note: Note) -> Mapping[str, float]:
    """Return the terms of a note, each with what it counts there, 0 to 1; in a long text a word counts less."""
    weights: defaultdict[str, float] = defaultdict(float)
    names = " ".join((*note.people, note.owner, *note.tags, *note.tickets, *note.source_senders, *note.source_emails))
    for text, each in ((note.title, TITLE), (names, NAMES)):
        _add(weights, terms_of(text), each)
    _add(weights, (term for person in dict.fromkeys((note.owner, *note.people)) for term in name_terms(person)), NAMES)
    terms = tuple(terms_of(note.text))
    _add(weights, terms, TEXT / (1 + math.log10(1 + len(terms) / 100)))
    return {term: weight / (weight + SATURATED) for term, weight in weights.items()}


def rarity(holding: int, total: int) -> float:
    """Return what a term counts in a question, given how many notes hold it."""
    return math.log(1 + (total + 0.5) / (holding + 0.5))


def _add(weights: defaultdict[str, float], terms: Iterable[str], each: float) -> None:
    for term, times in Counter(terms).items():
        weights[term] += times * each

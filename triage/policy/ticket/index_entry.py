"""Cuts tickets and mails into the terms by which the ticket index finds one with the other.

Both pass the same tokenizer: stems, parts of identifiers, and pairs of characters where a script has no blanks.
"""

import struct
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from math import log
from typing import Final

from triage.domain.retrieval import Hit, IndexEntry
from triage.domain.tickets import Ticket
from triage.policy.ranking.documents import TEXT_LIMIT, packed_document
from triage.policy.ranking.ranker import Contender, seconds_of
from triage.policy.text.author_text import LIMIT, SUBJECT_LIMIT, author_text
from triage.policy.text.tokenizer import CACHED, codes_in, terms_in, terms_of, words_in

VERSION: Final = 3
"""Raised with every change of the entries; an index of another version is built again."""
TITLE_FACTOR: Final = 3.0
CODE_FACTOR: Final = 1.5
"""Error codes and names of exceptions."""
BEGINNING: Final = 5
"""Letters by which a word is found whose ending differs: only English endings are removed."""
CUT: Final = "~"
BEGINNING_FACTOR: Final = 0.25
MOST_TERMS: Final = 400
"""Distinct terms of a mail from which the index chooses the best."""
FACTS: Final = struct.Struct("<qq?")


def entry_of(ticket: Ticket) -> IndexEntry:
    title = list(index_terms(ticket.summary[:SUBJECT_LIMIT]))
    text = list(index_terms(ticket.description[:TEXT_LIMIT]))
    return IndexEntry(title=" ".join(title), text=" ".join(title + text), features=features_of(ticket))


def features_of(ticket: Ticket) -> bytes:
    """Return what the ranking compares: created, last changed (seconds), whether it is open, and its hashed words."""
    known = FACTS.pack(seconds_of(ticket.created), seconds_of(ticket.updated), ticket.open)
    return known + packed_document(ticket.summary, ticket.description)


def contender_of(hit: Hit) -> Contender:
    """Return the ticket that the index found, as far as the ranking needs it."""
    return known_contender(hit.key, hit.features, hit.rank - 1)


def known_contender(key: str, features: bytes, place: int | None = None) -> Contender:
    """Return a ticket by what the index stores of it."""
    created, updated, is_open = FACTS.unpack_from(features)
    words = features[FACTS.size :]
    return Contender(key=key, words=words, open=is_open, created=created, updated=updated, place=place)


def index_terms(text: str) -> Iterator[str]:
    """Return the terms of a text, and the beginnings of long words: `faktu~` of `fakturami` and `fakturou`."""
    return chain.from_iterable(map(_terms_of, words_in(text)))


@lru_cache(maxsize=CACHED)
def _terms_of(word: str) -> tuple[str, ...]:
    """Return the terms of one word, each followed by its beginning."""
    found: list[str] = []
    for term in terms_of(word):
        found += (term, f"{term[:BEGINNING]}{CUT}") if len(term) > BEGINNING and term.isalpha() else (term,)
    return tuple(found)


def query_of(subject: str, text: str) -> Mapping[str, float]:
    """Return the mail's terms with their weights, heaviest first, whatever the length of the mail."""
    title, own = subject[:SUBJECT_LIMIT], author_text(text)
    counts: Counter[str] = Counter(index_terms(own[:TEXT_LIMIT]))
    codes = {term for code in codes_in(f"{title}\n{own[:LIMIT]}") for term in terms_in(code)}
    titled = Counter(index_terms(title))
    weights = {
        term: (CODE_FACTOR if term in codes else BEGINNING_FACTOR if term.endswith(CUT) else 1.0)
        * log(1 + TITLE_FACTOR * titled[term] + max(counts[term], term in codes))
        for term in titled.keys() | counts.keys() | codes
    }
    return dict(sorted(weights.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_TERMS])


def word_frequencies(words: Sequence[str], frequencies: Mapping[str, int]) -> dict[str, int]:
    """Return the number of tickets that may hold each word, from that of its rarest term; words without a term are left out."""
    return {word: min(frequencies.get(term, 0) for term in terms) for word in words if (terms := terms_in(word))}

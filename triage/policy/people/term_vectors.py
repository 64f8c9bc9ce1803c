"""Compares texts as vectors of hashed terms: cosine of tf-idf, for hundreds of tickets in a millisecond."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any, Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from triage.policy.text.tokenizer import terms_of, words_in

BUCKETS: Final = 1 << 18
TEXT_LIMIT: Final = 2_000
TITLE_WEIGHT: Final = 3
MOST_REPEATS: Final = 2
"""A term counts at most so often; stack traces repeat words."""
PRIOR_DOCUMENTS: Final = 50
CACHED: Final = 1 << 13
CACHED_WORDS: Final = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class TermVector:
    """The hashed terms of a text, each once, with damped counts."""

    terms: NDArray[Any]
    weights: NDArray[Any]


def term_vector(title: str, text: str = "") -> TermVector:
    """Return the terms of a ticket or a mail, with a cache; only the beginning of the text counts."""
    return _vector(title, text[:TEXT_LIMIT])


@lru_cache(maxsize=CACHED)
def _vector(title: str, text: str) -> TermVector:
    titled, bodied = (
        np.fromiter(chain.from_iterable(map(_buckets, words_in(part))), np.int32) for part in (title, text)
    )
    terms, places = np.unique(np.concatenate((titled, bodied)), return_inverse=True)
    in_title = np.bincount(places[: len(titled)], minlength=len(terms)) > 0
    in_text = np.minimum(np.bincount(places[len(titled) :], minlength=len(terms)), MOST_REPEATS)
    return TermVector(terms, 1 + np.log(TITLE_WEIGHT * in_title + in_text))


def bucket_of(term: str) -> int:
    """Return the number of a term; different terms rarely share one."""
    return crc32(term.encode()) % BUCKETS


@lru_cache(maxsize=CACHED_WORDS)
def _buckets(word: str) -> tuple[int, ...]:
    return tuple(map(bucket_of, terms_of(word)))


def buckets_of(text: str) -> frozenset[int]:
    """Return the numbers of a text's terms."""
    return frozenset(chain.from_iterable(map(_buckets, words_in(text))))


def rarity_of(vectors: Iterable[TermVector]) -> NDArray[Any]:
    """Return each term's inverse document frequency among these vectors."""
    held = [vector.terms for vector in vectors]
    terms, counts = np.unique(np.concatenate(held) if held else np.zeros(0, dtype=np.int32), return_counts=True)
    by_count = np.log(1 + (len(held) + PRIOR_DOCUMENTS) / (np.arange(counts.max(initial=0) + 1) + 1))
    rarity = np.full(BUCKETS, by_count[0])
    rarity[terms] = by_count[counts]
    return rarity


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """Texts weighed by the rarity of their terms: one entry per term of each text, ordered by term."""

    terms: NDArray[Any]
    weights: NDArray[Any]
    owners: NDArray[Any]
    """Number of the text."""
    lengths: NDArray[Any]
    """Of each text, as a vector."""


def corpus_of(vectors: Sequence[TermVector], rarity: NDArray[Any]) -> Corpus:
    """Weigh these texts, once for many mails."""
    count = len(vectors)
    terms = np.concatenate([np.zeros(0, dtype=np.int32), *(vector.terms for vector in vectors)])
    weights = np.concatenate([np.zeros(0), *(vector.weights for vector in vectors)]) * rarity[terms]
    owners = np.repeat(np.arange(count), [len(vector.terms) for vector in vectors])
    lengths = np.sqrt(np.bincount(owners, weights * weights, count))
    order = np.argsort(terms, kind="stable")
    return Corpus(terms[order], weights[order], owners[order], lengths)


def likeness(mail: TermVector, corpus: Corpus, rarity: NDArray[Any]) -> NDArray[Any]:
    """Return the cosine similarity of each text with the mail, 0 to 1; only entries of the mail's terms are read."""
    count = len(corpus.lengths)
    wanted = mail.weights * rarity[mail.terms]
    first = np.searchsorted(corpus.terms, mail.terms)
    sizes = np.searchsorted(corpus.terms, mail.terms, side="right") - first
    before = np.cumsum(sizes) - sizes
    shared = np.arange(sizes.sum()) + np.repeat(first - before, sizes)
    common = np.bincount(corpus.owners[shared], corpus.weights[shared] * np.repeat(wanted, sizes), count)
    lengths = corpus.lengths * np.linalg.norm(wanted)
    found: NDArray[Any] = np.divide(common, lengths, out=np.zeros(count), where=lengths > 0)
    return found

"""Turns short texts into weighted features: words, neighbouring words, parts of words, and cues that word lists found."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from triage.policy.classifiers.linear_classifier import words_of

BUCKETS: Final = 1 << 18
"""Hashes are reduced to so many numbers."""
BLOCKS: Final = 4
"""Words, pairs of words, parts of words, cues; each block of a text has the same length, so that none drowns another."""
SHORTEST: Final = 3
LONGEST: Final = 5
"""Lengths of parts of words."""
EDGE: Final = "^"
"""Stands before the first and behind the last word in pairs."""
CACHED: Final = 1 << 14


@dataclass(frozen=True, slots=True)
class Sample:
    """A text to learn from or to judge."""

    text: str
    cues: tuple[str, ...] = ()
    """Names of what word lists found in it."""


@dataclass(frozen=True, slots=True)
class Entries:
    """Features of several texts as columns: entry i says how often `buckets[i]` occurs in the text `rows[i]`."""

    texts: int
    rows: NDArray[Any]
    blocks: NDArray[Any]
    buckets: NDArray[Any]
    counts: NDArray[Any]


def entries_of(samples: Sequence[Sample], *, wide: bool = True) -> Entries:
    """Return the features of texts; `wide=False`: words alone, as the simplest classifiers have them."""
    found = [Counter(_features(sample, wide=wide)) for sample in samples]
    sizes = np.array([len(one) for one in found], dtype=np.int64)
    keys = np.array([key for one in found for key in one], dtype=np.int64).reshape(-1, 2)
    return Entries(
        texts=len(samples),
        rows=np.repeat(np.arange(len(found), dtype=np.int64), sizes),
        blocks=keys[:, 0],
        buckets=keys[:, 1],
        counts=np.array([count for one in found for count in one.values()], dtype=np.float32),
    )


def _features(sample: Sample, *, wide: bool) -> Iterator[tuple[int, int]]:
    words = words_of(sample.text)
    for word in words:
        yield 0, _bucket(f"w{word}")
    if not wide or not words:
        return
    for one, other in pairwise((EDGE, *words, EDGE)):
        yield 1, _bucket(f"p{one} {other}")
    for word in words:
        for part in _parts_of(word):
            yield 2, part
    for cue in sample.cues:
        yield 3, _bucket(f"c{cue}")


@lru_cache(maxsize=CACHED)
def _parts_of(word: str) -> tuple[int, ...]:
    padded = f" {word} "
    return tuple(
        _bucket(f"#{padded[at : at + length]}")
        for length in range(SHORTEST, LONGEST + 1)
        for at in range(len(padded) - length + 1)
    )


def _bucket(feature: str) -> int:
    return crc32(feature.encode()) % BUCKETS


def weighted(entries: Entries, rarity: NDArray[Any]) -> NDArray[Any]:
    """Return each entry's value: the logarithm of its count times its feature's rarity; each text has length 1."""
    values = (1 + np.log(entries.counts)) * rarity[entries.buckets]
    part = entries.rows * BLOCKS + entries.blocks
    squares = np.bincount(part, values * values, entries.texts * BLOCKS)
    filled = (squares > 0).reshape(-1, BLOCKS).sum(axis=1)
    length = np.sqrt(squares[part] * filled[entries.rows])
    result: NDArray[Any] = np.divide(values, length, out=np.zeros_like(values), where=length > 0).astype(np.float32)
    return result


def rarity_of(entries: Entries) -> NDArray[Any]:
    """Return the inverse document frequency of each bucket; 0 for one that tells nothing: of no text, or of a single one among many."""
    frequency = np.bincount(entries.buckets, minlength=BUCKETS)
    rarity = np.log((1 + entries.texts) / (1 + frequency)) + 1
    single = np.zeros(BUCKETS, dtype=bool)
    single[entries.buckets[entries.blocks > 0]] = True
    rarity[(frequency == 0) | (single & (frequency < MANY_TEXTS[entries.texts >= MANY]))] = 0
    result: NDArray[Any] = rarity.astype(np.float32)
    return result


MANY: Final = 500
"""Texts from which on pairs and parts of words that only one text has are left out."""
MANY_TEXTS: Final = {False: 1, True: 2}
"""Texts that a pair or part of a word must stand in: of few texts, of many."""

"""Reduces a mail or a ticket to arrays of hashed terms and character n-grams, which are small and fast to compare by hundreds.

A hash stands for equality only: which term it was is never asked back.
"""

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any, Final, TypeAlias
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from triage.policy.text.sentences import plain
from triage.policy.text.technologies import technologies_in
from triage.policy.text.tokenizer import COMMON_STEMS, codes_in, quotes_in, terms_of, words_in

TITLE_LIMIT: Final = 1_000
TEXT_LIMIT: Final = 6_000
GRAM_LIMIT: Final = 400
"""Characters of the text whose n-grams are taken; they need more room than terms, and add little in long texts."""
TITLE_WEIGHT: Final = 3.0
BUCKETS: Final = 1 << 16
"""Values of a hash: a mail's hundred terms meet a term of another text by chance once in 650 times."""
MOST_MARKS: Final = 50
"""Most codes, and most quotations, of a document."""
MOST_COUNTED: Final = 255
MOST_LENGTH: Final = 65_535
CACHED: Final = 2_048
MAILS: Final = 64
"""Documents that are kept unpacked: those of mails, which are asked for while a mail is worked on."""
CACHED_WORDS: Final = 1 << 16
HEAD: Final = struct.Struct("<10H3f")
"""Of a packed document: sizes of its arrays, two lengths, three norms; its arrays follow, as `packed` orders them."""
STRIP: Final = "()[]{}\"'`,:;!?."

Numbers: TypeAlias = NDArray[Any]
"""Fractions."""
Shorts: TypeAlias = NDArray[np.uint16]
Counts: TypeAlias = NDArray[np.uint8]
Marks: TypeAlias = NDArray[np.uint32]


@dataclass(frozen=True, slots=True, eq=False)
class Grams:
    """Sequences of three and of four characters, each once."""

    ids: Shorts
    counts: Counts
    norm: float
    """Length of the vector of logarithmic counts."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Document:
    """The hashed terms, n-grams and names of a mail or a ticket, each once."""

    terms: Shorts
    in_title: Counts
    """How often the title has each term."""
    in_text: Counts
    norm: float
    """Length of the vector of logarithmic counts."""
    title_length: int
    """Terms, repeated ones included."""
    text_length: int
    pairs: Shorts
    """Adjacent terms."""
    grams: Grams
    """Of the title and the beginning of the text."""
    title_grams: Grams
    codes: Marks
    quotes: Marks
    technologies: Marks
    """Technologies that the title names."""
    identifiers: Marks
    """Words of the title that are no plain words: with digits, capitals inside, dots or underscores."""


@lru_cache(maxsize=MAILS)
def document_of(title: str, text: str) -> Document:
    """Return the document of a title and a text, with a cache."""
    return new_document(title, text)


@lru_cache(maxsize=CACHED)
def packed_document(title: str, text: str) -> bytes:
    """Return the document of a title and a text as bytes, with a cache."""
    return packed(new_document(title, text))


def new_document(title: str, text: str) -> Document:
    title, text = title[:TITLE_LIMIT], text[:TEXT_LIMIT]
    titled, text_ids, both = _term_ids(title), _term_ids(text), f"{title}\n{text}"
    terms = np.unique(np.concatenate((titled, text_ids)))
    in_title, in_text = _counted(titled, terms), _counted(text_ids, terms)
    return Document(
        terms=terms,
        in_title=in_title,
        in_text=in_text,
        norm=max(1.0, float(np.linalg.norm(np.log1p(TITLE_WEIGHT * in_title.astype(np.float32) + in_text)))),
        title_length=min(len(titled), MOST_LENGTH),
        text_length=min(len(text_ids), MOST_LENGTH),
        pairs=np.unique(np.concatenate((_pairs(titled), _pairs(text_ids)))),
        grams=_grams(f"{title}\n{text[:GRAM_LIMIT]}"),
        title_grams=_grams(title),
        codes=_marks(codes_in(both)),
        quotes=_marks(quotes_in(both)),
        technologies=_marks(cue.value for cue in technologies_in(title)),
        identifiers=_marks(_identifiers(title)),
    )


def packed(document: Document) -> bytes:
    """Return the document as bytes, which `Columns` reads."""
    one = document
    longs = (one.codes, one.quotes, one.technologies, one.identifiers)
    shorts = (one.terms, one.pairs, one.grams.ids, one.title_grams.ids)
    counts = (one.in_title, one.in_text, one.grams.counts, one.title_grams.counts)  # as long as terms, terms, grams, …
    sizes = (len(array) for array in (*longs, *shorts))
    head = HEAD.pack(*sizes, one.title_length, one.text_length, one.norm, one.grams.norm, one.title_grams.norm)
    return b"".join((head, *(array.tobytes() for array in (*longs, *shorts, *counts))))


@lru_cache(maxsize=1)
def common_terms() -> NDArray[np.bool_]:
    """Return a table of all hashes: whether one of the common words has it."""
    table = np.zeros(BUCKETS, dtype=np.bool_)
    table[list(map(_term_id, COMMON_STEMS))] = True
    return table


def _term_id(term: str) -> int:
    return crc32(term.encode()) % BUCKETS


@lru_cache(maxsize=CACHED_WORDS)
def _ids_of(word: str) -> tuple[int, ...]:
    return tuple(map(_term_id, terms_of(word)))


def _term_ids(text: str) -> Shorts:
    """Hash the terms of a text, in order."""
    return np.fromiter(chain.from_iterable(map(_ids_of, words_in(text))), dtype=np.uint16)


def _counted(ids: Shorts, terms: Shorts) -> Counts:
    counts = np.bincount(np.searchsorted(terms, ids), minlength=len(terms))
    return np.minimum(counts, MOST_COUNTED).astype(np.uint8)


def _pairs(ids: Shorts) -> Shorts:
    return ((ids[:-1].astype(np.uint32) * 31 + ids[1:]) % BUCKETS).astype(np.uint16)


def _grams(text: str) -> Grams:
    """Hash and count the sequences of three and of four characters, white space as one blank."""
    letters = np.frombuffer(f" {' '.join(plain(text).split())} ".encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
    three = letters[:-2] * 961 + letters[1:-1] * 31 + letters[2:]
    four = three[:-1] * 31 + letters[3:]
    hashed = ((np.concatenate((three * 3 + 1, four)) * 2_654_435_761) >> np.uint64(11)) % BUCKETS
    ids, counts = np.unique(hashed.astype(np.uint16), return_counts=True)
    kept = np.minimum(counts, MOST_COUNTED).astype(np.uint8)
    return Grams(ids, kept, max(1.0, float(np.linalg.norm(np.log1p(kept.astype(np.float32))))))


def _marks(texts: Iterable[str]) -> Marks:
    """Hash names that are compared as a whole."""
    return np.array(sorted({crc32(text.encode()) for text in texts})[:MOST_MARKS], dtype=np.uint32)


def _identifiers(title: str) -> Iterable[str]:
    """Yield the names of code, versions and numbers in a title, folded."""
    for word in title.split():
        bare = word.strip(STRIP)
        mixed = bare[1:] != bare[1:].lower() and not bare.isupper()
        if bare and (mixed or (not bare.isalpha() and any(map(str.isalnum, bare)))):
            yield plain(bare)

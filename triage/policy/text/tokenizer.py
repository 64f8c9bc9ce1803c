"""Tokenizer for search and comparison: stems, parts of identifiers, codes, quotations."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final

from triage.policy.text.sentences import folded, plain, unvoiced

LONGEST: Final = 60
"""Characters; longer runs are data, and slow patterns would stall on them."""
WORD: Final = re.compile("[\\w\u0900-\u0963\u0970-\u109f]+")
"""Vowel signs of Indian scripts, Thai and Burmese are no letters to `\\w`."""
UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]+"
)
"""Scripts without blanks between words, or with endings: Thai, Lao, Burmese, Khmer, Chinese, Japanese, Korean."""
ASCII: Final = re.compile(r"[!-~]+")
HUMP: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
CODE: Final = re.compile(
    r"""
    [A-Z]{2,12}[-_]\w{0,12}\d{3,}\w{0,12}         # ORA-00942, HTTP_500
    | [A-Z][A-Z0-9]{1,20}(?:_[A-Z0-9]{1,20})+     # ERR_CONNECTION_RESET
    | 0x[0-9a-fA-F]{4,16}
    | \b[A-Z]{1,3}\d{3,8}\b                       # E1234
    | \b[A-Z]\w{1,40}(?:Exception|Error)\b
    """,
    re.VERBOSE,
)
QUOTED: Final = re.compile('["`\u201c\u201e\u00ab]([^"`\u201c\u201d\u201e\u00ab\u00bb\n]{8,120})["`\u201c\u201d\u00bb]')
STOP_WORDS: Final = frozenset(map(unvoiced, folded("search.stop_words")))
"""Words that say nothing about the subject of a mail."""
COMMON_WORDS: Final = frozenset(map(unvoiced, folded("search.common_words")))
"""Words that occur in tickets of all kinds; they count little."""
SHORTEST_STEM: Final = 3
ENDINGS: Final = ("ing", "ed")
VERBAL: Final = ("eed",)
KEPT_S: Final = ("ss", "us", "is")
CACHED: Final = 1 << 14
CACHED_TEXTS: Final = 64


def stem(word: str) -> str:
    """Remove English endings roughly; other languages keep theirs."""
    if len(word) <= SHORTEST_STEM or not word.isalpha():
        return word
    if word.endswith("ies"):
        word = word[:-3] + "y"
    elif word.endswith("s") and not word.endswith(KEPT_S):
        word = word[:-1]
    for ending in ENDINGS:
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= SHORTEST_STEM and not word.endswith(VERBAL):
            word = _single(rest)
            break
    return word.removesuffix("e") if len(word) > SHORTEST_STEM else word


def _single(word: str) -> str:
    """Undouble the last letter: `stopp` becomes `stop`, but `miss`, `pull` and `buzz` stay."""
    doubled = len(word) > SHORTEST_STEM and word[-1] == word[-2] and word[-1] not in "lsz"
    return word[:-1] if doubled else word


COMMON_STEMS: Final = frozenset(stem(word) for word in COMMON_WORDS)


@lru_cache(maxsize=CACHED)
def terms_of(word: str) -> tuple[str, ...]:
    """Return the terms of one word: `saveInvoice` gives itself, `save` and `invoice`; a stop word gives none.

    A word in a script without blanks gives its pairs of characters.
    """
    if not word.isascii() and UNSPACED.search(word):
        return tuple(_pairs(word))
    whole = unvoiced(word)
    parts = [part.lower() for part in HUMP.findall(word)] if word.isascii() else [whole]
    kept = [stem(part) for part in parts if len(part) > 1 and part not in STOP_WORDS]
    return (whole, *kept) if len(parts) > 1 else tuple(kept)


def _pairs(word: str) -> Iterator[str]:
    """Yield the pairs of characters of each unspaced run, and the terms of what stands between: `Android\u7248`."""
    at = 0
    for run in UNSPACED.finditer(word):
        yield from terms_of(word[at : run.start()])
        yield from map("".join, pairwise(run.group())) if len(run.group()) > 1 else run.group()
        at = run.end()
    yield from terms_of(word[at:])


def legible(text: str) -> str:
    """Remove mail addresses, links and data from a text."""
    text = text if text.isascii() else unicodedata.normalize("NFKC", text)
    if "@" not in text and "://" not in text and len(max(chunks := text.split(), key=len, default="")) <= LONGEST:
        return " ".join(chunks)
    kept = [
        chunk if len(chunk) <= LONGEST and "@" not in chunk and "://" not in chunk else _without_data(chunk)
        for chunk in text.split()
    ]
    return " ".join(filter(None, kept))


def _without_data(chunk: str) -> str:
    """Return the chunk, or nothing if it is data; of a text without blanks, its parts that are not."""
    if len(chunk) <= LONGEST and "@" not in chunk and "://" not in chunk:
        return chunk
    return ASCII.sub(lambda run: _without_data(run[0]) or " ", chunk) if UNSPACED.search(chunk) else ""


@lru_cache(maxsize=CACHED_TEXTS)
def words_in(text: str) -> tuple[str, ...]:
    """Return the words of a text in order, as written."""
    return tuple(WORD.findall(legible(text)))


def terms_in(text: str) -> list[str]:
    return [term for word in words_in(text) for term in terms_of(word)]


@lru_cache(maxsize=CACHED_TEXTS)
def codes_in(text: str) -> frozenset[str]:
    """Return error codes, constants and names of exceptions."""
    return frozenset(CODE.findall(legible(text)))


def quotes_in(text: str) -> frozenset[str]:
    """Return the text in quotation marks or back ticks, folded."""
    return frozenset(plain(" ".join(quote.split())) for quote in QUOTED.findall(text))

"""Chooses the words of a mail by which Jira is searched for tickets about the same matter."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from math import log
from typing import Final

from triage.policy.text.author_text import LIMIT, SUBJECT_LIMIT, author_text, without_greeting
from triage.policy.text.sentences import plain
from triage.policy.text.tokenizer import (
    COMMON_STEMS,
    COMMON_WORDS,
    STOP_WORDS,
    codes_in,
    legible,
    stem,
)

MOST_WORDS: Final = 8
CONSIDERED: Final = 16
"""Words from which the rarest are chosen."""
ROOM: Final = 100
"""Tickets with one of the words; if more match, the newest 50 that a search returns are arbitrary."""
SEARCHED: Final = 2_000
"""Characters of the mail in which search words are sought."""
TITLE_FACTOR: Final = 5.0
COMMON_FACTOR: Final = 0.6
NUMBER_FACTOR: Final = 0.8
CODE_FACTOR: Final = 8.0
MOST_CODES: Final = 3
"""With more codes than this, they are order numbers."""
FADE: Final = 250
"""A word that follows so many others counts half."""
SHORTEST: Final = 3
SEARCHABLE: Final = re.compile(r"\w+(?:[.\-]\w+)*")


def search_words(text: str, most: int = MOST_WORDS) -> tuple[str, ...]:
    """Return the most significant words of a text, best first; its first line is its title."""
    title, _, rest = text[:LIMIT].partition("\n")
    title = title[:SUBJECT_LIMIT]
    own = without_greeting(author_text(rest))[:SEARCHED]
    scores: dict[str, float] = {}
    for part, factor in ((title, TITLE_FACTOR), (own, 1.0)):
        words = tuple(_searchable(part))
        for word, often in Counter(words).items():
            worth_it = factor * _word_weight(word) * (1 + log(often)) / (1 + words.index(word) / FADE)
            scores[word] = scores.get(word, 0.0) + worth_it
    codes = {code.lower() for code in codes_in(f"{title}\n{own}")} & scores.keys()
    if len(codes) <= MOST_CODES:
        scores |= {code: CODE_FACTOR * scores[code] for code in codes}
    return tuple(_each_once(sorted(scores, key=lambda word: -scores[word])))[:most]


def rarest(words: Sequence[str], frequencies: Mapping[str, int]) -> tuple[str, ...]:
    """Choose at most eight words for a search that returns the newest tickets.

    First the rarest words that known tickets contain, until they match ROOM tickets; then words that no known ticket has,
    most significant first, since only new tickets contain them.
    """
    known = sorted((word for word in words if frequencies.get(word)), key=lambda word: frequencies[word])
    sums = accumulate(frequencies[word] for word in known)
    fitting = [word for word, held in zip(known, sums, strict=True) if held <= ROOM] or known[:1]
    new = (word for word in words if not frequencies.get(word))
    return (*fitting, *new)[:MOST_WORDS]


def _searchable(text: str) -> Iterator[str]:
    """Yield the words, in lower case, that a search could find."""
    for word in SEARCHABLE.findall(legible(text)):
        folded = plain(word)
        digits = folded.replace(".", "").replace("-", "").isdigit()
        if len(word) >= SHORTEST and not digits and folded not in STOP_WORDS:
            yield word.lower()


def _word_weight(word: str) -> float:
    """Weigh a word before any search."""
    folded = plain(word)
    if folded in COMMON_WORDS or stem(folded) in COMMON_STEMS:
        return COMMON_FACTOR
    return 1.0 if folded.isalpha() else NUMBER_FACTOR


def _each_once(words: Iterable[str]) -> Iterator[str]:
    """Skip words with the stem of an earlier one: `labels` after `label`."""
    stems: set[str] = set()
    for word in words:
        if stem(plain(word)) not in stems:
            stems.add(stem(plain(word)))
            yield word

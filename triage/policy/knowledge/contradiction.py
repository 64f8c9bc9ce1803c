"""Finds where two articles disagree: both tell an amount of what is asked about, in the same unit, and the amounts differ."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from triage.domain.support.articles import CitedSentence, PassageHit
from triage.policy.knowledge.passages import sentences_of
from triage.policy.text.word_patterns import levelled
from triage.policy.ticket.index_entry import index_terms

AMOUNT: Final = re.compile(r"(?<![\w.,])(\d+(?:[.,]\d+)?)\s?-?([^\W\d_]{3,}|[%€$£])")
"""A number and its unit: `14 days`, `30 %`."""
SHARED: Final = 2
"""Words beside the unit that both sentences have, at least."""
ALIKE: Final = 0.5
"""Share of the shorter sentence's words that the other one has."""
STEM: Final = 5
"""Letters by which words are compared."""


def contradiction(sentences: Sequence[CitedSentence], hits: Sequence[PassageHit]) -> str:
    """Return a sentence of the answer and one of another article that tells another amount; empty if all agree.

    The other one has to name all that the question asks about and the first one names: a price of another plan is none of this one.
    """
    passages = {hit.passage.id: hit.passage for hit in hits}
    asked = _stems(" ".join(hits[0].rarity)) if hits else frozenset()
    for one in (each for each in sentences if _amounts(each.text)):
        own, meant = passages.get(one.passage), asked & _stems(one.text)
        for passage in passages.values():
            if own is None or passage.article == own.article:
                continue
            about = (each for each in sentences_of(passage.text) if meant <= _stems(each))
            if other := next((each for each in about if _disagree(one.text, each)), ""):
                return f"“{one.text}” ({own.title}) and “{other}” ({passage.title})"
    return ""


def _disagree(one: str, other: str) -> bool:
    mine, theirs = _amounts(one), _amounts(other)
    units = {unit for unit in mine.keys() & theirs.keys() if mine[unit].isdisjoint(theirs[unit])}
    words, others = _stems(one) - units, _stems(other) - units
    return bool(units) and len(words & others) >= max(SHARED, ALIKE * min(len(words), len(others)))


def _amounts(sentence: str) -> Mapping[str, set[str]]:
    """Return the numbers of each unit."""
    found: dict[str, set[str]] = {}
    for number, unit in AMOUNT.findall(levelled(sentence)):
        found.setdefault(next(iter(_stems(unit)), unit), set()).add(number.replace(",", "."))
    return found


def _stems(text: str) -> frozenset[str]:
    """Return the beginnings of the text's words, without numbers."""
    return frozenset(term[:STEM] for term in index_terms(text) if not term[0].isdigit())

"""Finds an article that tells another amount of the same than an answer does: `two weeks` and `thirty days`."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from triage.domain.support.articles import CitedSentence, Passage, PassageHit
from triage.policy.knowledge.passages import sentences_of
from triage.policy.text.number_words import duration_of, in_digits, languages_in
from triage.policy.ticket.index_entry import index_terms

_NUMBER: Final = r"\d+(?:[.,]\d+)?"
_CJK_UNIT: Final = r"時間|日|週|[かヶカヵ箇個个]月|年|周|天|小[时時]|円|元"
AMOUNT: Final = re.compile(
    rf"(?<![\d.,])(?<![A-Za-z_\u00c0-\u024f])(?:(?P<sign>[€$£])\s?(?P<behind>{_NUMBER})"
    rf"|(?P<number>{_NUMBER})\s?-?(?P<unit>{_CJK_UNIT}|[^\W\d_]{{2,}}|[%€$£]))"
)
"""A number and its unit: `14 days`, `30 %`, `€ 5`, `30日`."""
CURRENCIES: Final = {"€": "euro", "eur": "euro", "$": "dolla", "usd": "dolla", "£": "pound", "gbp": "pound"}
"""Sign or code → the beginning of its name."""
PRICED: Final = frozenset({*CURRENCIES.values(), "franc", "frank", "krona", "krono", "krone", "zloty", "zlote", "円"})
"""Beginnings of the names of currencies."""
HOURS: Final = {"in hours": 1.0, "in months": 730.5}
"""Hours of one of what a length of time is counted in."""
AN_HOUR: Final = ("in hours", 1)
HOURS_OF_A_DAY: Final = 24
A_MONTH: Final = 0.9
"""Share of the longer time from which days and months are the same: `30 days`, `a month`."""
SHARED: Final = 2
"""Words beside the unit that both sentences have, at least."""
ALIKE: Final = 0.5
"""Share of the shorter sentence's words that the other one has."""
STEM: Final = 5
"""Letters by which words are compared."""
CACHED: Final = 512


@dataclass(frozen=True, slots=True)
class _Told:
    """A sentence as it is compared."""

    amounts: Mapping[str, frozenset[float]]
    """Unit → its numbers; lengths of time `in hours` or `in months`."""
    words: frozenset[str]
    """Beginnings of its words, without numbers and units."""


def contradiction(sentences: Sequence[CitedSentence], hits: Sequence[PassageHit]) -> str:
    """Return a sentence of the answer and one of another article that tells another amount; empty if all agree.

    The other one has to name all that the question asks about and the first one names: a price of another plan is none of this one.
    """
    passages = {hit.passage.id: hit.passage for hit in hits}
    asked = _stems(" ".join(hits[0].rarity)) if hits else frozenset()
    for one in sentences:
        own = passages.get(one.passage)
        mine = _told(one.text, languages_in(own.text)) if own else None
        if own is None or mine is None or not mine.amounts:
            continue
        meant = asked & _stems(one.text)
        others = (passage for passage in passages.values() if passage.article != own.article)
        if other := next((found for passage in others if (found := _otherwise(mine, meant, passage))), ""):
            return f"“{one.text}” ({own.title}) and {other}"
    return ""


def names_price(sentence: str, passage: Passage) -> bool:
    """Tell whether a sentence of the passage names an amount of money."""
    return not PRICED.isdisjoint(_told(sentence, languages_in(passage.text)).amounts)


def _otherwise(mine: _Told, meant: frozenset[str], passage: Passage) -> str:
    """Return the sentence of the passage that tells another amount, with its title; empty if none does."""
    languages = languages_in(passage.text)
    for each in sentences_of(passage.text):
        if meant <= _stems(each) and _disagree(mine, _told(each, languages)):
            return f"“{each}” ({passage.title})"
    return ""


def _disagree(mine: _Told, theirs: _Told) -> bool:
    differs = any(mine.amounts[unit].isdisjoint(theirs.amounts[unit]) for unit in mine.amounts.keys() & theirs.amounts)
    if not differs and not _other_time(mine, theirs):
        return False
    return len(mine.words & theirs.words) >= max(SHARED, ALIKE * min(len(mine.words), len(theirs.words)))


def _other_time(mine: _Told, theirs: _Told) -> bool:
    """Tell whether one counts months where the other counts days, and no two of them are about the same."""
    for one, other in (("in hours", "in months"), ("in months", "in hours")):
        pairs = [
            (HOURS[one] * a, HOURS[other] * b)
            for a in mine.amounts.get(one, ())
            for b in theirs.amounts.get(other, ())
            if one not in theirs.amounts and other not in mine.amounts
        ]
        if pairs and all(min(pair) < A_MONTH * max(pair) for pair in pairs):
            return True
    return False


@lru_cache(maxsize=CACHED)
def _told(sentence: str, languages: tuple[str, ...]) -> _Told:
    """Read a sentence that stands in a text of these languages."""
    amounts: dict[str, set[float]] = {}
    units: set[str] = set()
    for found in AMOUNT.finditer(in_digits(sentence, languages)):
        unit = (found["unit"] or found["sign"]).casefold()
        number = float((found["number"] or found["behind"]).replace(",", "."))
        name = CURRENCIES.get(unit) or next(iter(_stems(unit)), unit)
        units |= {name, *_stems(unit)}
        time = duration_of(unit)
        if time == AN_HOUR and number % HOURS_OF_A_DAY:
            time = None  # two hours are no part of what another article counts in days
        amounts.setdefault(time[0] if time else name, set()).add(number * (time[1] if time else 1))
    kept = {unit: frozenset(numbers) for unit, numbers in amounts.items()}
    return _Told(kept, _stems(in_digits(sentence, languages)) - units)


def _stems(text: str) -> frozenset[str]:
    """Return the beginnings of the text's words, without numbers."""
    return frozenset(term[:STEM] for term in index_terms(text) if not term[0].isdigit())

"""Says how much of a question a passage holds: a likeness that means the same for every question and every library."""

from collections.abc import Iterable, Mapping, Sequence
from math import log
from typing import Final

from triage.domain.support.articles import Passage, PassageHit
from triage.policy.knowledge.semantic_search import LEAST, likeness_of
from triage.policy.knowledge.terms import LONGEST_QUESTION, all_words, beginning_of, heading_of, word_terms
from triage.policy.knowledge.translation import asked_elsewhere
from triage.policy.text.tokenizer import COMMON_STEMS
from triage.policy.ticket.index_entry import index_terms

ALIKE: Final = 0.6
"""What a word counts of which only another form was found."""
COMMON: Final = 0.6
"""What a word counts that stands in texts of all kinds, such as `page` or `error`."""
HEADED: Final = 0.5
"""What a passage's score gains whose heading is the very question."""
MOST_ASKED: Final = 24
"""Terms of a question that are compared, the rarest; a long mail asks no more than that."""


def ranked(question: str, found: Sequence[tuple[Passage, float]]) -> tuple[Passage, ...]:
    """Return the passages by score, best first; a heading that shares words with the question raises the score."""
    words = all_words(question[:LONGEST_QUESTION])
    scores = [score * (1 + HEADED * _same(words, passage) ** 2) for passage, score in found]
    return tuple(found[place][0] for place in sorted(range(len(found)), key=lambda place: -scores[place]))


def hits_of(
    question: str, found: Sequence[Passage], frequencies: Mapping[str, int], passages: int
) -> tuple[PassageHit, ...]:
    """Return the found passages, best first, as hits.

    `frequencies` is the number of passages with each term of the question, out of `passages`. A passage is never more like
    the question than the one before it, since the order knows more than the likeness.
    """
    rarity = rarity_of(question, frequencies, passages)
    hits: list[PassageHit] = []
    for passage in found:
        matched = matches_of(rarity, terms_in_passage(passage))
        meant = likeness_of(question, passage)
        like = max(_share(matched, rarity), meant if meant >= LEAST else 0.0)
        if like > 0:
            evidence = tuple(term for term in rarity if matched.get(term))
            most = hits[-1].similarity if hits else 1.0
            hits.append(
                PassageHit(
                    passage=passage,
                    similarity=min(like, most),
                    meant=meant,
                    evidence=evidence,
                    rarity=rarity,
                    asked_in=asked_elsewhere(question, passage),
                )
            )
    return tuple(hits)


def rarity_of(question: str, frequencies: Mapping[str, int], passages: int) -> Mapping[str, float]:
    """Return how much each term of the question says, 0 to 1, the rarest first; what no passage holds says most."""
    most = log(1 + (passages + 0.5) / 0.5)
    found = {}
    for term in word_terms(question[:LONGEST_QUESTION]):
        often = min(frequencies.get(term, 0), passages)
        rare = log(1 + (passages - often + 0.5) / (often + 0.5)) / most
        found[term] = rare * (COMMON if term in COMMON_STEMS else 1.0)
    return dict(sorted(found.items(), key=lambda pair: -pair[1])[:MOST_ASKED])


def terms_in_passage(passage: Passage) -> frozenset[str]:
    """Return the terms of a passage with its title and headings, beginnings included."""
    return frozenset(index_terms(f"{passage.title}\n{passage.heading}\n{passage.text}"))


def matches_of(rarity: Mapping[str, float], terms: frozenset[str]) -> Mapping[str, float]:
    """Return what of each term is found: 1 for the term itself, less for another form of it."""
    return {
        term: 1.0 if term in terms else ALIKE if (begun := beginning_of(term)) and begun in terms else 0.0
        for term in rarity
    }


def _same(words: frozenset[str], passage: Passage) -> float:
    """Share of the words of question and heading that both have, those that say nothing by themselves included."""
    named = all_words(heading_of(passage))
    return len(words & named) / max(1, len(words | named))


def coverage(rarity: Mapping[str, float], terms: Iterable[str]) -> float:
    """Return the share of the question that these terms (beginnings included) hold, 0 to 1, weighted by rarity."""
    return _share(matches_of(rarity, frozenset(terms)), rarity)


def _share(matched: Mapping[str, float], rarity: Mapping[str, float]) -> float:
    """A word that stands everywhere has a little weight, too: a passage without any rare word may be like the question."""
    total = sum(rarity.values())
    return sum(matched[term] * rare for term, rare in rarity.items()) / total if total > 0 else 0.0

"""Finds passages by what they mean, beside their words: `put it on hold` and `pausing a rental`, `Kaution` and `deposit`.

Meaning costs about 5 ms of processor for each passage, once. So only a small knowledge base is searched by it, where few words find
anything; in a large one it is computed for what words have found (decision 252).
"""

from collections.abc import Sequence
from typing import Final

from triage.domain.support.articles import Passage
from triage.policy.classifiers.meaning import meanings_of
from triage.policy.cues.language import is_encoded, known_meaning
from triage.policy.knowledge.terms import heading_of

LARGEST: Final = 400
"""Passages of a knowledge base that is searched by meaning."""
READ: Final = 160
"""Characters of a passage that are read, title and heading in front."""
ASKED: Final = 700
"""Characters of a question that are read."""
LEAST: Final = 0.2
"""Likeness of meaning from which a passage is found by it alone; what has nothing in common has less."""
MOST_SENTENCES: Final = 12
"""Sentences of a passage that are compared, the first."""
LONGEST_SENTENCE: Final = 300
"""Characters of a sentence that are read."""
NEAREST: Final = 20
"""Passages that are found by meaning, at most."""
RANKS: Final = 10
WEIGHT: Final = 0.5
"""A passage gains `WEIGHT / (RANKS + rank)` by its rank by meaning, and `1 / (RANKS + rank)` by its rank by words."""


def likeness_of(question: str, passage: Passage) -> float:
    """Return how near question and passage are in meaning, 0 to 1, whatever their words; 0 in a language that the encoder lacks."""
    return max(0.0, float(known_meaning(question[:ASKED]) @ known_meaning(_told(passage))))


def nearest_sentence(question: str, sentences: Sequence[str]) -> float:
    """Return how near the sentence is that means most nearly what is asked, 0 to 1; 0 in a language that the encoder lacks."""
    first = [one[:LONGEST_SENTENCE] for one in sentences[:MOST_SENTENCES]]
    if not is_encoded(" ".join(first)):  # one sentence may be too short to tell its language
        return 0.0
    asked = known_meaning(question[:ASKED])
    return max((float(asked @ one) for one in meanings_of(first)), default=0.0)


def nearest(question: str, passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """Return the passages that mean most nearly what is asked, nearest first; none of a large knowledge base, or in a language that the encoder lacks."""
    if len(passages) > LARGEST or not is_encoded(question[:ASKED]):
        return ()
    near = sorted(((likeness_of(question, one), -at) for at, one in enumerate(passages)), reverse=True)
    return tuple(passages[-at] for like, at in near[:NEAREST] if like >= LEAST)


def fused(by_words: Sequence[Passage], by_meaning: Sequence[Passage]) -> tuple[Passage, ...]:
    """Return the passages of both, those first that are early in both."""
    scores: dict[str, float] = {}
    for weight, found in ((1.0, by_words), (WEIGHT, by_meaning)):
        for rank, one in enumerate(found, 1):
            scores[one.id] = scores.get(one.id, 0.0) + weight / (RANKS + rank)
    known = {one.id: one for one in (*by_words, *by_meaning)}
    return tuple(known[name] for name in sorted(scores, key=lambda name: -scores[name]))


def _told(passage: Passage) -> str:
    return f"{passage.title}. {heading_of(passage)}. {passage.text}"[:READ]

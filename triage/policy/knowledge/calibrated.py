"""The calibrated scorer: the probability that a person would let an answer stand, learnt on labelled questions.

Two logistic regressions over how the question and what was found go together, whatever the library is about: whether anything answers
the question, and whether this article does rather than another one. Both have to be so (decision 270).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import exp, log1p
from pathlib import Path
from typing import Final, Self

from triage.config.model_files import FOLDER, read_model
from triage.domain.errors import SettingsInvalid
from triage.domain.support.articles import PassageHit
from triage.policy.knowledge.likeness import matches_of
from triage.policy.knowledge.passages import sentences_of
from triage.policy.knowledge.semantic_search import nearest_sentence
from triage.policy.knowledge.terms import LONGEST_QUESTION, all_words, heading_of, word_terms
from triage.policy.text.tokenizer import terms_in
from triage.policy.ticket.index_entry import index_terms

KIND: Final = "knowledge"
VERSION: Final = 2
SHIPPED: Final = FOLDER / "knowledge.npz"
FEATURES: Final = (
    *("likeness", "lead", "heading_asked", "found", "asked", "same_words", "rarity", "pairs", "meant"),
    *("meant_lead", "meant_sentence"),
)

PARTS: Final = ("answerable", "right")
"""Arrays of a model's file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Regression:
    """Weights of the features on the logistic scale."""

    weights: tuple[float, ...]
    """By `FEATURES`."""
    bias: float

    def probability(self, features: Sequence[float]) -> float:
        """Return the probability that what was learnt holds for these features."""
        logit = self.bias + sum(weight * value for weight, value in zip(self.weights, features, strict=True))
        return 1 / (1 + exp(-max(-30.0, min(30.0, logit))))


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfidenceModel:
    """The probability that an answer stands."""

    answerable: Regression
    """Whether any article answers the question."""
    right: Regression
    """Whether it is the article that was found, if any does."""
    labels: int
    """Labelled questions that it was trained on."""

    def probability(self, features: Sequence[float]) -> float:
        """Return the probability that the answer stands."""
        return self.answerable.probability(features) * self.right.probability(features)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a model file. Raises `SettingsInvalid` if it is none, or was made for other features."""
        file = read_model(path, KIND, VERSION)
        numbers = {name: [float(weight) for weight in file.arrays.get(name, ())] for name in PARTS}
        if tuple(file.about.get("features", ())) != FEATURES or any(
            len(numbers[name]) != len(FEATURES) + 1 for name in PARTS
        ):
            raise SettingsInvalid((f"{path}: was trained for other features; train it again",))
        answerable, right = (Regression(weights=tuple(one[:-1]), bias=one[-1]) for one in numbers.values())
        return cls(answerable=answerable, right=right, labels=int(file.about.get("labels", 0)))


@lru_cache(maxsize=1)
def shipped_model() -> ConfidenceModel:
    """Return the model that Triage comes with."""
    return ConfidenceModel.read(SHIPPED)


def features_of(question: str, hits: Sequence[PassageHit]) -> tuple[float, ...]:
    """Return the features of what was found for a question, at least one hit, by `FEATURES`."""
    best = hits[0]
    meant, question = question, best.asked or question
    passage, rarity = best.passage, best.rarity
    heading = heading_of(passage)
    words, named = all_words(question[:LONGEST_QUESTION]), all_words(heading)
    asked, heading_terms = frozenset(rarity), frozenset(word_terms(heading))
    text = frozenset(index_terms(f"{passage.title}\n{passage.heading}\n{passage.text}"))
    matched = matches_of(rarity, text)
    other = next((hit for hit in hits[1:] if hit.passage.article != passage.article), None)
    return (
        best.similarity,
        best.similarity - (other.similarity if other else 0.0),
        len(asked & heading_terms) / max(1, len(heading_terms)),
        log1p(sum(1 for term in rarity if matched[term])),
        log1p(len(rarity)),
        len(words & named) / max(1, len(words | named)),
        max((rare * matched[term] for term, rare in rarity.items()), default=0.0),
        _pairs(question, f"{heading}\n{passage.text}"),
        best.meant,
        best.meant - (other.meant if other else 0.0),
        nearest_sentence(meant, sentences_of(passage.text)),
    )


def _pairs(question: str, text: str) -> float:
    """Share of the question's adjacent terms that are adjacent in the text, too."""
    asked = set(pairwise(terms_in(question[:LONGEST_QUESTION])))
    return len(asked & set(pairwise(terms_in(text)))) / max(1, len(asked))

"""Says how far an answer can be believed: by the fixed formula 40/30/20/10, or by a model that was calibrated on labelled questions.

The calibrated scorer decides once it was trained on enough labels; both are shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

SIMILARITY: Final = 0.4
COMPLETENESS: Final = 0.3
QUALITY: Final = 0.2
MATCH: Final = 0.1
LONG: Final = 50
"""Words above which an answer counts as complete."""
SHORT: Final = 20


class Scorer(StrEnum):
    """Who says how far an answer can be believed."""

    SEED = "seed"
    """The formula."""
    CALIBRATED = "calibrated"
    AUTO = "auto"
    """The calibrated one where it was trained on enough labels, else the formula."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """When an answer resolves a question, and when there is none."""

    scorer: Scorer = Scorer.AUTO
    labels: int = 200
    """Labelled questions from which on the calibrated scorer decides."""
    resolves: float = 0.7
    """Least confidence at which an answer resolves the question; below it a person is asked."""
    refuses: float = 0.1
    """Confidence of the calibrated scorer below which nothing is answered at all, whoever decides."""

    def decides(self, labels: int) -> Scorer:
        """Return the scorer that decides, when the calibrated one was trained on so many labels."""
        if self.scorer is not Scorer.AUTO:
            return self.scorer
        return Scorer.CALIBRATED if labels >= self.labels else Scorer.SEED


def calculate_confidence(
    similarity_scores: Sequence[float],
    answer_length: int,
    *,
    has_suggested_phrasing: bool,
    classification_match: bool,
) -> float:
    """Return the confidence by the formula: similarity 40 %, completeness 30 %, quality 20 %, context 10 %.

    Similarities are 0 to 1; without any article the confidence is 0. `answer_length` is in words.
    """
    if not similarity_scores:
        return 0.0
    similar = sum(similarity_scores) / len(similarity_scores)
    complete = 1.0 if answer_length > LONG else 0.7 if answer_length > SHORT else 0.3
    quality = 1.0 if has_suggested_phrasing else 0.7
    match = 1.0 if classification_match else 0.5
    return SIMILARITY * similar + COMPLETENESS * complete + QUALITY * quality + MATCH * match

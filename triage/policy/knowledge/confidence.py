"""Says how far an answer can be believed: by the fixed formula 40/30/20/10, or by a model that was calibrated on labelled questions.

The calibrated scorer decides once it was trained on enough labels; both are shown.
"""

from collections.abc import Sequence
from typing import Final

from triage.config.support.confidence import Scoring

SHIPPED: Final = Scoring()


def calculate_confidence(
    similarity_scores: Sequence[float],
    answer_length: int,
    *,
    has_suggested_phrasing: bool,
    classification_match: bool,
    scoring: Scoring = SHIPPED,
) -> float:
    """Return the confidence by the formula: similarity 40 %, completeness 30 %, quality 20 %, context 10 %, unless `scoring` says otherwise.

    Similarities are 0 to 1; without any article the confidence is 0. `answer_length` is in words.
    """
    if not similarity_scores:
        return 0.0
    similar = sum(similarity_scores) / len(similarity_scores)
    complete = 1.0 if answer_length > scoring.long else 0.7 if answer_length > scoring.short else 0.3
    quality = 1.0 if has_suggested_phrasing else 0.7
    match = 1.0 if classification_match else 0.5
    weighed = scoring.similarity * similar + scoring.completeness * complete
    return weighed + scoring.quality * quality + scoring.match * match

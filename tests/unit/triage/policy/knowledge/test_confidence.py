"""How far an answer can be believed: the formula's own table of cases."""

import pytest

from triage.config.support.confidence import Scorer, Scoring
from triage.policy.knowledge.confidence import calculate_confidence


@pytest.mark.parametrize(
    ("similarities", "length", "suggested", "match", "confidence"),
    [
        ([1.0, 1.0, 1.0], 60, True, True, 1.0),
        ([1.0], 60, True, True, 1.0),
        ([0.0], 60, True, True, 0.6),
        ([0.5, 1.0], 60, True, True, 0.9),
        ([1.0], 51, True, True, 1.0),
        ([1.0], 50, True, True, 0.91),
        ([1.0], 21, True, True, 0.91),
        ([1.0], 20, True, True, 0.79),
        ([1.0], 0, True, True, 0.79),
        ([1.0], 60, False, True, 0.94),
        ([1.0], 60, True, False, 0.95),
        ([1.0], 60, False, False, 0.89),
        ([0.9, 0.6, 0.3], 30, False, False, 0.24 + 0.21 + 0.14 + 0.05),
        ([0.0, 0.0], 5, False, False, 0.09 + 0.14 + 0.05),
        ([], 60, True, True, 0.0),
    ],
)
def test_formula(similarities: list[float], length: int, *, suggested: bool, match: bool, confidence: float) -> None:
    """40 % likeness, 30 % completeness, 20 % quality, 10 % context; without an article 0."""
    told = calculate_confidence(similarities, length, has_suggested_phrasing=suggested, classification_match=match)

    assert told == pytest.approx(confidence)


def test_the_calibrated_scorer_decides_once_it_has_enough_labels() -> None:
    """200 labels, unless triage.yaml says otherwise; a scorer that is named decides whatever there is."""
    assert Scoring().decides(199) is Scorer.SEED
    assert Scoring().decides(200) is Scorer.CALIBRATED
    assert Scoring(labels=10).decides(10) is Scorer.CALIBRATED
    assert Scoring(scorer=Scorer.SEED).decides(9_999) is Scorer.SEED
    assert Scoring(scorer=Scorer.CALIBRATED).decides(0) is Scorer.CALIBRATED

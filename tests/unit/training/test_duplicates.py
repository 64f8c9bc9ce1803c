"""Training of the duplicates' ranking: what it learns from examples, and that it draws no lots."""

import numpy as np

from tests.training.duplicates import DuplicateExample, fitted
from triage.policy.ranking.features import FEATURES
from triage.policy.ranking.ranker import calibrated_rows

MATCH, AGE = FEATURES.index("match"), FEATURES.index("age")


def examples(count: int, *, misled: bool = False) -> list[DuplicateExample]:
    """Reports with five candidates; the right one has the best match, and, if `misled`, is the oldest."""
    made = []
    for number in range(count):
        rows = np.zeros((5, len(FEATURES)))
        rows[:, MATCH] = [(7 * number + 3 * place) % 11 / 10 for place in range(5)]
        right = np.zeros(5, dtype=bool)
        duplicate = number % 2 == 0
        if duplicate:
            right[number % 5] = True
            rows[number % 5, MATCH] += 3
            rows[number % 5, AGE] = 5.0 * misled
        made.append(DuplicateExample(rows, right, duplicate))
    return made


def test_the_better_match_stands_first_and_is_more_probable() -> None:
    """Weights point where the right tickets are, and a duplicate's best candidate is more probable than another's."""
    learnt = examples(60)
    model = fitted([learnt[:30], learnt[30:]])
    scores = [model.scores(one.rows) for one in learnt]
    best = [
        float(model.probabilities(one.rows, score)[score.argmax()]) for one, score in zip(learnt, scores, strict=True)
    ]

    assert all(one.right[score.argmax()] for one, score in zip(learnt, scores, strict=True) if one.duplicate)
    assert np.mean(best[::2]) > 5 * np.mean(best[1::2])
    assert calibrated_rows(learnt[0].rows, scores[0]).shape == (5, len(model.calibration))


def test_what_speaks_against_never_speaks_for() -> None:
    """In these examples the right ticket is old; age has no positive weight all the same."""
    model = fitted([examples(30, misled=True)])

    assert model.weights[MATCH] > 0
    assert model.weights[AGE] <= 0


def test_the_same_examples_give_the_same_model() -> None:
    """Bit by bit."""
    one, other = fitted([examples(20)]), fitted([examples(20)])

    assert one.weights.tobytes() == other.weights.tobytes()
    assert one.calibration.tobytes() == other.calibration.tobytes()

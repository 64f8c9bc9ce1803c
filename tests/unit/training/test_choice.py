"""Training of the models that choose among alternatives."""

import numpy as np
import pytest

from tests.training.choice import Choice, best_of, thresholds_of, train, weights_of


def choices(count: int, noise: float) -> list[Choice]:
    """Three alternatives each; the first feature tells the right one, as clearly as the noise lets it, the second tells nothing."""
    lots = np.random.default_rng(7)
    made = []
    for _ in range(count):
        features = lots.normal(size=(3, 2))
        made.append(Choice(features, int((features[:, 0] + noise * lots.gumbel(size=3)).argmax())))
    return made


def test_it_learns_what_tells() -> None:
    """Weight goes to the feature that tells, and the same choices give the same model."""
    known = choices(300, 0.3)
    weights = weights_of(known, 0.01)

    assert weights[0] > 10 * abs(weights[1])
    assert weights.tolist() == weights_of(known, 0.01).tolist()


def test_probabilities_say_the_truth() -> None:
    """Of answers with a probability of p about the share p is right; the threshold for a precision keeps it."""
    model = train(("one", "two"), choices(400, 0.6), choices(400, 0.6))
    told = best_of(choices(3_000, 0.6)[500:], model)
    for low, high in ((0.4, 0.6), (0.6, 0.8), (0.8, 1.0)):
        group = [(said, right) for said, right in told if low <= said < high]

        assert np.mean([right for _, right in group]) == pytest.approx(np.mean([said for said, _ in group]), abs=0.1)
    surest = [right for said, right in told if said >= model.threshold(0.9)]

    assert 0.8 < np.mean(surest) <= 1


def test_choices_without_a_right_answer_count_for_calibration_alone() -> None:
    """They teach no weights, and lower every probability."""
    known = choices(300, 0.3)
    lost = [Choice(choice.features, None) for choice in known]
    hopeful, sober = train(("one", "two"), known, known), train(("one", "two"), [*known, *lost], [*known, *lost])

    assert hopeful.weights.tolist() == pytest.approx(sober.weights.tolist())
    assert max(said for said, _ in best_of(known, sober)) < max(said for said, _ in best_of(known, hopeful))


def test_a_precision_that_is_never_reached_asks_for_certainty() -> None:
    """Then nothing is sure enough."""
    rows = dict(thresholds_of([(0.9, False)] * 20).tolist())

    assert (rows[0.0], rows[0.75], rows[1.0]) == (0.0, 1.0, 1.0)

"""Learning categories from examples."""

import numpy as np
import pytest

from triage.policy.intents.features import Sample
from triage.policy.intents.training import learn, softmax

FRUIT = ("ripe apple", "green apple", "sour cherry", "sweet cherry")
METAL = ("iron bar", "iron ring", "silver spoon", "silver ring")
SAMPLES = [Sample(text) for text in (*FRUIT, *METAL)]
LABELS = ["fruit"] * 4 + ["metal"] * 4


def test_it_tells_texts_like_the_examples_apart() -> None:
    """A new text gets the label of the examples that it shares words with."""
    weights = learn(SAMPLES, LABELS)

    scores = weights.scores([Sample("an apple"), Sample("a silver fork"), Sample("")])
    assert [weights.labels[at] for at in scores[:2].argmax(axis=1)] == ["fruit", "metal"]
    assert scores[2] == pytest.approx(weights.bias)


def test_equal_examples_give_equal_weights() -> None:
    """What drops out is drawn with a fixed seed."""
    assert np.array_equal(learn(SAMPLES, LABELS).weights, learn(SAMPLES, LABELS).weights)


def test_nothing_to_judge_gives_no_scores() -> None:
    """No text, no row."""
    assert learn(SAMPLES, LABELS).scores([]).shape == (0, 2)


def test_shares_sum_up_to_one() -> None:
    """Also of large scores."""
    assert softmax(np.array([[1000.0, 1000.0], [0.0, -5.0]])).sum(axis=1) == pytest.approx([1.0, 1.0])

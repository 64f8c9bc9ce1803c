"""The model that chooses among alternatives."""

from pathlib import Path

import numpy as np
import pytest

from tests.training.model_files import write_choice_model
from triage.domain.errors import SettingsInvalid
from triage.policy.classifiers.choice_model import (
    ChoiceModel,
    choice_model,
    doubts_of,
    read_choice_model,
    softmax,
)

MODEL = ChoiceModel(
    features=("one", "two"),
    weights=np.array([2.0, 0.0]),
    calibration=np.array([0.0, 1.0, 0.0]),
    thresholds=np.array([(0.0, 0.0), (0.5, 0.2), (0.75, 0.6), (1.0, 1.0)]),
)


def test_probabilities_keep_the_order() -> None:
    """The best one gets what the calibration says, the others the rest, never more than the best."""
    features = np.array([[1.0, 0.0], [2.0, 9.0], [0.0, 5.0]])
    told = MODEL.probabilities(features)

    assert told.argsort().tolist() == [2, 0, 1]
    assert told.sum() <= 1 + 1e-9
    assert told[1] == pytest.approx(softmax(features @ MODEL.weights)[1])


def test_doubt_lowers_all() -> None:
    """Where the calibration does not believe the first answer, no other one overtakes it."""
    doubting = ChoiceModel(
        features=("one",), weights=np.array([1.0]), calibration=np.array([-4.0, 0.0, 0.0]), thresholds=MODEL.thresholds
    )
    told = doubting.probabilities(np.array([[1.0], [0.9], [0.0]]))

    assert told.max() == told[0] == pytest.approx(0.018, abs=0.001)
    assert told[0] > told[1] > told[2]


def test_one_alternative_and_none() -> None:
    """One alone leads by all it has; of none nothing is said."""
    assert MODEL.probabilities(np.zeros((0, 2))).tolist() == []
    assert 0 < MODEL.probabilities(np.array([[1.0, 0.0]]))[0] <= 1
    assert doubts_of(np.array([1.0])).tolist() == pytest.approx([1.0, 13.8, 1.0], abs=0.1)


@pytest.mark.parametrize(("precision", "threshold"), [(0.5, 0.2), (0.75, 0.6), (0.625, 0.4), (0.1, 0.04), (1.0, 1.0)])
def test_thresholds_lie_between_the_measured_ones(precision: float, threshold: float) -> None:
    """A precision between two measured ones gets a threshold between theirs."""
    assert MODEL.threshold(precision) == pytest.approx(threshold)


def test_a_model_is_read_as_it_was_written(tmp_path: Path) -> None:
    """Numbers and names of features; another file is refused with the cure."""
    path = tmp_path / "one.npz"
    write_choice_model(path, MODEL, {"trained on": "nothing"})
    again = read_choice_model(path)

    assert again.features == MODEL.features
    assert again.weights.tolist() == MODEL.weights.tolist()
    assert again.thresholds.tolist() == MODEL.thresholds.tolist()
    path.write_bytes(b"no model")
    with pytest.raises(SettingsInvalid, match="install Triage again"):
        read_choice_model(path)


@pytest.mark.parametrize("name", ["assignment", "components"])
def test_the_shipped_models_are_sound(name: str) -> None:
    """As many weights as features, and thresholds that rise with the precision."""
    model = choice_model(name)

    assert len(model.weights) == len(model.features)
    assert (np.diff(model.thresholds, axis=0) >= 0).all()
    assert 0 < model.threshold(0.75) < 1

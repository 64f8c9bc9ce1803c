"""Chooses among alternatives by a few features of each: a conditional logit whose best answer has a calibrated probability."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from triage.config.model_files import FOLDER, read_model

KIND: Final = "choice"
VERSION: Final = 1
FAINT: Final = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceModel:
    """Weights per feature, calibration of the best answer, and the threshold for each precision."""

    features: tuple[str, ...]
    weights: NDArray[Any]
    calibration: NDArray[Any]
    """Weights of `doubts_of`."""
    thresholds: NDArray[Any]
    """Rows of (precision, least probability at which the answers above it had this precision), ascending."""

    def probabilities(self, features: NDArray[Any]) -> NDArray[Any]:
        """Return the probability of each alternative, from one row of features each; they sum up to at most 1."""
        if not len(features):
            return np.zeros(0)
        raw = softmax(features @ self.weights)
        best = int(raw.argmax())
        top, second = float(raw[best]), float(np.sort(raw)[-2]) if len(raw) > 1 else 0.0
        sure = 1 / (1 + float(np.exp(-doubts_of(raw) @ self.calibration)))
        sure = min(sure, top**3 / (top**3 + second**3))  # of two equals none is more than even
        found: NDArray[Any] = raw * min((1 - sure) / max(1 - top, FAINT), sure / top)  # never above the best one
        found[best] = sure
        return found

    def threshold(self, precision: float) -> float:
        """Return the least probability of answers of which this share is right."""
        return float(np.interp(precision, self.thresholds[:, 0], self.thresholds[:, 1]))


def softmax(scores: NDArray[Any]) -> NDArray[Any]:
    """Return scores as positive shares of 1."""
    powers = np.exp(scores - scores.max())
    shares: NDArray[Any] = powers / powers.sum()
    return shares


def doubts_of(raw: NDArray[Any]) -> NDArray[Any]:
    """Return the features that calibrate the best share: 1, its log-odds, its lead."""
    ordered = np.sort(raw)[::-1]
    best = min(max(float(ordered[0]), FAINT), 1 - FAINT)
    lead = best - (float(ordered[1]) if len(ordered) > 1 else 0.0)
    return np.array([1.0, np.log(best / (1 - best)), lead])


@lru_cache
def choice_model(name: str) -> ChoiceModel:
    """Return the model `triage/models/NAME.npz`, read once per process. Raises `SettingsInvalid`."""
    return read_choice_model(FOLDER / f"{name}.npz")


def read_choice_model(path: Path) -> ChoiceModel:
    """Read a model from a file. Raises `SettingsInvalid`."""
    stored = read_model(path, KIND, VERSION)
    return ChoiceModel(features=tuple(stored.about["features"]), **stored.arrays)

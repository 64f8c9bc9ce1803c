"""Trains the models that choose among alternatives: conditional logit by Newton's method, then calibration of the best answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from triage.policy.classifiers.choice_model import ChoiceModel, doubts_of, softmax

ROUNDS: Final = 30
ENOUGH: Final = 1e-6
PENALTY: Final = 0.6
"""Times half the squared weights of standardised features."""
PRECISIONS: Final = (0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98)
FEWEST: Final = 10
"""Answers that a precision is measured on at least."""

Array: TypeAlias = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Choice:
    """Alternatives with a row of features each, and which of them is right; None if none is."""

    features: Array
    right: int | None


def weights_of(choices: Sequence[Choice], penalty: float = PENALTY) -> Array:
    """Return the weights under which the right alternatives are most probable."""
    known = [choice for choice in choices if choice.right is not None and len(choice.features) > 1]
    everything = np.concatenate([choice.features for choice in known])
    mean, spread = everything.mean(axis=0), everything.std(axis=0) + 1e-9
    scaled = [((choice.features - mean) / spread, choice.right) for choice in known]
    weights = np.zeros(len(mean))
    loss, slope, bend = _loss(scaled, weights, penalty)
    for _ in range(ROUNDS):
        weights = _lower(scaled, weights, np.linalg.solve(bend, slope), penalty, loss)
        before, (loss, slope, bend) = loss, _loss(scaled, weights, penalty)
        if before - loss < ENOUGH:
            break
    found: Array = weights / spread
    return found


def _lower(choices: Sequence[tuple[Array, Any]], weights: Array, step: Array, penalty: float, loss: float) -> Array:
    """Return the weights after a step that is halved until it does not climb above the loss so far."""
    size = 1.0
    while size > ENOUGH and _loss(choices, weights + size * step, penalty)[0] > loss:
        size /= 2
    return weights + size * step


def _loss(choices: Sequence[tuple[Array, Any]], weights: Array, penalty: float) -> tuple[float, Array, Array]:
    """Return the mean loss, the direction in which it falls, and its curvature."""
    loss, slope, bend = penalty * float(weights @ weights) / 2, -penalty * weights, penalty * np.eye(len(weights))
    for features, right in choices:
        chance = softmax(features @ weights)
        expected = chance @ features
        loss -= float(np.log(chance[right] + 1e-300)) / len(choices)
        slope = slope + (features[right] - expected) / len(choices)
        bend = bend + ((features * chance[:, None]).T @ features - np.outer(expected, expected)) / len(choices)
    return loss, slope, bend


def calibration_of(choices: Sequence[Choice], weights: Array) -> Array:
    """Return the weights of `doubts_of` that tell best how often the first answer is right."""
    raw = [softmax(choice.features @ weights) for choice in choices if len(choice.features)]
    right = np.array(
        [
            choice.right == int(one.argmax())
            for choice, one in zip((c for c in choices if len(c.features)), raw, strict=True)
        ]
    )
    doubts = np.stack([doubts_of(one) for one in raw])
    found = np.zeros(doubts.shape[1])
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-doubts @ found))
        slope = doubts.T @ (right - chance) / len(raw) - 1e-3 * found
        bend = (doubts * (chance * (1 - chance))[:, None]).T @ doubts / len(raw) + 1e-3 * np.eye(len(found))
        found += np.linalg.solve(bend, slope)
    return found


def thresholds_of(answers: Sequence[tuple[float, bool]]) -> Array:
    """Return for each precision the least probability at which so many of the answers above it are right; 1 where none is."""
    ordered = sorted(answers, key=lambda answer: -answer[0])
    rights = np.cumsum([right for _, right in ordered])
    share = rights / np.arange(1, len(ordered) + 1)
    rows = []
    for precision in PRECISIONS:
        enough = [at for at in range(FEWEST - 1, len(ordered)) if share[at] >= precision]
        rows.append((precision, ordered[enough[-1]][0] if enough else 1.0))
    return np.maximum.accumulate(np.array([(0.0, 0.0), *rows, (1.0, 1.0)]), axis=0)


def best_of(choices: Sequence[Choice], model: ChoiceModel) -> list[tuple[float, bool]]:
    """Return probability and rightness of the best alternative of each choice."""
    scored = [(model.probabilities(choice.features), choice.right) for choice in choices if len(choice.features)]
    return [(float(chances.max()), right == int(chances.argmax())) for chances, right in scored]


def train(names: Sequence[str], fit: Sequence[Choice], calibrate: Sequence[Choice]) -> ChoiceModel:
    """Train on all choices. Calibration and thresholds are measured on `calibrate`, by weights that were fitted on `fit` alone."""
    blind = weights_of(fit)
    measured = ChoiceModel(
        features=tuple(names),
        weights=blind,
        calibration=calibration_of(calibrate, blind),
        thresholds=np.array([(0.0, 0.0), (1.0, 1.0)]),
    )
    return ChoiceModel(
        features=measured.features,
        weights=weights_of([*fit, *calibrate]),
        calibration=measured.calibration,
        thresholds=thresholds_of(best_of(calibrate, measured)),
    )

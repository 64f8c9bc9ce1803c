"""A classifier learnt from examples: category, calibrated probability, and whether the text belongs to any category at all."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from triage.config.model_files import read_model
from triage.policy.classifiers.linear_classifier import words_of
from triage.policy.intents.features import BUCKETS, Sample
from triage.policy.intents.training import TrainedWeights, learn, softmax

KIND: Final = "intents"
VERSION: Final = 1
FOLDS: Final = 5
MANY: Final = 2_000
"""Examples from which on one fold is held out instead of each in turn."""
UNKNOWN: Final = 0.025
"""Part of the rightly judged held-out texts that count as belonging to no category: the price of finding those that do not."""
SHARPNESS: Final = tuple(0.2 * 1.15**step for step in range(30))
"""Calibration factors to choose from: 0.2 to 11."""
STRONGEST: Final = 5
"""Words of evidence."""
MOST_WORDS: Final = 200
"""Words that are looked at for evidence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What the classifier says of a text."""

    label: str
    """The likeliest category, also where the text belongs to none."""
    probability: float
    """0 to 1, calibrated on texts that were held out: that the label is right if any is."""
    known: bool
    """Whether the text is like the examples of some category."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentClassifier:
    """Trained weights with their calibration, which was measured on texts held out of the training."""

    weights: TrainedWeights
    sharpness: float = 1.0
    """Factor before the softmax that calibrates the probabilities."""
    floor: float = float("-inf")
    """A text whose best score is lower belongs to no category."""

    @property
    def labels(self) -> tuple[str, ...]:
        return self.weights.labels

    def judge(self, samples: Sequence[Sample]) -> list[Judgement]:
        """Return the most probable category of each text with its probability, and whether it belongs to any."""
        scores = self.weights.scores(samples)
        shares = softmax(scores * self.sharpness)
        return [
            Judgement(
                label=self.labels[int(row.argmax())],
                probability=float(share.max()),
                known=bool(row.max() >= self.floor),
            )
            for row, share in zip(scores, shares, strict=True)
        ]

    def evidence(self, sample: Sample, label: str) -> tuple[str, ...]:
        """Return the words of a text that speak most for a category, the strongest first."""
        words = [word for word in dict.fromkeys(words_of(sample.text)[:MOST_WORDS]) if word.isalpha()]
        scores = self.weights.scores([Sample(word) for word in words]) - self.weights.bias
        worth = dict(zip(words, scores[:, self.labels.index(label)] - scores.mean(axis=1), strict=True))
        strongest = sorted(worth, key=lambda word: -worth[word])[:STRONGEST]
        return tuple(word for word in strongest if worth[word] > 0)


def train(
    samples: Sequence[Sample], labels: Sequence[str], groups: Sequence[str] = (), *, wide: bool = True
) -> IntentClassifier:
    """Learn categories from examples and calibrate on those held out. Texts of one group are held out together."""
    names = sorted(set(labels))
    target = np.array([names.index(label) for label in labels])
    scores, rows = _held_out(samples, labels, groups or [sample.text for sample in samples], wide=wide)
    weights = learn(samples, labels, wide=wide)
    if not len(rows):
        return IntentClassifier(weights=weights)
    right = scores.argmax(axis=1) == target[rows]
    best = np.sort(scores.max(axis=1)[right])
    return IntentClassifier(
        weights=weights,
        sharpness=_sharpness(scores, target[rows]),
        floor=float(best[int(UNKNOWN * len(best))]) if len(best) else float("-inf"),
    )


def _held_out(
    samples: Sequence[Sample], labels: Sequence[str], groups: Sequence[str], *, wide: bool
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the scores of texts by weights that were learnt without them, and which texts these are."""
    names = sorted(set(labels))
    parts = [(np.zeros((0, len(names))), np.zeros(0, dtype=np.int64))]
    for inside, outside in _folds(labels, groups):
        weights = learn([samples[at] for at in inside], [labels[at] for at in inside], wide=wide)
        parts.append((weights.scores([samples[at] for at in outside]), np.array(outside)))
    return np.vstack([scores for scores, _ in parts]), np.concatenate([rows for _, rows in parts])


def _folds(labels: Sequence[str], groups: Sequence[str]) -> Iterator[tuple[list[int], list[int]]]:
    """Yield which examples to learn from and which to judge; a fold without all categories is left out."""
    fold = [crc32(group.encode()) % FOLDS for group in groups]
    for held in range(1 if len(labels) > MANY else FOLDS):
        inside = [at for at in range(len(labels)) if fold[at] != held]
        outside = [at for at in range(len(labels)) if fold[at] == held]
        if outside and {labels[at] for at in inside} == set(labels):
            yield inside, outside


def _sharpness(scores: NDArray[Any], target: NDArray[Any]) -> float:
    """Return the factor by which the scores of held-out texts give the most fitting probabilities."""

    def loss(factor: float) -> float:
        shares = softmax(scores * factor)[np.arange(len(target)), target]
        return float(-np.log(np.maximum(shares, 1e-12)).mean())

    return min(SHARPNESS, key=loss)


def read_intents(path: Path) -> IntentClassifier:
    """Read a classifier from a file. Raises `SettingsInvalid`."""
    model = read_model(path, KIND, VERSION)
    buckets, labels = model.arrays["buckets"], tuple(model.about["labels"])
    rarity, place = np.zeros(BUCKETS, dtype=np.float32), np.full(BUCKETS, len(buckets), dtype=np.int64)
    rarity[buckets], place[buckets] = model.arrays["rarity"], np.arange(len(buckets))
    stored = np.vstack([model.arrays["weights"].astype(np.float32), np.zeros((1, len(labels)), dtype=np.float32)])
    learnt = TrainedWeights(labels=labels, rarity=rarity, place=place, weights=stored, bias=model.arrays["bias"])
    return IntentClassifier(weights=learnt, sharpness=model.about["sharpness"], floor=model.about["floor"])

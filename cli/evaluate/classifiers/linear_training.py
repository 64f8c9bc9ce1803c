"""Trains linear classifiers: multinomial logistic regression over hashed features, calibrated on held-out folds.

It needs numpy alone and draws no lots, so the same examples give the same model.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from triage.policy.classifiers.choice_model import softmax
from triage.policy.classifiers.linear_classifier import FeatureShape, LinearClassifier, features_of, words_of
from triage.policy.classifiers.meaning import meaning_of

Pair = tuple[str, str]

FOLDS: Final = 5
ROUNDS: Final = 200
"""Most steps of the descent."""
MEMORY: Final = 8
"""Steps whose curvature it remembers."""
ENOUGH: Final = 1e-5
"""It stops where the loss falls by no more than this part."""
SHARPNESS: Final = tuple(0.25 * 1.15**step for step in range(30))
"""Calibration factors to choose from: 0.25 to 14."""

Array: TypeAlias = NDArray[Any]


@dataclass(frozen=True, slots=True)
class TextExample:
    """A text with its label. Examples of the same group never stand on both sides of a fold."""

    text: str
    label: str
    group: str = ""
    """Empty: the text itself."""
    core: str = ""
    """The part whose meaning is taken; empty: the text itself."""
    weight: float = 1.0
    """How often it counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to train."""

    shape: FeatureShape = field(default_factory=FeatureShape)
    penalty: float = 1e-4
    """Times the squared weights; more means smaller weights."""
    balanced: bool = True
    """Rare labels count as much as frequent ones."""


DEFAULT: Final = Options()


@dataclass(frozen=True, slots=True)
class Table:
    """Features of all examples: entry i is `amounts[i]` in the row `rows[i]` and the bucket `buckets[i]`."""

    rows: Array
    buckets: Array
    amounts: Array
    meant: Array
    """One row per example: the numbers of its meaning, whose weights stand behind those of the buckets; empty without them."""
    right: Array
    """One row per example, one column per label: 1 for the right one."""
    importance: Array
    """Of each row."""
    size: int
    """Number of buckets."""

    def scores(self, weights: Array) -> Array:
        """Return a row per example, a column per label; the last row of the weights is the bias."""
        found: Array = weights[-1] + self.meant @ weights[self.size : -1]
        for label in range(weights.shape[1]):
            worth = weights[self.buckets, label] * self.amounts
            found[:, label] += np.bincount(self.rows, worth, len(self.right))
        return found

    def loss(self, weights: Array, penalty: float) -> tuple[float, Array]:
        """Return the mean loss and its gradient."""
        scores = self.scores(weights)
        scores -= scores.max(axis=1, keepdims=True)
        powers = np.exp(scores)
        sums = powers.sum(axis=1, keepdims=True)
        each = (np.log(sums[:, 0]) - (scores * self.right).sum(axis=1)) * self.importance
        excess = (powers / sums - self.right) * self.importance[:, None]
        slope = 2 * penalty * weights
        slope[-1] = excess.sum(axis=0)
        slope[self.size : -1] += self.meant.T @ excess
        for label in range(weights.shape[1]):
            slope[: self.size, label] += np.bincount(self.buckets, excess[self.rows, label] * self.amounts, self.size)
        return float(each.sum() + penalty * (weights[:-1] ** 2).sum()), slope


def train(examples: Sequence[TextExample], options: Options = DEFAULT) -> LinearClassifier:
    """Fit a classifier and calibrate its probabilities on folds that were held out in turn."""
    return train_and_answer(examples, options)[0]


def train_and_answer(examples: Sequence[TextExample], options: Options = DEFAULT) -> tuple[LinearClassifier, Array]:
    """Fit a classifier; return it, and for each example the probabilities by a model that was trained without its fold."""
    labels = labels_of(examples)
    whole = table_of(examples, labels, options)
    held_out = _held_out(examples, whole, options)
    weights, sharpness = descend(whole, options.penalty), _sharpness(held_out, whole.right)
    model = LinearClassifier(
        labels=labels, shape=options.shape, weights=weights[:-1], bias=weights[-1], sharpness=sharpness
    )
    return model, np.array([softmax(scores * sharpness) for scores in held_out])


def cross_validated(examples: Sequence[TextExample], options: Options = DEFAULT) -> list[str]:
    """Return for each example the label that a model trained without its fold gives it."""
    labels = labels_of(examples)
    held_out = _held_out(examples, table_of(examples, labels, options), options)
    return [labels[int(scores.argmax())] for scores in held_out]


def labels_of(examples: Sequence[TextExample]) -> tuple[str, ...]:
    """Return the labels in the order of a model's columns."""
    return tuple(sorted({example.label for example in examples}))


def _held_out(examples: Sequence[TextExample], whole: Table, options: Options) -> Array:
    """Return the scores of each example by a model that was trained without its fold; of a single fold, none."""
    folds = np.array([crc32((example.group or example.text).encode()) % FOLDS for example in examples])
    held_out = np.zeros(whole.right.shape)
    for fold in range(FOLDS):
        if (folds == fold).any() and (folds != fold).any():
            weights = descend(rows_of(whole, folds != fold), options.penalty)
            held_out[folds == fold] = whole.scores(weights)[folds == fold]
    return held_out


def table_of(examples: Sequence[TextExample], labels: Sequence[str], options: Options) -> Table:
    """Return the features of examples, and which label is right for each."""
    shape = options.shape
    found = [features_of(words_of(one.text, bare=shape.bare), shape) for one in examples]
    numbers = [shape.meaning * meaning_of(one.core or one.text) for one in examples] if shape.meaning else []
    right = np.array([[example.label == label for label in labels] for example in examples], dtype=np.float64)
    frequency = right.sum(axis=0)
    importance = right @ (1 / frequency) if options.balanced else np.ones(len(examples))
    importance = importance * np.array([example.weight for example in examples])
    return Table(
        rows=np.repeat(np.arange(len(found)), [len(one.places) for one in found]),
        buckets=np.concatenate([one.places for one in found]),
        amounts=np.concatenate([one.values for one in found]),
        meant=np.array(numbers).reshape(len(found), shape.size - shape.buckets),
        right=right,
        importance=importance / importance.sum(),
        size=shape.buckets,
    )


def rows_of(table: Table, kept: Array) -> Table:
    """Return the table without the other rows, which keep their numbers and weigh nothing."""
    here = kept[table.rows]
    importance = np.where(kept, table.importance, 0.0)
    return replace(
        table,
        rows=table.rows[here],
        buckets=table.buckets[here],
        amounts=table.amounts[here],
        importance=importance / importance.sum(),
    )


def descend(table: Table, penalty: float) -> Array:
    """Minimise the loss by L-BFGS (Nocedal and Wright, algorithm 7.5) with halved steps."""
    weights = np.zeros((table.size + table.meant.shape[1] + 1, table.right.shape[1]))
    loss, slope = table.loss(weights, penalty)
    past: list[tuple[Array, Array]] = []
    for _ in range(ROUNDS):
        way, step = -_scaled(slope, past), 1.0
        ahead, lower, slope_ahead = _stepped(table, weights, way, step, penalty)
        while lower > loss + 1e-4 * step * float((slope * way).sum()) and step >= ENOUGH:
            step /= 2
            ahead, lower, slope_ahead = _stepped(table, weights, way, step, penalty)
        past = [*past, (ahead - weights, slope_ahead - slope)][-MEMORY:]
        fell, weights, loss, slope = loss - lower, ahead, lower, slope_ahead
        if fell < ENOUGH * max(1.0, abs(loss)):
            break
    return weights


def _stepped(table: Table, weights: Array, way: Array, step: float, penalty: float) -> tuple[Array, float, Array]:
    """Return the weights after a step, with their loss and its slope."""
    ahead = weights + step * way
    return ahead, *table.loss(ahead, penalty)


def _scaled(slope: Array, past: Sequence[tuple[Array, Array]]) -> Array:
    """Multiply the slope by the estimated inverse curvature."""
    way, parts = slope.copy(), []
    for moved, bent in reversed(past):
        part = float((moved * way).sum() / (moved * bent).sum())
        way -= part * bent
        parts.append(part)
    if past:
        moved, bent = past[-1]
        way *= float((moved * bent).sum() / (bent * bent).sum())
    for (moved, bent), part in zip(past, reversed(parts), strict=True):
        way += moved * (part - float((bent * way).sum() / (moved * bent).sum()))
    return way


def _sharpness(scores: Array, right: Array) -> float:
    """Return the factor by which the scores of held-out texts give the most fitting probabilities."""

    def loss(factor: float) -> float:
        scaled = scores * factor
        scaled = scaled - scaled.max(axis=1, keepdims=True)
        return float(np.mean(np.log(np.exp(scaled).sum(axis=1)) - (scaled * right).sum(axis=1)))

    return min(SHARPNESS, key=loss)


def accuracy(pairs: Sequence[Pair]) -> float:
    """Return the share of right answers."""
    return round(sum(label == answer for label, answer in pairs) / len(pairs), 4)


def macro_f1(pairs: Sequence[Pair], names: Collection[str]) -> float:
    """Return the mean of the F1 scores of these labels, each counted alike; each is right or given at least once."""
    sizes = {name: sum((name == label) + (name == answer) for label, answer in pairs) for name in names}
    hits = {name: sum(name == label == answer for label, answer in pairs) for name in names}
    return round(sum(2 * hits[name] / sizes[name] for name in sorted(names)) / len(names), 4)

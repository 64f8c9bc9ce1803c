"""Trains linear classifiers on example texts: softmax regression by AdaGrad, in which features drop out at random.

The random numbers have a fixed seed, so that equal examples give an equal classifier.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from triage.policy.intents.features import BUCKETS, Entries, Sample, entries_of, rarity_of, weighted

SEED: Final = 7
BATCH: Final = 64
STEP: Final = 0.5
SCALE: Final = 4.0
"""Length of a text's features: with length 1 the weights would have to grow for long."""
DROPPED: Final = 0.3
"""Part of the features that drop out at each step, so that no word decides alone."""
ROUNDS: Final = 6
STEPS: Final = 250
"""Least number of steps: few examples are read more often."""
SLOWED: Final = 0.9
"""The last round's steps are shorter by this part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedWeights:
    """What was learnt: a row per bucket in use, a column per label."""

    labels: tuple[str, ...]
    rarity: NDArray[Any]
    """Of each bucket; 0: unknown."""
    place: NDArray[Any]
    """Bucket → row; the last row is that of unknown buckets, and zero."""
    weights: NDArray[Any]
    bias: NDArray[Any]
    wide: bool = True

    def scores(self, samples: Sequence[Sample]) -> NDArray[Any]:
        """Return a row per text, a column per label."""
        matrix = Matrix.of(entries_of(samples, wide=self.wide), self.rarity, self.place)
        parts = [block @ self.weights[used] for block, used in matrix.blocks(np.arange(len(samples)), 4 * BATCH)]
        found: NDArray[Any] = np.vstack(parts) + self.bias if parts else np.zeros((0, len(self.labels)))
        return found


@dataclass(frozen=True, slots=True)
class Matrix:
    """A sparse matrix of texts and features, read in dense blocks of a few texts."""

    starts: NDArray[Any]
    """Where each row's entries begin, and the end of the last one's."""
    columns: NDArray[Any]
    values: NDArray[Any]

    @classmethod
    def of(cls, entries: Entries, rarity: NDArray[Any], place: NDArray[Any]) -> "Matrix":
        """Build the matrix of texts from their entries, weighed by rarity."""
        values = weighted(entries, rarity)
        kept = values > 0
        starts = np.searchsorted(entries.rows[kept], np.arange(entries.texts + 1))
        return cls(starts, place[entries.buckets[kept]], values[kept])

    def blocks(self, order: NDArray[Any], size: int) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
        """Yield dense blocks of so many rows, each with the columns that it has."""
        for at in range(0, len(order), size):
            yield self.block(order[at : at + size])

    def block(self, rows: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return some rows, dense in the columns that they use, and the numbers of these columns."""
        lengths = self.starts[rows + 1] - self.starts[rows]
        ends = np.cumsum(lengths)
        entries = np.arange(ends[-1]) + np.repeat(self.starts[rows] - (ends - lengths), lengths)
        used, within = np.unique(self.columns[entries], return_inverse=True)
        dense = np.zeros((len(rows), len(used)), dtype=np.float32)
        np.add.at(dense, (np.repeat(np.arange(len(rows)), lengths), within), self.values[entries])
        return dense, used


def learn(samples: Sequence[Sample], labels: Sequence[str], *, wide: bool = True) -> TrainedWeights:
    """Learn the labels of texts; a rare label counts as much as a frequent one."""
    names = tuple(sorted(set(labels)))
    entries = entries_of(samples, wide=wide)
    rarity = rarity_of(entries)
    known = np.flatnonzero(rarity)
    place = np.full(BUCKETS, len(known), dtype=np.int64)
    place[known] = np.arange(len(known))
    target = np.array([names.index(label) for label in labels])
    weights, bias = _descend(Matrix.of(entries, rarity, place), target, (len(known), len(names)))
    return TrainedWeights(labels=names, rarity=rarity, place=place, weights=weights, bias=bias, wide=wide)


def _descend(matrix: Matrix, target: NDArray[Any], shape: tuple[int, int]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Minimise the cross entropy; the step of each feature shrinks with the slopes that it has seen."""
    chance = np.random.default_rng(SEED)
    frequency = np.bincount(target, minlength=shape[1])
    importance = (len(target) / (shape[1] * np.maximum(frequency, 1)))[target].astype(np.float32)
    weights, seen = np.zeros((shape[0] + 1, shape[1]), dtype=np.float32), np.full((shape[0] + 1, 1), 1e-3, np.float32)
    bias = np.zeros(shape[1], dtype=np.float32)
    rounds = max(ROUNDS, STEPS * BATCH // max(BATCH, len(target)))
    for turn in range(rounds):
        step = STEP * (1 - SLOWED * turn / rounds)
        order = chance.permutation(len(target))
        for at in range(0, len(order), BATCH):
            rows = order[at : at + BATCH]
            dense, used = matrix.block(rows)
            dense *= (SCALE / (1 - DROPPED)) * (chance.random(dense.shape, dtype=np.float32) >= DROPPED)
            excess = softmax(dense @ weights[used] + bias)
            excess[np.arange(len(rows)), target[rows]] -= 1
            excess *= (importance[rows] / len(rows))[:, None]
            slope = dense.T @ excess
            seen[used] += (slope * slope).sum(axis=1, keepdims=True)
            weights[used] -= step * slope / np.sqrt(seen[used])
            bias -= step * excess.sum(axis=0)
    return weights * SCALE, bias


def softmax(scores: NDArray[Any]) -> NDArray[Any]:
    """Return each row as positive shares of 1."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: NDArray[Any] = powers / powers.sum(axis=1, keepdims=True)
    return shares

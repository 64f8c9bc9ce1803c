"""Trains a linear classifier of one label that ranks the texts of a group: by conditional logistic regression.

Of each group the probability of the right texts together is made as high as can be (McFadden, 1974).
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Final
from zlib import crc32

import numpy as np

from cli.evaluate.classifiers.linear_training import (
    FOLDS,
    Array,
    Options,
    Table,
    TextExample,
    descend,
    rows_of,
    table_of,
)
from triage.policy.classifiers.linear_classifier import LinearClassifier


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Texts of which some are right, at least one."""

    texts: Sequence[str]
    right: frozenset[int]
    prior: Sequence[float]
    """What a text scores before it is read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ranked(Table):
    """The texts of all groups, one behind the other."""

    starts: Array
    """Row at which each group begins."""
    groups: Array
    """Of each row."""
    prior: Array

    def loss(self, weights: Array, penalty: float) -> tuple[float, Array]:
        """Return the mean loss over the groups and its gradient; the bias has no part in it."""
        scores = self.scores(weights)[:, 0] + self.prior
        powers = np.exp(scores - np.maximum.reduceat(scores, self.starts)[self.groups])
        right = powers * self.right[:, 0]
        sums, rights = (np.add.reduceat(column, self.starts) for column in (powers, right))
        loss = float((np.log(sums / rights) * self.importance[self.starts]).sum())
        excess = (powers / sums[self.groups] - right / rights[self.groups]) * self.importance
        slope = 2 * penalty * weights
        slope[-1] = 0.0
        slope[self.size : -1, 0] += self.meant.T @ excess
        slope[: self.size, 0] += np.bincount(self.buckets, excess[self.rows] * self.amounts, self.size)
        return loss + penalty * float((weights[:-1] ** 2).sum()), slope


LABELS: Final = ("right",)


def train_ranking(choices: Sequence[Choice], options: Options) -> LinearClassifier:
    """Fit a classifier whose scores, added to the priors, rank the texts of a group."""
    weights = descend(_table(choices, options), options.penalty)
    return LinearClassifier(labels=LABELS, shape=options.shape, weights=weights[:-1], bias=weights[-1])


def share_found(choices: Sequence[Choice], options: Options) -> float:
    """Return the share of groups of which a classifier that was trained without their fold ranks a right text first."""
    table = _table(choices, options)
    folds = np.array([crc32("".join(one.texts).encode()) % FOLDS for one in choices])
    found = 0
    for fold in set(folds):
        weights = descend(rows_of(table, (folds != fold)[table.groups]), options.penalty)
        scores = table.scores(weights)[:, 0] + table.prior
        firsts = [int(one.argmax()) for one in np.split(scores, table.starts[1:])]
        found += sum(bool(folds[at] == fold) and first in choices[at].right for at, first in enumerate(firsts))
    return found / len(choices)


def _table(choices: Sequence[Choice], options: Options) -> _Ranked:
    rows = [(text, at in one.right) for one in choices for at, text in enumerate(one.texts)]
    table = table_of([TextExample(text, LABELS[0] if right else "") for text, right in rows], LABELS, options)
    sizes = [len(one.texts) for one in choices]
    groups = np.repeat(np.arange(len(choices)), sizes)
    own = {one.name: getattr(table, one.name) for one in fields(Table)} | {
        "importance": np.full(len(rows), 1 / len(choices))
    }
    prior = np.array([worth for one in choices for worth in one.prior])
    return _Ranked(**own, starts=np.cumsum([0, *sizes[:-1]]), groups=groups, prior=prior)

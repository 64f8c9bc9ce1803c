"""Scores of classifiers, from pairs of the right label and the answer."""

from collections.abc import Collection, Sequence

Pair = tuple[str, str]


def accuracy(pairs: Sequence[Pair]) -> float:
    """Return the share of right answers."""
    return round(sum(label == answer for label, answer in pairs) / len(pairs), 4)


def macro_f1(pairs: Sequence[Pair], names: Collection[str]) -> float:
    """Return the mean of the F1 scores of these labels, each counted alike; each is right or given at least once."""
    sizes = {name: sum((name == label) + (name == answer) for label, answer in pairs) for name in names}
    hits = {name: sum(name == label == answer for label, answer in pairs) for name in names}
    return round(sum(2 * hits[name] / sizes[name] for name in sorted(names)) / len(names), 4)

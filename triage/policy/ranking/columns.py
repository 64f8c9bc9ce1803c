"""Reads hundreds of packed documents at once: an array per field, which holds that of one document behind that of the other."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import starmap
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from triage.policy.ranking.documents import HEAD, Document, Numbers, packed

KINDS: Final = (*(np.uint32,) * 4, *(np.uint16,) * 4, *(np.uint8,) * 4)
"""Of the arrays of a packed document: codes, quotations, technologies, identifiers; terms, pairs, grams, grams of the title;
counts of the terms in title and text, counts of both kinds of grams."""
SIZES: Final = (0, 1, 2, 3, 4, 5, 6, 7, 4, 4, 6, 7)
"""Which size of the head is that of each array."""
WIDTHS: Final = np.array([np.dtype(kind).itemsize for kind in KINDS])
ARRAYS: Final = 8
HEADS: Final = np.dtype([("sizes", "<u2", ARRAYS), ("lengths", "<u2", 2), ("norms", "<f4", 3)])


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One field of all documents."""

    values: NDArray[Any]
    sizes: NDArray[np.intp]
    """How many values each document has."""

    def rows_of(self, kept: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the number of the document of each of these values; the places of the values ascend."""
        counts = np.diff(np.searchsorted(kept, np.cumsum(self.sizes)), prepend=0)
        return np.repeat(np.arange(len(self.sizes)), counts)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class GramColumn:
    """Sequences of characters of all documents."""

    ids: Column
    counts: NDArray[Any]
    norm: Numbers


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Columns:
    """The fields of `Document`, for several documents at once."""

    terms: Column
    in_title: NDArray[Any]
    in_text: NDArray[Any]
    norm: Numbers
    title_length: Numbers
    text_length: Numbers
    pairs: Column
    grams: GramColumn
    title_grams: GramColumn
    codes: Column
    quotes: Column
    technologies: Column
    identifiers: Column

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self.norm)

    @classmethod
    def of(cls, documents: Sequence[Document]) -> Self:
        return cls.read([packed(document) for document in documents])

    @classmethod
    def read(cls, data: Sequence[bytes]) -> Self:
        """Read packed documents. Raises `ValueError` if one of them is none."""
        head = np.frombuffer(b"".join([one[: HEAD.size] for one in data]), dtype=HEADS)
        sizes = head["sizes"].astype(np.intp)[:, SIZES]
        ends = HEAD.size + np.cumsum(sizes * WIDTHS, axis=1)
        if len(head) != len(data) or ends[:, -1].tolist() != list(map(len, data)):
            raise ValueError("not the bytes of a packed document")
        starts = (ends - sizes * WIDTHS).T.tolist()
        columns = list(starmap(_column, zip(KINDS, [data] * len(KINDS), starts, ends.T.tolist(), sizes.T, strict=True)))
        codes, quotes, technologies, identifiers, terms, pairs, grams, title_grams = columns[:ARRAYS]
        in_title, in_text, gram_counts, title_gram_counts = (column.values for column in columns[ARRAYS:])
        lengths, norms = head["lengths"].astype(np.float64).T, head["norms"].astype(np.float64).T
        return cls(
            terms=terms,
            in_title=in_title,
            in_text=in_text,
            norm=norms[0],
            title_length=lengths[0],
            text_length=lengths[1],
            pairs=pairs,
            grams=GramColumn(ids=grams, counts=gram_counts, norm=norms[1]),
            title_grams=GramColumn(ids=title_grams, counts=title_gram_counts, norm=norms[2]),
            codes=codes,
            quotes=quotes,
            technologies=technologies,
            identifiers=identifiers,
        )


def _column(
    kind: type[Any], data: Sequence[bytes], starts: Sequence[int], ends: Sequence[int], sizes: NDArray[np.intp]
) -> Column:
    """Cut one array out of each document, and put them one behind the other."""
    joined = b"".join([one[start:end] for one, start, end in zip(data, starts, ends, strict=True)])
    return Column(np.frombuffer(joined, dtype=kind), sizes)

"""Columns of packed documents: they hold what was packed, and refuse what was not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triage.policy.ranking.columns import Column, Columns
from triage.policy.ranking.documents import Document, document_of, packed

PACKED = packed(document_of("Export fails", "It says ORA-00942."))


def held(column: Column, number: int) -> list[int]:
    """What one document has of a field."""
    end = int(column.sizes[: number + 1].sum())
    return list(map(int, column.values[end - int(column.sizes[number]) : end]))


def same(columns: Columns, number: int, document: Document) -> bool:
    """Whether the columns hold this document at this place."""
    names = ("terms", "pairs", "codes", "quotes", "technologies", "identifiers")
    grams = ((columns.grams, document.grams), (columns.title_grams, document.title_grams))
    return (
        all(held(getattr(columns, name), number) == getattr(document, name).tolist() for name in names)
        and held(Column(columns.in_title, columns.terms.sizes), number) == document.in_title.tolist()
        and held(Column(columns.in_text, columns.terms.sizes), number) == document.in_text.tolist()
        and all(held(theirs.ids, number) == ours.ids.tolist() for theirs, ours in grams)
        and all(held(Column(theirs.counts, theirs.ids.sizes), number) == ours.counts.tolist() for theirs, ours in grams)
        and columns.title_length[number] == document.title_length
        and columns.text_length[number] == document.text_length
        and columns.norm[number] == pytest.approx(document.norm, rel=1e-6)
        and all(theirs.norm[number] == pytest.approx(ours.norm, rel=1e-6) for theirs, ours in grams)
    )


@given(st.lists(st.tuples(st.text(max_size=80), st.text(max_size=300)), min_size=1, max_size=4))
def test_packing_loses_nothing(texts: list[tuple[str, str]]) -> None:
    """Whatever the texts, each document that was packed stands in the columns as it was, in its row."""
    documents = [document_of(title, text) for title, text in texts]
    columns = Columns.of(documents)

    assert len(columns) == len(documents)
    assert all(same(columns, number, document) for number, document in enumerate(documents))
    assert columns.terms.rows_of(np.arange(len(columns.terms.values))).tolist() == [
        at for at, one in enumerate(documents) for _ in one.terms
    ]


def test_no_documents_no_values() -> None:
    """Nothing packed gives empty columns."""
    columns = Columns.read([])

    assert len(columns) == 0
    assert np.array_equal(columns.terms.values, [])


@pytest.mark.parametrize("data", [b"", b"short", PACKED[:-1], PACKED + b"?"])
def test_what_was_not_packed_is_refused(data: bytes) -> None:
    """Bytes of a damaged index raise instead of giving another document."""
    with pytest.raises(ValueError, match=r"not the bytes of a packed document|buffer size must be a multiple"):
        Columns.read([PACKED, data])

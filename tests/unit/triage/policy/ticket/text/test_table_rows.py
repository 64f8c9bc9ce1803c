"""Rows of tables are told from prose, whatever parts their cells."""

import pytest

from triage.domain.mail import RichLine
from triage.domain.untrusted import Untrusted
from triage.policy.ticket.text.table_rows import rows_of, table_end


def lines(text: str) -> list[RichLine]:
    """The lines of a text without markup."""
    return [RichLine(Untrusted(line)) for line in text.split("\n")]


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("a | b\n1 | 2\nthen text", 2),
        ("a\tb\n1\t2", 2),
        ("Job  State  Took\nunit  ok  9m\ne2e  skipped\nThat was it.", 3),
        ("a | b\n-----\n1 | 2", 3),
        ("Ada Byron | Harbour\nUnit 9", 1),
        ("It broke.  We saw it.  Twice.\nIt is red.  It hums.  Badly.", 0),
        ("07:35  6 s\n07:50  9 s", 0),
    ],
)
def test_a_table_ends_where_its_columns_do(text: str, end: int) -> None:
    """Lines of the same cells are rows; gaps count from three columns on, and not behind the end of a sentence."""
    assert table_end(lines(text), 0) == end


def test_rows_have_one_sign_between_their_cells() -> None:
    """Whatever stood there; the line across the table goes."""
    rows = rows_of(lines("| a | b |\n|---|---|\n1\t2\nx   y   z"))

    assert [row.text for row in rows] == ["a | b", "1 | 2", "x | y | z"]

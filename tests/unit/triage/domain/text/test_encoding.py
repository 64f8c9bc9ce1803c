"""Where a file is not UTF-8."""

import pytest

from triage.domain.text.encoding import not_utf8


@pytest.mark.parametrize(
    ("raw", "line"),
    [(b"\xff", 1), ("a\nb\r\nB\xfcro\n".encode("latin-1"), 3), ("PORT=1\n".encode("utf-16"), 1)],
)
def test_the_first_wrong_line_is_named(raw: bytes, line: int) -> None:
    """Lines count from one, whatever ends them."""
    with pytest.raises(UnicodeDecodeError) as told:
        raw.decode()

    assert not_utf8(told.value) == f"is not UTF-8 (line {line}); save it again in this encoding"

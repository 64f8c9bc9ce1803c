"""Data files: plain and compressed ones give the same rows, and what is wrong with a line is said once for all of them."""

import gzip
from pathlib import Path

import pytest

from cli.evaluate.data_files import rows_of
from triage.domain.errors import SettingsInvalid


def test_a_compressed_file_has_the_rows_of_a_plain_one(tmp_path: Path) -> None:
    """Lines are counted from 1, blank ones too, so that an error can name the line."""
    plain, packed = tmp_path / "a.jsonl", tmp_path / "a.jsonl.gz"
    plain.write_bytes(b'{"id": 1}\n\n{"id": 2}')
    packed.write_bytes(gzip.compress(plain.read_bytes()))

    assert list(rows_of(plain)) == [(1, {"id": 1}), (3, {"id": 2})]
    assert list(rows_of(packed)) == list(rows_of(plain))


@pytest.mark.parametrize(
    ("second", "problem"),
    [
        (b"{", "a.jsonl, line 2: is no JSON"),
        (b"\xff", "a.jsonl, line 2: is no JSON"),
        (b"[]", "a.jsonl, line 2: is no object"),
        (b'{"text": 1}', "a.jsonl, line 2: lacks id"),
    ],
)
def test_the_first_wrong_line_is_named(tmp_path: Path, second: bytes, problem: str) -> None:
    """With what is wrong: no JSON, no object, or the keys that it lacks."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"id": 1, "text": "a"}\n' + second)

    with pytest.raises(SettingsInvalid, match=problem):
        list(rows_of(path, ("id", "text")))


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """One that is not there, one that is not packed, one that was cut."""
    (tmp_path / "plain.jsonl.gz").write_bytes(b"{}")
    (tmp_path / "cut.jsonl.gz").write_bytes(gzip.compress(b'{"id": 1}')[:-4])

    for name in ("absent.jsonl", "plain.jsonl.gz", "cut.jsonl.gz"):
        with pytest.raises(SettingsInvalid, match=rf"{name} cannot be read"):
            list(rows_of(tmp_path / name))

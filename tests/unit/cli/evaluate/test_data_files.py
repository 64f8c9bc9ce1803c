"""Data files: plain and compressed ones give the same lines."""

import gzip
from pathlib import Path

from cli.evaluate.data_files import numbered_lines


def test_a_compressed_file_has_the_lines_of_a_plain_one(tmp_path: Path) -> None:
    """Counted from 1, blank ones too, so that an error can name the line."""
    plain, packed = tmp_path / "a.jsonl", tmp_path / "a.jsonl.gz"
    plain.write_bytes(b'{"id": 1}\n\n{"id": 2}')
    packed.write_bytes(gzip.compress(plain.read_bytes()))

    assert list(numbered_lines(plain)) == [(1, b'{"id": 1}\n'), (2, b"\n"), (3, b'{"id": 2}')]
    assert list(numbered_lines(packed)) == list(numbered_lines(plain))

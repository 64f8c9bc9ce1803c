"""What is written beside is whole or not there."""

import resource
import stat
from pathlib import Path

import pytest

from triage.config.durable_files import sync_folder, write_new


def test_a_new_file_is_whole_and_ours_alone(tmp_path: Path) -> None:
    """A new file holds what was given, and nobody else may read it."""
    write_new(tmp_path / "key", b"secret")
    sync_folder(tmp_path)

    assert (tmp_path / "key").read_bytes() == b"secret"
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600


def test_a_file_that_is_there_is_left_alone(tmp_path: Path) -> None:
    """What somebody else wrote is neither changed nor removed."""
    (tmp_path / "key").write_bytes(b"theirs")
    with pytest.raises(FileExistsError):
        write_new(tmp_path / "key", b"ours")

    assert (tmp_path / "key").read_bytes() == b"theirs"


def test_tries_without_room_keep_no_half_file(tmp_path: Path) -> None:
    """A file that cannot be written to its end does not stay, so that many tries fill no disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, before[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            write_new(tmp_path / "key", b"x" * 2_000_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)

    assert not list(tmp_path.iterdir())

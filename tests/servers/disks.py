"""Disks that are full or broken: a process on a file system of its own size, or whose writes and syncs fail."""

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from tests.servers import find_server

_MOUNTED: Final = 'mount -t tmpfs -o "size=$1" tmpfs "$2" && shift 2 && exec "$@"'

_CLOSED: Final = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"'


def on_small_disk(folder: Path, size: str, command: Sequence[str]) -> list[str]:
    """The command, for which this folder is a disk of this size; nobody else sees what lies there."""
    foreign_thread = [find_server("unshare", "util-linux"), "--map-root-user", "--mount"]
    _allowed([*foreign_thread, "sh", "-c", _MOUNTED, "sh", size, str(folder), "true"])
    return [*foreign_thread, "sh", "-c", _MOUNTED, "sh", size, str(folder), *command]


def on_read_only_disk(folder: Path, command: Sequence[str]) -> list[str]:
    """The command, for which this folder is a disk that takes no writes; what lies there can be read."""
    apart = [find_server("unshare", "util-linux"), "--map-root-user", "--mount"]
    _allowed([*apart, "sh", "-c", _CLOSED, "sh", str(folder), "true"])
    return [*apart, "sh", "-c", _CLOSED, "sh", str(folder), *command]


def with_fault(fault: str, files: Sequence[Path], command: Sequence[str]) -> list[str]:
    """The command, with a fault where it touches one of these files: `fdatasync:error=EIO:when=3+`."""
    strace = [find_server("strace", "strace"), "-f", "-qq", "-o", "/dev/null"]
    _allowed([*strace, "true"])
    calls = fault.partition(":")[0]
    where = [word for file in files for word in ("-P", str(file))]
    return [*strace, *where, "-e", f"trace={calls}", "-e", f"inject={fault}", *command]


def _allowed(command: Sequence[str]) -> None:
    """Some containers forbid both, in CI too, and nothing that could be installed changes that; then the test says so."""
    tried = subprocess.run(command, capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"{Path(command[0]).name} may not do here what this test needs: {tried.stderr.strip()}")

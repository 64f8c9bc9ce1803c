"""Disks that are full or broken: a process on a file system of its own size, or whose writes and syncs fail."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.servers import find_server

_MOUNTED: Final = 'mount -t tmpfs -o "size=$1" tmpfs "$2" && shift 2 && exec "$@"'


def on_small_disk(folder: Path, size: str, command: Sequence[str]) -> list[str]:
    """The command, for which this folder is a disk of this size; nobody else sees what lies there."""
    unshare = find_server("unshare", "util-linux")
    return [unshare, "--map-root-user", "--mount", "sh", "-c", _MOUNTED, "sh", size, str(folder), *command]


def with_fault(fault: str, files: Sequence[Path], command: Sequence[str]) -> list[str]:
    """The command, with a fault where it touches one of these files: `fdatasync:error=EIO:when=3+`."""
    strace = find_server("strace", "strace")
    calls = fault.partition(":")[0]
    where = [word for file in files for word in ("-P", str(file))]
    return [strace, "-f", "-qq", "-o", "/dev/null", *where, "-e", f"trace={calls}", "-e", f"inject={fault}", *command]

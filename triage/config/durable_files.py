"""Files that neither a crash nor a power failure leaves half written: written beside, down to the disk, then renamed by the caller."""

import os
from pathlib import Path


def write_new(path: Path, content: bytes, mode: int = 0o600) -> None:
    """Write a file that is not there yet, down to the disk. Raises `OSError`, and leaves none where the disk is full."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        path.unlink()
        raise


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable: of new, renamed and removed files."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

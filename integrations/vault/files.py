"""Files of the vault: lists them, reads what can be a note, and writes so that nobody ever sees half a file."""

import errno
import fcntl
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from triage.config.durable_files import sync_folder, write_new
from triage.domain.memory.errors import NoteNotFound, VaultDown, VaultReadOnly
from triage.domain.memory.notes import NoteKind, NoteProblem

OURS: Final = ".triage"
"""Folder of the vault for what is no note; Obsidian and we overlook names that begin with a dot."""
TRASH: Final = ".trash"
"""Obsidian's own folder for deleted notes."""
SUFFIX: Final = ".md"
LARGEST: Final = 1024 * 1024
"""Bytes of a note."""
DEEPEST: Final = 8
"""Folders within each other."""
LARGEST_NUMBER: Final = 2**63 - 1
"""Of a database."""
PATIENCE: Final = 10.0
"""Seconds to wait for another process that writes."""
NOTHING_MAY_BE_WRITTEN: Final = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT})

Signature = tuple[int, int, int, int]
"""Times of change, size and inode: a file of the same signature is the same."""


@dataclass(frozen=True, slots=True)
class Listing:
    """What stands below the folders of notes."""

    files: dict[str, Signature] = field(default_factory=dict)
    """By id; what is odd, too."""
    odd: dict[str, NoteProblem] = field(default_factory=dict)
    """What stands in the place of a note and cannot be one."""

    def add_odd(self, path: str, stat: os.stat_result, trouble: str) -> None:
        """Add what cannot be a note, under its path in characters that everybody can see and store."""
        name = ascii(path)[1:-1]
        self.odd[name] = NoteProblem(path=name, line=1, what=trouble)
        self.files[name] = _signature(stat)


def listing_of(folder: Path) -> Listing:
    """Look at all files that are notes or look like notes. Raises `OSError`."""
    listing = Listing()
    for kind in NoteKind:
        _list(f"{folder}/{kind}", kind.value, 0, listing)
    return listing


def _list(path: str, name: str, depth: int, listing: Listing) -> None:
    info = _info(path)
    if info is None:
        return
    trouble = ""
    if not stat.S_ISDIR(info.st_mode):
        trouble = "is not a folder of its own: links are not followed"
    elif depth > DEEPEST:
        trouble = f"folders stand at most {DEEPEST} deep"
    if trouble:
        listing.add_odd(name, info, trouble)
        return
    with suppress(FileNotFoundError), os.scandir(path) as entries:  # an editor moves files and folders while we look
        for entry in entries:
            if entry.name[0] == ".":
                continue
            if entry.is_dir():
                _list(entry.path, f"{name}/{entry.name}", depth + 1, listing)
            elif entry.name.endswith(SUFFIX) and (info := _info(entry.path)):
                note = f"{name}/{entry.name[: -len(SUFFIX)]}"
                if stat.S_ISREG(info.st_mode) and info.st_size <= LARGEST and note.isprintable():
                    listing.files[note] = _signature(info)
                else:
                    _odd(note, info, listing)


def _odd(name: str, info: os.stat_result, listing: Listing) -> None:
    trouble = "its name has characters that nobody can see"
    if not stat.S_ISREG(info.st_mode):
        trouble = "is not a file of its own: links are not followed"
    elif info.st_size > LARGEST:
        trouble = f"is larger than {LARGEST // 1024} KB"
    listing.add_odd(f"{name}{SUFFIX}", info, trouble)


def signature_of(path: Path) -> Signature | None:
    info = _info(path)
    return _signature(info) if info else None


def _info(path: str | Path) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except FileNotFoundError:
        return None


def _signature(stat: os.stat_result) -> Signature:
    return stat.st_mtime_ns, stat.st_ctime_ns, stat.st_size, stat.st_ino & LARGEST_NUMBER


def text_at(path: str | Path) -> str:
    """Return the text of a file as it is. Raises `OSError`, and `ValueError` that says why it is no text."""
    # O_NONBLOCK: what was a file a moment ago may be a pipe, which would wait for somebody to write into it.
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise ValueError("is not a file of its own")
        raw = file.read(LARGEST + 1)
    if len(raw) > LARGEST:
        raise ValueError(f"is larger than {LARGEST // 1024} KB")
    if b"\0" in raw:
        raise ValueError("is no text: it holds bytes of zero")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as e:
        raise ValueError(f"is no UTF-8: line {raw.count(10, 0, e.start) + 1}") from None


def path_of(folder: Path, note: str) -> Path:
    """Return the file of a note. Raises `NoteNotFound` for an id that leads out of the folders of notes."""
    parts = note.split("/")
    bad = any(not part or part.startswith(".") or "\\" in part or not part.isprintable() for part in parts)
    if bad or parts[0] not in set(NoteKind) or len(parts) < 2 or len(parts) > DEEPEST:  # noqa: PLR2004 - kind and name
        raise NoteNotFound(note)
    path = folder.joinpath(*parts[:-1], parts[-1] + SUFFIX)
    if not path.parent.resolve().is_relative_to(folder.resolve()):
        raise NoteNotFound(note)
    return path


def put(folder: Path, path: Path, text: str, seen: Signature | None) -> bool:
    """Write a file at once: as a whole or not at all, also where the power fails. Raises `OSError`.

    Return False, and write nothing, if the file is no longer as it was seen: an editor may save while ours goes to the disk.
    """
    temporary = folder / OURS / f"{os.getpid()}-{time.monotonic_ns()}.tmp"
    write_new(temporary, text.encode("utf-8"), 0o666)
    try:
        if old := _info(path):
            temporary.chmod(stat.S_IMODE(old.st_mode))
        path.parent.mkdir(parents=True, exist_ok=True)
        if signature_of(path) != seen:
            return False
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(path.parent)
    return True


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Hold the vault's lock against other processes and threads of ours. Raises `VaultDown`, `VaultReadOnly`."""
    try:
        with _locked(folder):
            yield
    except OSError as e:
        if e.errno in NOTHING_MAY_BE_WRITTEN:
            raise VaultReadOnly(f"{e.filename or folder}: {e.strerror}") from e
        raise VaultDown(f"{e.filename or folder}: {e.strerror}") from e


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    ours = folder / OURS
    ours.mkdir(exist_ok=True)  # others may begin to write at the same moment
    with (ours / "lock").open("a", encoding="utf-8") as file:
        _take(file.fileno(), time.monotonic() + PATIENCE)
        if not (ours / ".gitignore").exists():
            (ours / ".gitignore").write_text("*\n", encoding="utf-8")
        for left in ours.glob("*.tmp"):  # of a process that was killed: nobody else writes now
            left.unlink(missing_ok=True)
        yield


def _take(handle: int, until: float) -> None:
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise VaultDown("another process of Triage has been writing for too long") from None
            time.sleep(0.01)
        else:
            return

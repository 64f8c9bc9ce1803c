"""Writes `.env` and `triage.yaml` atomically, and never overwrites a file changed by others."""

import os
import pwd
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from triage.config.durable_files import sync_folder
from triage.domain.operations.errors import FileNotWritten
from triage.domain.text.encoding import not_utf8

PRIVATE: Final = 0o600
"""For a file with secrets: for its owner alone."""
SHARED: Final = 0o644


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """A file before and after; used by `triage init`."""

    path: Path
    was: str
    """Its text, empty if there is no such file."""
    becomes: str
    mode: int = SHARED

    @property
    def changes(self) -> bool:
        """Tell whether there is anything to write."""
        return self.was != self.becomes


def text_of(path: Path) -> str:
    """Return the text of a settings file, empty if there is none. Raises `FileNotWritten` where it may not be replaced."""
    try:
        target = _target(path)
        return target.read_text(encoding="utf-8") if target.exists() else ""
    except UnicodeDecodeError as e:
        raise FileNotWritten(str(path), not_utf8(e)) from e
    except OSError as e:
        raise FileNotWritten(str(path), f"it cannot be read ({_why(e)})") from e


def check_writable(path: Path) -> None:
    """Test that the folder is writable, before any question is asked. Raises `FileNotWritten`."""
    target = _target(path)
    _temporary(target, "", PRIVATE).unlink()


def write(changes: Sequence[FileChange]) -> tuple[Path, ...]:
    """Write the files that change and return their paths; all texts are on disk before the first file is replaced.

    Raises `FileNotWritten` if one cannot be written, or has been changed since it was read.
    """
    changed = [(one, _target(one.path)) for one in changes if one.changes]
    for one, target in changed:
        if text_of(target) != one.was:
            raise FileNotWritten(str(one.path), "somebody has changed it meanwhile: run this again")
    made: list[Path] = []
    try:
        for one, target in changed:
            made.append(_temporary(target, one.becomes, one.mode))
        for temporary, (_, target) in zip(tuple(made), changed, strict=True):
            temporary.replace(target)
            made.remove(temporary)
            sync_folder(target.parent)
    except OSError as e:
        raise FileNotWritten(str(changed[0][0].path), _why(e)) from e
    finally:
        for temporary in made:
            temporary.unlink()
    return tuple(target for _, target in changed)


def _target(path: Path) -> Path:
    """Return the file that a link leads to. Raises `FileNotWritten` unless file and link are ours."""
    try:
        if path.is_symlink() or path.exists():
            _ours(path)
        target = path.resolve()
        if target.exists():
            _ours(target)
            if not target.is_file():
                raise FileNotWritten(str(path), "it is no file; name another one with --env")
    except OSError as e:
        raise FileNotWritten(str(path), _why(e)) from e
    return target


def _ours(path: Path) -> None:
    owner = path.lstat().st_uid
    if owner != os.geteuid():
        raise FileNotWritten(str(path), f"it belongs to {_name(owner)}: run this as that user (sudo -u {_name(owner)})")


def _name(user: int) -> str:
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return f"#{user}"


def _temporary(target: Path, text: str, mode: int) -> Path:
    """Write a new file beside the target, to the disk. Raises `FileNotWritten`."""
    name = ""
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}-")  # 0600 from its first moment
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
    except OSError as e:
        if name:
            Path(name).unlink()
        raise FileNotWritten(str(target), _why(e)) from e
    return Path(name)


def _why(e: OSError) -> str:
    return e.strerror or type(e).__name__

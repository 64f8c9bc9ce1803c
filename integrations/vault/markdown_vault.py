"""The vault behind the port `Vault`: a file a note, read again when it changed, written at once, never over a change of somebody else."""

import asyncio
import hashlib
import json
import re
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from integrations.vault.files import (
    OURS,
    SUFFIX,
    TRASH,
    Found,
    Signature,
    found_in,
    path_of,
    put,
    signature_of,
    text_at,
    writing,
)
from triage.domain.errors import NoteChanged, NoteNotFound, VaultDown
from triage.domain.memory.notes import Note, NoteProblem

FRESH: Final = 100_000_000
"""Nanoseconds: a file that changed so recently may change again with the same signature, so it is read again."""
Result = TypeVar("Result")
NoteOf = Callable[[str, str], Note | NoteProblem]
"""Reads a note from its id and the file's text."""
TextOf = Callable[[Note, str], str]
"""Writes a note as the file's text, given the text that stands there."""


class MarkdownVault:
    """A folder of Markdown files that people edit, too, with Obsidian or any editor, and may keep in Git.

    Files that are no notes are kept as they are. Beside the notes it keeps `.triage` (a lock, and of each note the text
    before our last write) and `.trash`.
    """

    def __init__(
        self, folder: Path, note_of: NoteOf, text_of: TextOf, *, create: bool = False, rest: float = 0.0
    ) -> None:
        """Make the folder first if `create`. For `rest` seconds after a look files are taken to be as they were seen."""
        self._folder = folder
        self._note_of = note_of
        self._text_of = text_of
        self._seen: dict[str, tuple[Signature | None, Note | NoteProblem]] = {}
        self._looked: tuple[Note, ...] = ()
        self._one = threading.Lock()
        self._rest = rest
        self._again = 0.0
        """When the files are looked at again, in seconds of the monotonic clock."""
        self._stale = False
        if create:
            folder.mkdir(parents=True, exist_ok=True)

    async def ready(self) -> None:
        """See port `Vault`."""
        await self._off(self._ready)

    async def notes(self) -> tuple[Note, ...]:
        """See port `Vault`; the same tuple as before where nothing changed."""
        return await self._off(self._look)

    async def problems(self) -> tuple[NoteProblem, ...]:
        """See port `Vault`."""
        await self._off(self._look)
        found = (read for _, read in self._seen.values() if isinstance(read, NoteProblem))
        return tuple(sorted(found, key=lambda problem: problem.path))

    async def note(self, note: str) -> Note | None:
        """See port `Vault`."""
        return await self._off(lambda: self._read(note)[0])

    async def write(self, note: Note, *, before: Note | None) -> Note:
        """See port `Vault`."""
        return await self._off(lambda: self._write(note, before))

    async def remove(self, note: str) -> None:
        """See port `Vault`."""
        await self._off(lambda: self._remove(note))

    async def undo(self, note: str) -> Note | None:
        """See port `Vault`."""
        return await self._off(lambda: self._undo(note))

    async def shred(self, note: str) -> None:
        """See port `Vault`."""
        await self._off(lambda: self._shred(note))

    async def _off(self, work: Callable[[], Result]) -> Result:
        """Work in a thread, one at a time: files may lie on a slow disk."""

        def alone() -> Result:
            with self._one:
                if not self._folder.is_dir():
                    raise VaultDown(f"{self._folder} is no folder")
                try:
                    return work()
                except OSError as e:
                    raise VaultDown(f"{e.filename or self._folder}: {e.strerror}") from e

        return await asyncio.to_thread(alone)

    # --- reading ------------------------------------------------------------------------------

    def _look(self) -> tuple[Note, ...]:
        if time.monotonic() >= self._again:
            self._again = time.monotonic() + self._rest
            self._scan()
        if self._stale:
            notes = (read for _, read in self._seen.values() if isinstance(read, Note))
            self._looked, self._stale = tuple(sorted(notes, key=lambda note: note.id)), False
        return self._looked

    def _scan(self) -> None:
        """Read what is new or changed; what reads as before stays the same object."""
        fresh = time.time_ns() - FRESH
        seen = {}
        for found in found_in(self._folder):
            known = self._seen.get(found.id)
            if known is None or known[0] != found.signature:
                old, read = known and known[1], self._reading(found)
                # Times of change come in ticks of some milliseconds: within one a file can change unseen.
                settled = found.signature if max(found.signature[:2]) < fresh else None
                known = settled, old if old is not None and read == old else read
                self._stale = self._stale or known[1] is not old
            seen[found.id] = known
        self._stale = self._stale or seen.keys() != self._seen.keys()
        self._seen = seen

    def _reading(self, found: Found) -> Note | NoteProblem:
        if found.trouble:
            path = Path(found.path).relative_to(self._folder).as_posix()
            return NoteProblem(path=ascii(path)[1:-1], line=1, what=found.trouble)
        try:
            return self._note_of(found.id, text_at(found.path))
        except (OSError, ValueError) as e:
            what = str(e) if isinstance(e, ValueError) else str(e.strerror)
            return NoteProblem(path=f"{found.id}{SUFFIX}", line=1, what=what)

    def _read(self, note: str) -> tuple[Note | None, str | None]:
        """Return the note and the text of its file; the note is None where the file is missing or no note."""
        try:
            text = text_at(path_of(self._folder, note))
        except (FileNotFoundError, NotADirectoryError, NoteNotFound):
            return None, None
        except (OSError, ValueError):  # a link, or no text: kept, as a problem
            return None, ""
        read = self._note_of(note, text)
        return (read if isinstance(read, Note) else None), text

    def _ready(self) -> None:
        with writing(self._folder):
            put(self._folder, self._folder / OURS / "ready", "")

    # --- writing ------------------------------------------------------------------------------

    def _write(self, note: Note, before: Note | None) -> Note:
        path = path_of(self._folder, note.id)
        with writing(self._folder):
            signature = signature_of(path)
            now, text = self._read(note.id)
            if now != before or (now is None and text is not None):
                self._again = 0.0  # what the caller has seen is old
                raise NoteChanged(note.id)
            new = self._text_of(note, text or "")
            if new == text:
                return note
            self._keep(note.id, text, new)
            if signature_of(path) != signature:
                raise NoteChanged(note.id)
            put(self._folder, path, new, path.stat().st_mode if signature else None)
        written = self._note_of(note.id, new)
        if isinstance(written, NoteProblem):
            raise VaultDown(f"{written.path}:{written.line}: {written.what}")
        self._know(note.id, written)
        return written

    def _know(self, note: str, read: Note | None) -> None:
        """Remember what we have written ourselves, to be read again at the next look."""
        self._stale = True
        if read is None:
            self._seen.pop(note, None)
        else:
            self._seen[note] = None, read

    def _remove(self, note: str) -> None:
        path = path_of(self._folder, note)
        with writing(self._folder):
            text = self._read(note)[1]
            if text is None:
                return
            self._keep(note, text, None)
            self._discard(note, path)
        self._know(note, None)

    def _discard(self, note: str, path: Path) -> None:
        """Move a file to the trash, beside what lies there under its name."""
        place = self._folder / TRASH / f"{note}{SUFFIX}"
        place.parent.mkdir(parents=True, exist_ok=True)
        number = 2
        while place.exists():
            place = self._folder / TRASH / f"{note}~{number}{SUFFIX}"
            number += 1
        path.replace(place)

    def _undo(self, note: str) -> Note | None:
        path = path_of(self._folder, note)
        with writing(self._folder):
            kept = self._kept(note)
            if kept is None:
                raise NoteNotFound(note)
            text, wrote = kept
            now = self._read(note)[1]
            if (now is None) != (wrote is None) or (now is not None and _hash(now) != wrote):
                raise NoteChanged(note)
            if text is not None:
                put(self._folder, path, text, path.stat().st_mode if now is not None else None)
            elif now is not None:
                self._discard(note, path)
            self._before(note).unlink(missing_ok=True)
        restored = self._read(note)[0]
        self._know(note, restored)
        return restored

    def _shred(self, note: str) -> None:
        with writing(self._folder):
            self._before(note).unlink(missing_ok=True)
            place = self._folder / TRASH / note
            for file in place.parent.iterdir() if place.parent.is_dir() else ():
                if re.fullmatch(rf"{re.escape(place.name)}(~\d+)?{re.escape(SUFFIX)}", file.name):
                    file.unlink()

    # --- what the file was --------------------------------------------------------------------

    def _before(self, note: str) -> Path:
        path_of(self._folder, note)
        return self._folder / OURS / "before" / f"{note}.json"

    def _keep(self, note: str, text: str | None, new: str | None) -> None:
        """Keep the text that is about to go, and which one takes its place."""
        place = self._before(note)
        place.parent.mkdir(parents=True, exist_ok=True)
        kept = json.dumps({"before": text, "wrote": None if new is None else _hash(new)})
        place.write_text(kept, encoding="utf-8")

    def _kept(self, note: str) -> tuple[str | None, str | None] | None:
        try:
            kept = json.loads(self._before(note).read_text(encoding="utf-8"))
            return kept["before"], kept["wrote"]
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return None


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

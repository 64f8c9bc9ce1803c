"""The vault behind the port `Vault`: a file a note, read again when it changed, written at once, never over a change of somebody else."""

import asyncio
import hashlib
import json
import re
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeVar

from integrations.vault.files import (
    OURS,
    SUFFIX,
    TRASH,
    Listing,
    listing_of,
    path_of,
    put,
    signature_of,
    text_at,
    writing,
)
from integrations.vault.note_table import NoteChanges, NoteRules, NoteTable, SeenFile, Signatures
from integrations.vault.table_file import DamagedError
from triage.domain.memory.errors import NoteChanged, NoteNotFound, VaultDown
from triage.domain.memory.graph import NoteLinks
from triage.domain.memory.notes import Note, NoteHit, NoteKind, NoteProblem, NoteStatus

FRESH: Final = 100_000_000
"""Nanoseconds: a file that changed so recently may change again with the same signature, so it is read again."""
PATIENCE: Final = 30.0
"""Seconds: another process that builds the table of a large vault anew takes several."""
Result = TypeVar("Result")


class MarkdownVault:
    """A folder of Markdown files that people edit, too, with Obsidian or any editor, and may keep in Git.

    Files that are no notes are kept as they are. Beside the notes it keeps `.triage` (a lock, and of each note the text
    before our last write) and `.trash`.
    """

    def __init__(
        self,
        folder: Path,
        rules: NoteRules,
        *,
        table: Path | None = None,
        create: bool = False,
        rest: float = 0.0,
        patience: float = PATIENCE,
    ) -> None:
        """Make the folder first if `create`. For `rest` seconds after a look files are taken to be as they were seen.

        `table` is the file in which this host keeps what it has read; without one the process keeps it.
        `patience`: seconds to wait for another process that writes there.
        """
        self._folder = folder
        self._rules = rules
        self._table = NoteTable(table, folder, rules, patience)
        self._one = threading.Lock()
        self._rest = rest
        self._again = 0.0
        """When the files are looked at again, in seconds of the monotonic clock."""
        if create:
            folder.mkdir(parents=True, exist_ok=True)

    async def ready(self) -> None:
        await self._off(self._ready)

    async def notes(self) -> tuple[Note, ...]:
        """See port `Vault`; the same tuple as before where nothing changed."""
        return await self._off(lambda: self._looked(self._table.notes))

    async def problems(self) -> tuple[NoteProblem, ...]:
        return await self._off(lambda: self._looked(self._table.problems))

    async def find(
        self, terms: Sequence[str], limit: int, kind: NoteKind | None = None, status: NoteStatus | None = None
    ) -> tuple[NoteHit, ...]:
        """See port `NoteIndex`."""
        return await self._off(lambda: self._looked(lambda: self._table.find(terms, limit, kind or "", status or "")))

    async def links(self) -> tuple[NoteLinks, ...]:
        """See port `NoteIndex`; the same tuple as before where nothing changed."""
        return await self._off(lambda: self._looked(self._table.links))

    async def rebuild(self) -> int:
        """See port `NoteIndex`."""
        return await self._off(self._rebuild)

    async def note(self, note: str) -> Note | None:
        return await self._off(lambda: self._read(note)[0])

    async def write(self, note: Note, *, before: Note | None) -> Note:
        return await self._off(lambda: self._write(note, before))

    async def remove(self, note: str) -> None:
        await self._off(lambda: self._remove(note))

    async def undo(self, note: str) -> Note | None:
        return await self._off(lambda: self._undo(note))

    async def shred(self, note: str) -> None:
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

    def _looked(self, ask: Callable[[], Result]) -> Result:
        """Answer from the table after a look at the files; a table that is damaged is made again."""
        for in_memory in (False, True):
            try:
                self._look()
                return ask()
            except DamagedError:
                self._table.replace(in_memory=in_memory)
                self._again = 0.0
        self._look()
        return ask()

    def _look(self) -> None:
        if time.monotonic() < self._again:
            return
        again = time.monotonic() + self._rest
        listing = listing_of(self._folder)
        if not self._table.follows(listing.files):
            looks = iter((listing,))
            self._table.update(lambda known: self._changes(known, next(looks, None) or listing_of(self._folder)))
        self._again = again

    def _changes(self, known: Signatures, listing: Listing) -> NoteChanges:
        fresh = time.time_ns() - FRESH
        new = sorted((name, signature) for name, signature in listing.files.items() if known.get(name) != signature)
        # Times of change come in ticks of some milliseconds: within one a file can change unseen.
        read = [
            SeenFile(name, signature if max(signature[:2]) < fresh else None, self._reading(name, listing))
            for name, signature in new
        ]
        return NoteChanges(read, list(known.keys() - listing.files.keys()), listing.files)

    def _reading(self, name: str, listing: Listing) -> Note | NoteProblem:
        if name in listing.odd:
            return listing.odd[name]
        try:
            return self._rules.note_of(name, text_at(f"{self._folder}/{name}{SUFFIX}"))
        except (OSError, ValueError) as e:
            what = str(e) if isinstance(e, ValueError) else str(e.strerror)
            return NoteProblem(path=f"{name}{SUFFIX}", line=1, what=what)

    def _rebuild(self) -> int:
        """Forget what was read, and read all files again."""
        try:
            self._table.clear()
        except DamagedError:
            self._table.replace(in_memory=False)
        self._again = 0.0
        return len(self._looked(self._table.signatures))

    def _read(self, note: str) -> tuple[Note | None, str | None]:
        """Return the note and the text of its file; the note is None where the file is missing or no note."""
        try:
            text = text_at(path_of(self._folder, note))
        except (FileNotFoundError, NotADirectoryError, NoteNotFound):
            return None, None
        except (OSError, ValueError):  # a link, or no text: kept, as a problem
            return None, ""
        read = self._rules.note_of(note, text)
        return (read if isinstance(read, Note) else None), text

    def _ready(self) -> None:
        with writing(self._folder):
            probe = self._folder / OURS / "ready"
            put(self._folder, probe, "", signature_of(probe))

    # --- writing ------------------------------------------------------------------------------

    def _write(self, note: Note, before: Note | None) -> Note:
        path = path_of(self._folder, note.id)
        with writing(self._folder):
            signature = signature_of(path)
            now, text = self._read(note.id)
            if now != before or (now is None and text is not None):
                self._again = 0.0  # what the caller has seen is old
                raise NoteChanged(note.id)
            new = self._rules.text_of(note, text or "")
            if new == text:
                return note
            self._keep(note.id, text, new)
            if not put(self._folder, path, new, signature):
                raise NoteChanged(note.id)
        written = self._rules.note_of(note.id, new)
        if isinstance(written, NoteProblem):
            raise VaultDown(f"{written.path}:{written.line}: {written.what}")
        self._know(note.id, written)
        return written

    def _know(self, note: str, read: Note | None) -> None:
        """Keep what we have written ourselves, to be read again at the next look."""
        changes = NoteChanges(gone=[note]) if read is None else NoteChanges([SeenFile(note, None, read)])
        try:
            self._table.write(changes)
        except (DamagedError, VaultDown):  # the note is written: the next look reads it
            self._again = 0.0

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
            signature, kept = signature_of(path), self._kept(note)
            if kept is None:
                raise NoteNotFound(note)
            text, wrote = kept
            now = self._read(note)[1]
            if (now is None) != (wrote is None) or (now is not None and _hash(now) != wrote):
                raise NoteChanged(note)
            if text is not None:
                if not put(self._folder, path, text, signature):
                    raise NoteChanged(note)
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
        self._looked(self._table.settle)

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

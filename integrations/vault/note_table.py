"""Caches the contents of the notes as rows: a new process reads only the files that have changed."""

import hashlib
import marshal
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeVar, cast

from integrations.vault.files import Signature
from integrations.vault.note_rows import FIELDS, links_json, links_read, note_json, read_back
from integrations.vault.note_search import asked_for, best_of
from integrations.vault.table_file import DamagedError, TableFile
from triage.domain.memory.graph import NoteLinks
from triage.domain.memory.notes import Note, NoteHit, NoteProblem

SCHEMA: Final = """
CREATE TABLE notes (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    changed INTEGER, touched INTEGER, size INTEGER, inode INTEGER,
    kind TEXT NOT NULL, status TEXT NOT NULL,
    data TEXT NOT NULL, links TEXT NOT NULL
);
CREATE TABLE words (
    term TEXT NOT NULL, note INTEGER NOT NULL, share REAL NOT NULL, PRIMARY KEY (term, note)
) WITHOUT ROWID;
CREATE TABLE listing (sum TEXT NOT NULL, files BLOB NOT NULL);
CREATE INDEX words_of_note ON words (note);
"""
"""A row is never changed but in its signature: a note that reads otherwise gets a new number. A problem has no kind."""
_TOUCH: Final = "UPDATE notes SET changed = ?, touched = ?, size = ?, inode = ? WHERE id = ?"
_ADD: Final = "INSERT INTO notes (id, changed, touched, size, inode, kind, status, data, links) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
SUMMED: Final = 2
"""Version of marshal's format; later ones write the same value in several ways."""
T = TypeVar("T")
NoteOf = Callable[[str, str], Note | NoteProblem]
"""Reads a note from its id and the file's text."""
TextOf = Callable[[Note, str], str]
"""Writes a note as the file's text, given the text that stands there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteRules:
    """How notes are read, written and found: pure functions, which the wiring takes from the policy."""

    version: int
    """Of `note_of`, `words_of` and `links_of`: with another one all files are read again."""
    note_of: NoteOf
    text_of: TextOf
    words_of: Callable[[Note], Mapping[str, float]]
    """The terms of a note, each with what it counts there: 0 to 1."""
    links_of: Callable[[Note], NoteLinks]
    rarity: Callable[[int, int], float]
    """Number of notes with a term, number of all notes → what the term counts in a question."""


class SeenFile(NamedTuple):
    """A file as it was read."""

    id: str
    signature: Signature | None
    """None: it may have changed since without a sign, and is read again."""
    read: Note | NoteProblem


class NoteChanges(NamedTuple):
    """How the files differ from the rows."""

    read: Sequence[SeenFile] = ()
    gone: Sequence[str] = ()
    files: Mapping[str, Signature] | None = None
    """All that there are; None: nobody has looked."""


Signatures = Mapping[str, Signature | None]


class NoteTable:
    """Rows of notes with their words and links, for one thread at a time. All methods raise `DamagedError` and `VaultDown`."""

    def __init__(self, file: Path | None, folder: Path, rules: NoteRules, patience: float) -> None:
        """`folder` is the vault; without a `file` the rows are in memory."""
        schema = f"{SCHEMA}-- notes by rules {rules.version}: {' '.join(FIELDS)}\n;"
        self._file = TableFile(file, schema, str(folder), patience)
        self._rules = rules
        self._own = 0
        """How often this process has written."""
        self._known: dict[str, tuple[tuple[int, int], Any]] = {}
        """What was read, by name, each with the state of the table then."""
        self._notes: dict[int, Note | NoteProblem] = {}
        self._linked: dict[int, NoteLinks | None] = {}
        self._listed: tuple[Mapping[str, Signature], bytes] = ({}, b"")
        """The last listing that was compared, and its bytes."""

    # --- reading ------------------------------------------------------------------------------

    def follows(self, files: Mapping[str, Signature]) -> bool:
        """Whether these are the files that were read last. Reading all signatures takes longer than their sum."""
        self._listed = files, _bytes(files)
        with self._file.using() as at:
            return at.execute("SELECT 1 FROM listing WHERE sum = ?", (_sum(self._listed[1]),)).fetchone() is not None

    def signatures(self) -> Signatures:
        """Return the files that are known, each as it was when it was read."""
        return self._once("signatures", _signatures)

    def notes(self) -> tuple[Note, ...]:
        """Return all notes, by id: the same objects, and the same tuple, as long as nothing changed."""
        return self._once("notes", lambda at: tuple(read for read in self._all(at) if isinstance(read, Note)))

    def problems(self) -> tuple[NoteProblem, ...]:
        return self._once("problems", lambda at: tuple(one for one in self._all(at) if isinstance(one, NoteProblem)))

    def links(self) -> tuple[NoteLinks, ...]:
        """Return what the notes bring to the graph, by id: the same objects, and the same tuple, as long as nothing changed."""
        return self._once("links", self._links)

    def find(self, terms: Sequence[str], limit: int, kind: str = "", status: str = "") -> tuple[NoteHit, ...]:
        """Return the best notes for these terms, best first; a term that no note holds finds longer words."""
        with self._file.using() as at:
            asked = asked_for(at, terms, self._rules.rarity)
            found = best_of(at, asked, limit, kind, status)
        whole = sum(one.rarity for one in asked)
        return tuple(
            NoteHit(
                note=note,
                score=round(sum(one.rarity for one in hit.terms) / whole, 4),
                evidence=tuple(one.term for one in hit.terms),
            )
            for hit in found
            if isinstance(note := self._read(hit.number, hit.data), Note)
        )

    # --- writing ------------------------------------------------------------------------------

    def update(self, changes_of: Callable[[Signatures], NoteChanges]) -> None:
        """Take over changes; they are read again if another process has written meanwhile, lest older ones follow newer ones."""
        known = self.signatures()
        changes, state = changes_of(known), self._known["signatures"][0]
        with self._file.writing() as at:
            if self._state(at) != state:
                changes = changes_of(_signatures(at))
            self._put(at, changes)

    def write(self, changes: NoteChanges) -> None:
        """Take over what we have written ourselves."""
        with self._file.writing() as at:
            self._put(at, changes)

    def _put(self, at: sqlite3.Connection, changes: NoteChanges) -> None:
        self._own += 1
        for name in changes.gone:
            _drop(at, name)
        for seen in changes.read:
            self._keep(at, seen)
        at.execute("DELETE FROM listing")
        if changes.files is not None and all(seen.signature for seen in changes.read):
            files, listed = self._listed
            listed = listed if files is changes.files else _bytes(changes.files)
            at.execute("INSERT INTO listing VALUES (?, ?)", (_sum(listed), listed))

    def clear(self) -> None:
        """Forget all, to be read again."""
        self._forget()
        self._file.clear()

    def replace(self, *, in_memory: bool) -> None:
        """Begin with an empty file, or in memory."""
        self._forget()
        self._file.replace(in_memory=in_memory)

    def settle(self) -> None:
        """Leave nothing of what was removed in the file."""
        self._file.settle()

    # --- rows ---------------------------------------------------------------------------------

    def _once(self, name: str, ask: Callable[[sqlite3.Connection], T]) -> T:
        """Return what was read before, if nobody has written since."""
        with self._file.using() as at:
            state = self._state(at)
            known = self._known.get(name)
            if known is not None and known[0] == state:
                return cast("T", known[1])
            answer = ask(at)
            if known is not None and known[1] == answer:
                answer = known[1]
            self._known[name] = state, answer
            return answer

    def _state(self, at: sqlite3.Connection) -> tuple[int, int]:
        return self._own, at.execute("PRAGMA data_version").fetchone()[0]

    def _all(self, at: sqlite3.Connection) -> tuple[Note | NoteProblem, ...]:
        """Return what all files were read as, by id; rows that were read before are not read again."""
        self._notes = _followed(at, self._notes, "data", self._read)
        return tuple(self._notes.values())

    def _links(self, at: sqlite3.Connection) -> tuple[NoteLinks, ...]:
        self._linked = _followed(at, self._linked, "links", lambda _, text: decoded(links_read, text))
        return tuple([links for links in self._linked.values() if links is not None])

    def _read(self, number: int, data: str) -> Note | NoteProblem:
        known = self._notes.get(number)
        return decoded(read_back, data) if known is None else known

    def _keep(self, at: sqlite3.Connection, seen: SeenFile) -> None:
        """Replace a note's row and words; of one that reads as before only the signature."""
        data, signature = note_json(seen.read), seen.signature or (None,) * 4
        old = at.execute("SELECT data FROM notes WHERE id = ?", (seen.id,)).fetchone()
        if old == (data,):
            at.execute(_TOUCH, (*signature, seen.id))
            return
        if old is not None:
            _drop(at, seen.id)
        note = seen.read if isinstance(seen.read, Note) else None
        links = links_json(self._rules.links_of(note)) if note else "null"
        row = (seen.id, *signature, note.kind if note else "", note.status if note else "", data, links)
        number = at.execute(_ADD, row).lastrowid
        words = self._rules.words_of(note).items() if note else ()
        at.executemany("INSERT INTO words VALUES (?, ?, ?)", [(term, number, share) for term, share in words])

    def _forget(self) -> None:
        self._own += 1
        self._known, self._notes, self._linked = {}, {}, {}


def _signatures(at: sqlite3.Connection) -> dict[str, Signature | None]:
    """Return the signatures: in one piece where all files are listed as they were read, else from their rows, which takes ten times as long."""
    listed = at.execute("SELECT sum, files FROM listing").fetchone()
    if listed is not None and _sum(listed[1]) == listed[0]:
        known: dict[str, Signature | None] = marshal.loads(listed[1])  # noqa: S302 - we wrote it, and its sum is right
        return known
    rows = at.execute("SELECT id, changed, touched, size, inode FROM notes")
    return {row[0]: None if row[1] is None else row[1:] for row in rows}


def _followed(
    at: sqlite3.Connection, known: Mapping[int, T], column: Literal["data", "links"], read: Callable[[int, str], T]
) -> dict[int, T]:
    """Return the rows by number, in the order of their ids; numbers only grow, so what is new stands behind the last one."""
    numbers = at.execute("SELECT number FROM notes ORDER BY id").fetchall()
    after = max(known, default=0)
    new = at.execute(f"SELECT number, {column} FROM notes WHERE number > ?", (after,))  # noqa: S608 - one of two names
    values = {**known, **{number: read(number, text) for number, text in new}}
    return {number: values[number] for (number,) in numbers}


def _bytes(files: Mapping[str, Signature]) -> bytes:
    """Return a listing as bytes; marshal is the quickest way to them and back."""
    return marshal.dumps(dict(files), SUMMED)


def _sum(listed: bytes) -> str:
    """Return what tells two listings apart."""
    return hashlib.sha256(listed).hexdigest()


def _drop(at: sqlite3.Connection, note: str) -> None:
    at.execute("DELETE FROM words WHERE note = (SELECT number FROM notes WHERE id = ?)", (note,))
    at.execute("DELETE FROM notes WHERE id = ?", (note,))


def decoded(read: Callable[[str], T], text: str) -> T:
    """Return what JSON of a row says. Raises `DamagedError` where it is none of ours."""
    try:
        return read(text)
    except (ValueError, TypeError, LookupError, AttributeError) as e:
        raise DamagedError(str(e)) from e

"""Reads and writes notes: YAML front matter and Markdown, as Obsidian has them; what people wrote stays byte for byte."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Any, Final

from triage.domain.memory.notes import (
    CommitmentStatus,
    Note,
    NoteChange,
    NoteKind,
    NoteProblem,
    NoteStatus,
    NoteTrust,
    Quadrant,
)
from triage.domain.text.visible import visible
from triage.domain.untrusted import Untrusted
from triage.policy.memory.notes.yaml_keys import BrokenError, Key, keys_of

FENCE: Final = "---"
OPENING: Final = -1
"""Line of the opening fence, counted from the line after it."""
FOLDERS: Final = frozenset(NoteKind)
MARK: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"
HEADING: Final = re.compile(r"^#{1,3}\s+(.+?)\s*#*$", re.MULTILINE)
SAFE: Final = re.compile(r"[^\W\d_][^\W_]*(?:[ _./@+-][^\W_]+)*")
"""Text that YAML reads as text without quotes: begins with a letter, holds nothing that YAML has a meaning for."""
RESERVED: Final = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})
DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
CHANGE: Final = re.compile(
    r"(\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d(?::[0-5]\d)?(?:Z|[+-]\d\d:\d\d)?) ([^:]+): (.*)", re.DOTALL
)


def note_of(note: str, text: str) -> Note | NoteProblem:
    """Read a file of the vault; `note` is its id. What cannot be read is a problem with its line, from 1."""
    path, folder = f"{note}.md", note.partition("/")[0]
    if folder not in FOLDERS:
        return NoteProblem(path=path, line=1, what=f"notes stand in one of {', '.join(sorted(FOLDERS))}")
    try:
        head, body, _ = _split(text)
        keys = {key.name: key for key in keys_of(head)}
        read = {field.of: field.value(keys[name]) for name, field in FIELDS.items() if name in keys}
    except BrokenError as e:
        return NoteProblem(path=path, line=e.line + 2, what=e.what)
    words = body.replace("\r\n", "\n").strip("\n")
    values = {name: value for name, value in read.items() if value}
    return Note(
        **{"title": _title(note, words), **values, "id": note, "kind": NoteKind(folder), "text": Untrusted(words)}
    )


def text_of(note: Note, original: str = "") -> str:
    """Write a note as the text of its file.

    With the file's present text, keys that are not ours, comments, and each value that did not change stay as they are.
    An original that cannot be read raises `BrokenError`: nothing is written over it.
    """
    old = note_of(note.id, original) if original else None
    if isinstance(old, NoteProblem):
        raise BrokenError(old.line, f"{old.path}:{old.line}: {old.what}")
    newline = "\r\n" if "\r\n" in original else "\n"
    head, body, fenced = _split(original)
    lines = _lines(note, old, head)
    front = newline.join((FENCE, *lines, FENCE)) + newline if lines or fenced else ""
    if old is None or note.text != old.text:
        words = visible(note.text).strip("\n").replace("\n", newline)
        body = f"{newline}{words}{newline}" if words else ""
    return (MARK if original.startswith(MARK) else "") + front + body


def link_of(text: str) -> str:
    """Return what a link names: `[[decisions/x|the decision]]` is `decisions/x`."""
    inner = text.strip().removeprefix("[[").removesuffix("]]")
    return inner.partition("|")[0].partition("#")[0].strip().removesuffix(".md")


def _split(text: str) -> tuple[str, str, bool]:
    """Return front matter and body, and whether there is a front matter. Raises `BrokenError` if it does not end."""
    text = text.removeprefix(MARK)
    first, _, rest = text.partition("\n")
    if first.rstrip() != FENCE:
        return "", text, False
    at = 0
    for line in rest.splitlines(keepends=True):
        if line.rstrip() in {FENCE, "..."}:
            return rest[:at], rest[at + len(line) :], True
        at += len(line)
    raise BrokenError(OPENING, "the front matter opens with --- and does not end")


def _title(note: str, text: str) -> str:
    """Return the first heading, else the file's name."""
    found = HEADING.search(text)
    return found[1] if found else note.rpartition("/")[2]


def _lines(note: Note, old: Note | None, head: str) -> list[str]:
    """Return the lines of the front matter: those of `head`, except where a value is another one."""
    lines, keys = head.splitlines(), keys_of(head)
    changed = [name for name, field in FIELDS.items() if old is None or field.held(note) != field.held(old)]
    for key in reversed(keys):
        if key.name in changed:
            _replace(lines, key, FIELDS[key.name], note)
    known = {key.name for key in keys}
    return lines + [line for name in changed if name not in known for line in _rendered(name, FIELDS[name].held(note))]


def _replace(lines: list[str], key: Key, field: "FrontMatterField", note: Note) -> None:
    """Replace the lines of a key; to a list that has only grown, add lines."""
    new = field.held(note)
    if key.block and new[: len(key.values)] == key.values:
        added = [f"{' ' * key.indent}- {_quoted(item)}" for item in new[len(key.values) :]]
        lines[key.last + 1 : key.last + 1] = added
    else:
        lines[key.line : key.last + 1] = _rendered(key.name, new)


def _rendered(name: str, held: "str | tuple[str, ...]") -> list[str]:
    if isinstance(held, str):
        return [f"{name}: {_quoted(held)}"] if held else []
    return [f"{name}:", *(f"  - {_quoted(item)}" for item in held)] if held else []


def _quoted(text: str) -> str:
    """Write a text so that YAML reads it as that text; dates stay bare, as Obsidian wants them."""
    text = " ".join(visible(text).split())
    if DAY.fullmatch(text) or (SAFE.fullmatch(text) and text.casefold() not in RESERVED):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\U{ord(c):08X}" for c in escaped) + '"'


# --- values -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FrontMatterField:
    """How a field of a note stands in the front matter."""

    of: str
    """Name of the attribute of `Note`."""
    read: Callable[[str], Any]
    """Raises `ValueError` that says what is wrong."""
    write: Callable[[Any], str] = str
    listed: bool = False

    def value(self, key: Key) -> Any:
        """Return the value of a key that was read. Raises `BrokenError`."""
        if not key.plain or (len(key.values) > 1 and not self.listed):
            raise BrokenError(key.line, f"{key.name} must be {'a list of texts' if self.listed else 'one text'}")
        try:
            values = tuple(self.read(value) for value in key.values)
        except ValueError as e:
            raise BrokenError(key.line, f"{key.name}: {e}") from None
        return tuple(filter(None, values)) if self.listed else next(iter(values), None)

    def held(self, note: Note) -> str | tuple[str, ...]:
        """Return the note's value as it stands in a file."""
        value = getattr(note, self.of)
        if self.listed:
            return tuple(self.write(item) for item in value)
        return "" if value is None else self.write(value)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text.strip()[:10])
    except ValueError:
        raise ValueError(f"{text[:30]!r} is no date such as 2026-12-31") from None


def _choice(kind: type[StrEnum]) -> Callable[[str], StrEnum]:
    def read(text: str) -> StrEnum:
        if (word := text.strip().casefold()) not in set(kind):
            raise ValueError(f"{text[:30]!r} is none of {', '.join(kind)}")
        return kind(word)

    return read


def _change(text: str) -> NoteChange:
    found = CHANGE.fullmatch(text)
    if found is None:
        raise ValueError(f"{text[:30]!r} is no line such as `2026-12-31T10:00:00+00:00 who: what`")
    at = datetime.fromisoformat(found[1])
    return NoteChange(at=at if at.tzinfo else at.replace(tzinfo=UTC), by=found[2], what=found[3])


def _change_text(change: NoteChange) -> str:
    return f"{change.at.isoformat(timespec='seconds')} {change.by.replace(':', ' ')}: {_one_line(change.what)}"


def _texts(name: str) -> FrontMatterField:
    return FrontMatterField(name, _one_line, listed=True)


def _links(name: str) -> FrontMatterField:
    return FrontMatterField(name, link_of, lambda note: f"[[{note}]]", listed=True)


FIELDS: Final[Mapping[str, FrontMatterField]] = {
    "title": FrontMatterField("title", _one_line),
    "type": FrontMatterField("kind", _one_line),
    "created": FrontMatterField("created", _day, date.isoformat),
    "updated": FrontMatterField("updated", _day, date.isoformat),
    "status": FrontMatterField("status", _choice(NoteStatus)),
    "commitment_status": FrontMatterField("commitment_status", _choice(CommitmentStatus)),
    "quadrant": FrontMatterField("quadrant", _choice(Quadrant)),
    "priority_justification": FrontMatterField("priority_justification", _one_line),
    "deadline": FrontMatterField("deadline", _day, date.isoformat),
    "owner": FrontMatterField("owner", _one_line),
    "people": _texts("people"),
    "tags": _texts("tags"),
    "tickets": _texts("tickets"),
    "related_to": _links("related_to"),
    "source_emails": _texts("source_emails"),
    "source_senders": _texts("source_senders"),
    "source_memories": _links("source_memories"),
    "trust": FrontMatterField("trust", _choice(NoteTrust)),
    "pii": _texts("pii"),
    "changes": FrontMatterField("changes", _change, _change_text, listed=True),
}
"""The keys that are ours, in the order of a new note; all others are the people's own."""

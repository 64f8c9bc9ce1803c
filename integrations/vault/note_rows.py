"""Notes and what they link to as JSON: read back many times faster than YAML."""

import json
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from datetime import date, datetime
from typing import Any, Final

from triage.domain.memory.graph import NoteLinks, Relation
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

FIELDS: Final = tuple(field.name for field in fields(Note))
DEFAULTS: Final = {field.name: field.default for field in fields(Note) if field.default is not MISSING}


def _changes(rows: list[list[str]]) -> tuple[NoteChange, ...]:
    return tuple(NoteChange(at=datetime.fromisoformat(at), by=by, what=what) for at, by, what in rows)


TYPES: Final[Mapping[str, Callable[[Any], Any]]] = {
    "kind": NoteKind,
    "created": date.fromisoformat,
    "updated": date.fromisoformat,
    "deadline": date.fromisoformat,
    "quadrant": Quadrant,
    "status": NoteStatus,
    "commitment_status": CommitmentStatus,
    "trust": NoteTrust,
    "changes": _changes,
}
"""How a value is read that is neither text nor a list of texts."""


def note_json(read: Note | NoteProblem) -> str:
    """Return a note, or what is wrong with a file, as JSON; what is empty is left out."""
    if isinstance(read, NoteProblem):
        return json.dumps([read.path, read.line, read.what])
    values = {name: getattr(read, name) for name in FIELDS}
    return json.dumps({name: value for name, value in values.items() if value != DEFAULTS.get(name)}, default=_plain)


def read_back(text: str) -> Note | NoteProblem:
    """Return what `note_json` was given. Raises `ValueError`, `TypeError` or `LookupError` for other text."""
    values = json.loads(text)
    if isinstance(values, list):
        path, line, what = values
        return NoteProblem(path=path, line=line, what=what)
    for name, value in values.items():
        if name in TYPES:
            values[name] = TYPES[name](value)
        elif type(value) is list:
            values[name] = tuple(value)
    return Note(**values)


RELATIONS: Final = {relation.value: relation for relation in Relation}


def links_json(links: NoteLinks) -> str:
    return json.dumps([links.note, links.title, links.named, links.links, links.calls])


def links_read(text: str) -> NoteLinks | None:
    """Return what `links_json` was given, None for `null`. Raises as `read_back` does."""
    values = json.loads(text)
    if values is None:
        return None
    note, title, named, links, calls = values
    return NoteLinks(
        note,
        title,
        tuple(named),
        tuple([(name, RELATIONS[relation]) for name, relation in links]),
        tuple(calls),
    )


def _plain(value: Any) -> Any:
    if isinstance(value, NoteChange):
        return value.at.isoformat(), value.by, value.what
    return value.isoformat()

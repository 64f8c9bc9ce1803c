"""Computes the id of a note, its changes, and the personal data in it."""

import re
from collections.abc import Collection
from datetime import date
from typing import Final

from triage.domain.conversation import ChatMessage, Role
from triage.domain.memory.notes import Note, NoteKind
from triage.policy.privacy.redaction import redacted
from triage.policy.text.sentences import plain

LONGEST: Final = 60
"""Characters of a title in a file's name."""
TOLD: Final = ("title", "status", "commitment_status", "quadrant", "deadline", "owner", "tickets", "text")
"""Fields whose change the changelog names."""
SHORT: Final = 60
KINDS: Final = {"EMAIL": "address", "PHONE": "phone", "IBAN": "account", "CARD": "card", "PERSON": "name"}


def note_id(note: Note, today: date, taken: Collection[str]) -> str:
    """Return the id of a new note: `commitments/2026-11-22-send-the-report`, of a person without the date."""
    words = re.sub(r"[\W_]+", "-", plain(note.title)).strip("-")[:LONGEST].strip("-") or "note"
    name = words if note.kind is NoteKind.PERSON else f"{(note.created or today).isoformat()}-{words}"
    wanted, number = f"{note.kind}/{name}", 2
    while wanted in taken:
        wanted, number = f"{note.kind}/{name}-{number}", number + 1
    return wanted


def describe_changes(before: Note, note: Note) -> str:
    """Return what has changed: `status: active → closed; text`; empty if it is nothing that is told."""
    return "; ".join(
        _change_text(name, getattr(before, name), getattr(note, name)) for name in TOLD if _differs(name, before, note)
    )


def _differs(name: str, before: Note, note: Note) -> bool:
    return bool(getattr(before, name) != getattr(note, name))


def _change_text(name: str, before: object, after: object) -> str:
    if name in {"text", "tickets"}:
        return name
    return f"{name}: {str(before or 'none')[:SHORT]} → {str(after or 'none')[:SHORT]}"


def personal(note: Note) -> tuple[str, ...]:
    """Return the kinds of personal data in a note: `address`, `name`, `phone`, `account`, `card`."""
    text = "\n".join((note.title, note.text, note.priority_justification, *note.people, note.owner))
    _, found = redacted((ChatMessage(role=Role.USER, text=text),), personal=True)
    kinds = {KINDS[kind] for name in found.values if (kind := name.strip("[]").rpartition("_")[0]) in KINDS}
    kinds |= {"name" for name in (*note.people, note.owner) if name and "@" not in name}
    return tuple(sorted(kinds))

"""Tells which part of a note comes from which source: merged parts stand below a line that names theirs."""

import re
from dataclasses import dataclass, replace
from typing import Final

from triage.domain.memory.notes import Note
from triage.domain.text.visible import visible
from triage.domain.untrusted import Untrusted

FROM: Final = re.compile(r"^\*From ([^*\n]+):\*$", re.MULTILINE)
"""`*From case-18, bob@acme.example:*` before a part that another note brought."""
TITLED: Final = re.compile(r"\A\*\*(.+)\*\*\n")
SCRIPTED: Final = re.compile(
    r"^([`~]{3,}[ \t]*)(dataviewjs|dataview|js|templater|meta-bind|button)", re.MULTILINE | re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class NotePart:
    """A part of a note's text."""

    sources: tuple[str, ...]
    """Cases, addresses and notes; empty for what a person wrote above the parts."""
    title: str
    text: str

    @property
    def senders(self) -> frozenset[str]:
        """The addresses among its sources."""
        return frozenset(source.casefold() for source in self.sources if "@" in source)


def harmless(text: str) -> Untrusted:
    """Return a text from outside as a note may hold it: it loads nothing, runs nothing and names no source of its own.

    Obsidian shows embedded pages and pictures from the net, and some of its plug-ins run code in notes.
    """
    text = visible(text).replace("![", "!\\[").replace("<%", "&lt;%")
    text = re.sub(r"<(?=/?[A-Za-z!])", "&lt;", text)
    text = re.sub(r"`(\$?=)", r"` \1", text)
    text = SCRIPTED.sub(r"\1text", text)
    return Untrusted(FROM.sub(lambda found: f"\\{found[0]}", text))


def sources_of(note: Note) -> tuple[str, ...]:
    """Return all that a note comes from: cases, addresses, notes."""
    return (*note.source_emails, *note.source_senders, *note.source_memories)


def parts_of(note: Note) -> tuple[NotePart, ...]:
    """Return the parts of a note's text in order; a note that was never merged is one part of all its sources."""
    above, *rest = FROM.split(note.text)
    if not rest:
        return (NotePart(sources_of(note), note.title, note.text),)
    parts = [NotePart((), note.title, above.strip("\n"))] if above.strip() else []
    for sources, text in zip(rest[::2], rest[1::2], strict=True):
        inner = text.strip("\n")
        titled = TITLED.match(inner)
        title = titled[1] if titled else note.title
        parts.append(
            NotePart(tuple(sources.split(", ")), title, inner[titled.end() :].strip("\n") if titled else inner)
        )
    return tuple(parts)


def text_of(title: str, parts: tuple[NotePart, ...]) -> Untrusted:
    """Return the text of a note of this title that has these parts; one part alone needs no line that names its sources."""
    return Untrusted("\n\n".join(parts[0].text if len(parts) == 1 else _part_text(part, title) for part in parts))


def without(note: Note, sources: frozenset[str]) -> Note | None:
    """Return the note without what came from these sources; None if nothing else is left, itself if it names none of them.

    Sources are cases, addresses in lower case, and ids of notes.
    """
    related = tuple(other for other in note.related_to if other.casefold() not in sources)
    if not any(source.casefold() in sources for source in sources_of(note)):
        return note if related == note.related_to else replace(note, related_to=related)
    parts = parts_of(note)
    kept = tuple(part for part in parts if not any(source.casefold() in sources for source in part.sources))
    if len(kept) == len(parts) or not any(part.sources for part in kept):
        return None
    title = next(part.title for part in kept if part.sources)
    stay = {source.casefold() for part in kept for source in part.sources}

    def left(values: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(value for value in values if value.casefold() in stay)

    return replace(
        note,
        title=title,
        text=text_of(title, kept),
        source_emails=left(note.source_emails),
        source_senders=left(note.source_senders),
        source_memories=left(note.source_memories),
        people=tuple(name for name in note.people if name.casefold() not in sources),
        related_to=related,
    )


def _part_text(part: NotePart, title: str) -> str:
    called = f"**{part.title}**\n" if part.title != title else ""
    return (f"*From {', '.join(part.sources)}:*\n{called}" if part.sources else "") + part.text

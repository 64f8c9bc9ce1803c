"""The team's notes: search, write once, merge duplicates, undo, forget by source."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from triage.domain.memory.errors import NoteChanged, NoteNotFound
from triage.domain.memory.graph import Graph
from triage.domain.memory.notes import (
    ForgottenNotes,
    Note,
    NoteChange,
    NoteHit,
    NoteKind,
    NoteMerge,
    NoteProblem,
    NoteStatus,
    NoteTrust,
    NoteWritten,
    VaultStats,
)
from triage.domain.ports import Clock, NoteIndex, Vault
from triage.policy.memory.dedup import MERGE, merged, similar
from triage.policy.memory.graph import NoteGraph, resolved, traverse
from triage.policy.memory.notes.naming import describe_changes, note_id, personal
from triage.policy.memory.notes.sources import harmless, without
from triage.policy.memory.search import terms_of
from triage.policy.thread.fingerprint import canonical

TRIES: Final = 3
"""Retries of a write whose note was changed meanwhile."""
ABSORBED: Final = re.compile(r"merged \[\[([^\]]+)\]\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteService:
    """Called by console, commands, MCP server and the memory's agents. All raise `VaultDown`; what writes, `VaultReadOnly`."""

    vault: Vault
    kept: NoteIndex
    clock: Clock
    team: frozenset[str] = frozenset()
    """The team's own addresses, in small letters."""
    _graph: NoteGraph = field(default_factory=NoteGraph)
    _one: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held from the search for a similar note to the write."""

    def owner_of(self, note: Note) -> str:
        """Return who has to do it; empty: nobody is named, or the team as a whole is."""
        return "" if note.owner.casefold() in self.team else note.owner

    async def ready(self) -> None:
        """Raise `VaultDown` or `VaultReadOnly` if notes cannot be read or written."""
        await self.vault.ready()

    async def search(
        self, query: str, limit: int = 10, *, kind: NoteKind | None = None, status: NoteStatus | None = None
    ) -> tuple[NoteHit, ...]:
        """Search notes, best first."""
        return await self.kept.find(tuple(dict.fromkeys(terms_of(query))), limit, kind, status)

    async def get(self, note: str) -> Note | None:
        """Return a note on disk by its id."""
        return await self.vault.note(note)

    async def resolve(self, name: str) -> str:
        """Return the id of a note by its id, link, file name or person. Raises `NoteNotFound`."""
        found = resolved(await self.kept.links(), name)
        if not found:
            raise NoteNotFound(name)
        return found

    async def list(self, *, kind: NoteKind | None = None, status: NoteStatus | None = None) -> tuple[Note, ...]:
        return tuple(
            note for note in await self.vault.notes() if kind in {None, note.kind} and status in {None, note.status}
        )

    async def problems(self) -> tuple[NoteProblem, ...]:
        return await self.vault.problems()

    async def write(self, note: Note, by: str, *, before: Note | None = None, what: str = "") -> NoteWritten:
        """Write a note. `before` is the note that was read and is changed; without it the note is new.

        A new one that says what another says is merged into that; its id is ours to choose. `what` is told in the note's
        changelog; empty: what has changed. Raises `NoteChanged` if somebody has changed the note since `before` was read.
        """
        async with self._one:
            if before is not None:
                return await self._changed(note, before, by, what)
            for _ in range(TRIES - 1):
                try:
                    return await self._new(note, by, what)
                except NoteChanged:  # somebody else took the name, or changed the note that this one goes into
                    continue
            return await self._new(note, by, what)

    async def deduplicate(self, by: str, *, dry_run: bool = False) -> tuple[NoteMerge, ...]:
        """Merge notes that say the same, the later into the earlier; return what was merged, or would be."""
        async with self._one:
            notes = await self.vault.notes()
            pairs = await asyncio.to_thread(_pairs, notes)
            if not dry_run:
                for pair in pairs:
                    await self._merge(pair, by)
            return pairs

    async def undo(self, note: str) -> Note | None:
        """Restore a note to its state before our last write or removal; return it, None if there was none.

        A note that was merged into it then comes back, too. Raises `NoteNotFound`, `NoteChanged`.
        """
        async with self._one:
            now = await self.vault.note(note)
            restored = await self.vault.undo(note)
            last = now.changes[-1].what if now and now.changes else ""
            absorbed = ABSORBED.match(last)
            if absorbed and await self.vault.note(absorbed[1]) is None:
                await self.vault.undo(absorbed[1])
            return restored

    async def forget_source(
        self, source: str | Sequence[str], by: str, *, for_good: bool = False, dry_run: bool = False
    ) -> ForgottenNotes:
        """Remove all notes that came from senders or cases, or have these names, and those that were made from them alone.

        Notes with other sources, too, lose the part that came from this one. Removed notes go to the vault's trash,
        `for_good` nothing is kept of them.
        """
        async with self._one:
            sources = (source,) if isinstance(source, str) else tuple(source)
            plan, left = _forgotten(await self.vault.notes(), sources)
            if dry_run:
                return plan
            for old, new in left:
                if new is None:
                    await self.vault.remove(old.id)
                else:
                    await self._put(
                        new,
                        old,
                        by,
                        "without a source that was forgotten" if for_good else f"without {', '.join(sources)}",
                    )
                if for_good:
                    await self.vault.shred(old.id)
            return plan

    async def graph(self) -> Graph:
        return self._graph.follow(await self.kept.links(), self.team)

    async def traverse(self, start: str, depth: int = 1) -> Graph:
        """Return the part of the graph around a node, such as `note:…`, `person:…`, `ticket:…`, `mail:…`."""
        return traverse(await self.graph(), start, depth)

    async def stats(self) -> VaultStats:
        notes = await self.vault.notes()
        return VaultStats(
            notes=len(notes),
            by_kind={kind.value: sum(note.kind is kind for note in notes) for kind in NoteKind},
            by_status={status.value: sum(note.status is status for note in notes) for status in NoteStatus},
            problems=len(await self.vault.problems()),
        )

    async def rebuild(self) -> int:
        """Read all files again, whatever was kept of them; return how many there are."""
        return await self.kept.rebuild()

    async def index(self) -> Mapping[NoteKind, tuple[Note, ...]]:
        """Return the notes by kind, the newest first."""
        notes = sorted(
            await self.vault.notes(), key=lambda note: (str(note.updated or note.created), note.id), reverse=True
        )
        return {kind: tuple(note for note in notes if note.kind is kind) for kind in NoteKind}

    # --- writing ------------------------------------------------------------------------------

    async def _new(self, note: Note, by: str, what: str) -> NoteWritten:
        notes = await self.vault.notes()
        note = replace(note, text=note.text if note.trust is NoteTrust.TRUSTED else harmless(note.text))
        found = similar(note, notes)
        if found and found.score >= MERGE:
            return await self._into(found.note, note, by)
        change = what or " from ".join(filter(None, ("created", ", ".join(note.source_emails))))
        fresh = replace(
            note,
            id=note_id(note, self.clock.now().date(), await self._taken(notes)),
            created=note.created or self.clock.now().date(),
            related_to=tuple(dict.fromkeys((*note.related_to, *((found.note.id,) if found else ())))),
        )
        written = await self._put(fresh, None, by, change)
        return NoteWritten(note=written, outcome="created", similar=found.note.id if found else "")

    async def _taken(self, notes: Sequence[Note]) -> set[str]:
        """Return the names that no new note can have; files that are no notes stay, too."""
        problems = await self.vault.problems()
        return {note.id for note in notes} | {problem.path.removesuffix(".md") for problem in problems}

    async def _into(self, kept: Note, new: Note, by: str) -> NoteWritten:
        both = merged(kept, new)
        if both == kept:
            return NoteWritten(note=kept, outcome="unchanged")
        change = f"more from {', '.join(new.source_emails) or by}"
        return NoteWritten(note=await self._put(both, kept, by, change), outcome="merged")

    async def _changed(self, note: Note, before: Note, by: str, what: str) -> NoteWritten:
        if note == before:
            return NoteWritten(note=note, outcome="unchanged")
        if note.text != before.text and note.trust is not NoteTrust.TRUSTED:
            note = replace(note, text=harmless(note.text))
        change = "; ".join(filter(None, (describe_changes(before, note), what)))
        return NoteWritten(note=await self._put(note, before, by, change), outcome="updated")

    async def _merge(self, pair: NoteMerge, by: str) -> None:
        """Merge one pair, unless it was changed meanwhile."""
        kept, gone = await self.vault.note(pair.kept), await self.vault.note(pair.gone)
        if kept is not None and gone is not None:
            await self._put(merged(kept, gone), kept, by, f"merged [[{gone.id}]]")
            await self.vault.remove(gone.id)

    async def _put(self, note: Note, before: Note | None, by: str, what: str) -> Note:
        now = self.clock.now()
        change = NoteChange(at=now.replace(microsecond=0), by=by, what=what)
        personal_data = personal(note)
        complete = replace(note, updated=now.date(), pii=personal_data, changes=(*note.changes, change))
        return await self.vault.write(complete, before=before)


def _pairs(notes: Sequence[Note]) -> tuple[NoteMerge, ...]:
    """Return the pairs to merge; each note is merged away at most once, and never after another was merged into it."""
    pairs: list[NoteMerge] = []
    earlier: dict[NoteKind, list[Note]] = {kind: [] for kind in NoteKind}
    for note in sorted(notes, key=lambda note: (str(note.created), note.id)):
        found = similar(note, earlier[note.kind], MERGE)
        if found:
            pairs.append(NoteMerge(kept=found.note.id, gone=note.id, score=found.score))
        else:
            earlier[note.kind].append(note)
    return tuple(pairs)


def _forgotten(
    notes: Sequence[Note], named: Sequence[str]
) -> tuple[ForgottenNotes, tuple[tuple[Note, Note | None], ...]]:
    """Return the notes that depend on these sources, each with what is left of it, derived notes included."""
    wanted = {_one(source) for source in named}
    known = {each for note in notes for each in (*note.source_senders, *note.people, note.owner) if "@" in each}
    sources = {*wanted, *(each.casefold() for each in known if _one(each) in wanted)}
    left: dict[str, Note | None] = {}
    while True:
        found = {note.id: rest for note in notes if (rest := _left(note, frozenset(sources))) is not note}
        gone = {name.casefold() for name, rest in found.items() if rest is None} - sources
        left = found
        if not gone:
            break
        sources |= gone
    removed = tuple(name for name, rest in left.items() if rest is None)
    changed = tuple(name for name, rest in left.items() if rest is not None)
    naming = tuple(
        note.id
        for note in notes
        if note.id not in left and {each.casefold() for each in (*note.people, note.owner)} & sources
    )
    by_id = {note.id: note for note in notes}
    return ForgottenNotes(removed=removed, changed=changed, naming=naming), tuple(
        (by_id[name], rest) for name, rest in left.items()
    )


def _left(note: Note, sources: frozenset[str]) -> Note | None:
    """Return what is left of a note without these sources; None if the note itself is a source."""
    return None if note.id.casefold() in sources else without(note, sources)


def _one(source: str) -> str:
    """Normalise a source for comparison: addresses without their `+` part."""
    return canonical(source.strip()) if "@" in source else source.strip().casefold()

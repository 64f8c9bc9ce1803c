"""The port `TicketIndex`: one index per project, fed from the store by one process of this host, read by all."""

import asyncio
import fcntl
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import Final

from cachetools import LRUCache
from loguru import logger

from integrations.search_index.generation import (
    BUILDING_HEAP,
    FIELDS,
    EntryOf,
    Generation,
    IndexDamaged,
    Match,
    Matches,
    Waiting,
    best_terms,
    idf,
)
from triage.domain.errors import StoreDown
from triage.domain.ports import Progress, TicketFeed
from triage.domain.retrieval import Found, Hit, IndexHealth, IndexState, TicketVersion
from triage.domain.tickets import Ticket

BATCH: Final = 500
"""Changes that are read from the store at once."""
TAIL: Final = 50
"""Changes not taken in yet that a search ranks beside the index; the latest, if there are more."""
LATEST: Final = 200
"""Changes that are ranked while there is no index."""
KEPT: Final = 2 * LATEST
"""Entries of changes not taken in yet that are kept for the next mail."""
GARBAGE: Final = 3
"""Entries added per ticket from which on the index is built again, without those that were replaced."""
SMALL: Final = 1_000
TRIES: Final = 600
PAUSE: Final = 0.1
"""Seconds between two tries to become the writer, for a rebuild that a person has ordered."""
NONE_YET: Final = "there is none yet"


@dataclass(slots=True)
class _Project:
    """What this process knows of a project's index."""

    name: str
    folder: Path
    generation: Generation | None = None
    verified: bool = False
    """Whether this process has compared the files with their checksums and with the store."""
    trouble: str = ""
    """The latest one; empty once the index is built."""
    reported: set[str] = field(default_factory=set)
    """Troubles that were logged."""


class TantivyIndex:
    """Folder, project, generation: the file `current` in a project's folder names the generation that counts."""

    def __init__(
        self, feed: TicketFeed, entry_of: EntryOf, version: int, folder: Path | None, *, read_only: bool = False
    ) -> None:
        self._feed = feed
        self._entry_of = entry_of
        self._version = version
        """Of the entries."""
        self._temporary = TemporaryDirectory(prefix="triage-index-") if folder is None else None
        self._folder = folder or Path(self._temporary.name if self._temporary else "")
        self._read_only = read_only
        self._projects: dict[str, _Project] = {}
        self._entries: LRUCache[tuple[str, int], Waiting] = LRUCache(maxsize=KEPT)
        """By key and change."""

    async def close(self) -> None:
        """Remove a temporary folder."""
        if self._temporary is not None:
            self._temporary.cleanup()

    # --- searching --------------------------------------------------------------------------------

    async def find(self, project: str, query: Mapping[str, float], limit: int) -> Found:
        """The best matches; changes that are not taken in yet are ranked beside them."""
        known = self._project(project)
        if (generation := self._current(known)) is not None:
            after = generation.note.change
            tail = await self._feed.changes(project, after, TAIL, latest=True)
            try:
                return await asyncio.to_thread(self._searched, generation, tail, query, limit)
            except IndexDamaged as e:
                self._discard(known, str(e))
        latest = await self._feed.changes(project, 0, LATEST, latest=True)
        return await asyncio.to_thread(self._merged, None, latest, query, limit, None)

    async def features(self, project: str, keys: Sequence[str]) -> Mapping[str, bytes]:
        """Features by key, of the tickets that are taken in; none while the index does not answer."""
        known = self._project(project)
        try:
            return generation.features(keys) if (generation := self._current(known)) else {}
        except IndexDamaged as e:
            self._discard(known, str(e))
            return {}

    async def frequencies(self, project: str, terms: Sequence[str]) -> Mapping[str, int]:
        """Number of the project's tickets that hold each term; none while the index does not answer."""
        known = self._project(project)
        try:
            return generation.frequencies(terms) if (generation := self._current(known)) else {}
        except IndexDamaged as e:
            self._discard(known, str(e))
            return {}

    def _searched(
        self, generation: Generation, tail: Sequence[TicketVersion], query: Mapping[str, float], limit: int
    ) -> Found:
        """Search, and rank the tail beside what is found. Raises `IndexDamaged`."""
        matches = generation.search(query, limit + len(tail))
        return self._merged(matches, tail, query, limit, generation.means)

    def _merged(
        self,
        matches: Matches | None,
        tail: Sequence[TicketVersion],
        query: Mapping[str, float],
        limit: int,
        means: Mapping[str, float] | None,
    ) -> Found:
        """Rank changes that are not taken in beside the matches, whose older versions they replace."""
        entries = {one.key: self._entry(one, one.ticket) for one in tail if one.ticket is not None}
        known_terms = Counter(term for entry in entries.values() for term in query.keys() & entry.counts["text"].keys())
        frequencies = {term: (matches.frequencies[term] if matches else 0) or known_terms[term] for term in query}
        tickets = max(matches.tickets if matches else 0, len(entries))
        if means is None:
            means = {
                name: max(1.0, sum(e.lengths[name] for e in entries.values()) / max(1, len(entries))) for name in FIELDS
            }
        terms = best_terms(query, frequencies, tickets)
        worth = {term: weight * idf(tickets, frequencies[term]) for term, weight in terms.items()}
        changed = {one.key for one in tail}
        found = [match for match in (matches.found if matches else ()) if match.key not in changed]
        for key, entry in entries.items():
            if (score := entry.bm25(worth, means)) > 0:
                found.append(Match(key, score, entry.features))
        best = sorted(found, key=lambda match: -match.score)[:limit]
        return Found(
            hits=tuple(
                Hit(key=match.key, score=match.score, rank=rank, features=match.features)
                for rank, match in enumerate(best, 1)
            ),
            frequencies=frequencies if matches else None,
            tickets=tickets,
        )

    def _entry(self, version: TicketVersion, ticket: Ticket) -> Waiting:
        """The entry of a change that is not taken in yet; mail after mail asks for the same ones."""
        name = (version.key, version.change)
        if name not in self._entries:
            self._entries[name] = Waiting.of(self._entry_of(ticket))
        return self._entries[name]

    # --- feeding ----------------------------------------------------------------------------------

    async def update(self, project: str) -> int:
        if self._read_only:
            return 0
        known = self._project(project)
        try:
            with self._turn(known) as ours:
                if not ours:
                    return 0
                generation = await self._sound(known)
                if generation is None:
                    return await self._build(known)
                return await self._take_in(known, generation)
        except (OSError, IndexDamaged) as e:
            self._say(known, f"its folder cannot be used: {e}")
            return 0

    async def rebuild(self, project: str, progress: Progress) -> int:
        """Build the index from the store; return the number of tickets. Raises `StoreDown` while another process writes."""
        known = self._project(project)
        for _ in range(TRIES):
            try:
                with self._turn(known) as ours:
                    if ours:
                        await self._build(known, progress)
                        return known.generation.tickets if known.generation else 0
            except (OSError, IndexDamaged) as e:
                raise StoreDown(f"the ticket index cannot be built in {known.folder}: {e}") from e
            await asyncio.sleep(PAUSE)
        raise StoreDown("another process of this host writes the ticket index for too long")

    async def _take_in(self, known: _Project, generation: Generation) -> int:
        taken = 0
        while changes := await self._feed.changes(known.name, generation.note.change, BATCH):
            try:
                await asyncio.to_thread(_write, generation, changes, self._entry_of)
            except IndexDamaged as e:
                self._discard(known, str(e))
                return await self._build(known)
            taken += len(changes)
        if generation.note.added > GARBAGE * generation.tickets + SMALL:
            return await self._build(known)
        return taken

    async def _build(self, known: _Project, progress: Progress = lambda _done, _of: None) -> int:
        """Build a new generation, then let it count, then remove the others; return the number of changes."""
        taken, of = 0, await self._feed.size(known.name)
        path = known.folder / token_hex(6)
        try:
            generation = await asyncio.to_thread(Generation.create, path, self._version)
            with generation.writer(BUILDING_HEAP) as writer:
                while changes := await self._feed.changes(known.name, writer.note.change, BATCH):
                    await asyncio.to_thread(writer.add, changes, self._entry_of)
                    taken += len(changes)
                    progress(min(taken, of), of)
                await asyncio.to_thread(generation.commit, writer)
        except BaseException:
            rmtree(path, ignore_errors=True)
            raise
        self._point(known, path.name)
        known.generation, known.verified, known.trouble = generation, True, ""
        logger.bind(project=known.name, tickets=generation.tickets).info("index.built")
        for other in known.folder.iterdir():
            if other.is_dir() and other != path:
                rmtree(other, ignore_errors=True)
        return taken

    async def _sound(self, known: _Project) -> Generation | None:
        """The current generation, checked once per process against checksums and store; None if it has to be built."""
        generation = self._current(known)
        if generation is None or known.verified:
            return generation
        known.verified = True
        last, size = await self._feed.last_change(known.name), await self._feed.size(known.name)
        try:
            await asyncio.to_thread(generation.verify)
        except IndexDamaged as e:
            self._discard(known, str(e))
            return None
        if last < generation.note.change or (last == generation.note.change and size != generation.tickets):
            self._discard(known, "it was built from another store")
            return None
        return generation

    async def state(self, project: str) -> IndexState:
        """Health, size and backlog; reads all files."""
        known = self._project(project)
        last, generation = await self._feed.last_change(project), self._current(known)
        if generation is not None:
            try:
                await asyncio.to_thread(generation.verify)
            except IndexDamaged as e:
                self._discard(known, str(e))
            else:
                return generation.state(str(known.folder), last)
        health = IndexHealth.BUILDING if _writable(known.folder) else IndexHealth.UNUSABLE
        return IndexState(health=health, folder=str(known.folder), behind=last, trouble=known.trouble)

    # --- files ------------------------------------------------------------------------------------

    def _project(self, name: str) -> _Project:
        return self._projects.setdefault(name, _Project(name, self._folder / name))

    def _current(self, known: _Project) -> Generation | None:
        """The generation that counts, as it is now; None if it is missing or damaged."""
        name, trouble = _pointer(known.folder)
        if not name:
            known.generation = None
            self._say(known, trouble)
            return None
        try:
            if known.generation is None or known.generation.path.name != name:
                known.generation = Generation.open(known.folder / name, self._version)
                known.verified = False
            known.generation.refresh()
        except IndexDamaged as e:
            self._discard(known, str(e))
        return known.generation

    def _discard(self, known: _Project, trouble: str) -> None:
        """Let no generation count, so that the next `update` of any process builds one."""
        known.generation = None
        self._say(known, trouble)
        if not self._read_only:
            with suppress(OSError):
                self._point(known, "", trouble)

    def _say(self, known: _Project, trouble: str) -> None:
        """Log a trouble once."""
        known.trouble = trouble
        if trouble not in known.reported:
            known.reported.add(trouble)
            level = "INFO" if trouble == NONE_YET else "WARNING"
            logger.bind(project=known.name, folder=str(known.folder), trouble=trouble).log(level, "index.missing")

    def _point(self, known: _Project, name: str, trouble: str = "") -> None:
        written = known.folder / "current.new"
        written.write_text(json.dumps({"generation": name, "trouble": trouble}), encoding="utf-8")
        written.replace(known.folder / "current")

    @contextmanager
    def _turn(self, known: _Project) -> Iterator[bool]:
        """Whether we are this host's writer of the project; the lock goes with the process that holds it."""
        known.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = os.open(known.folder / "writer.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            yield _locked(lock)
        finally:
            os.close(lock)


def _write(generation: Generation, changes: Sequence[TicketVersion], entry_of: EntryOf) -> None:
    with generation.writer() as writer:
        writer.add(changes, entry_of)
        generation.commit(writer)


def _locked(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _pointer(folder: Path) -> tuple[str, str]:
    """Name of the generation that counts, empty with the trouble if none does."""
    try:
        pointer = json.loads((folder / "current").read_bytes())
        return str(pointer["generation"]), str(pointer["trouble"])
    except FileNotFoundError:
        return "", NONE_YET
    except (OSError, ValueError, KeyError, TypeError) as e:
        return "", f"the file `current` cannot be read ({type(e).__name__})"


def _writable(folder: Path) -> bool:
    there = next(place for place in (folder, *folder.parents) if place.exists())
    return there.is_dir() and os.access(there, os.W_OK | os.X_OK)

"""One built index of a project on disk: tantivy's files, the records beside them, and a note of what they hold."""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import version as version_of
from math import log
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

import tantivy
from tantivy import Document, Index, Occur, Query, SchemaBuilder, Searcher

from integrations.search_index.records import Records, RecordWriter, checksum
from triage.domain.retrieval import IndexEntry, IndexHealth, IndexState, TicketVersion
from triage.domain.tickets import Ticket

FORMAT: Final = 1
"""Of the files; raised when their layout or the schema changes."""
ENGINE: Final = f"tantivy {version_of('tantivy')}"
MOST_TERMS: Final = 60
"""Terms that are searched: more find no more duplicates, and take longer."""
HEAP: Final = 15_000_000
"""Bytes that a writer of a few changes may use."""
BUILDING_HEAP: Final = 60_000_000
K1: Final = 1.2
B: Final = 0.75
"""tantivy's own constants of BM25."""
FIELDS: Final = ("title", "text")

EntryOf = Callable[[Ticket], IndexEntry]


class IndexDamaged(Exception):  # noqa: N818 - as the domain's errors, named by what happened
    """The index has to be built again; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexManifest:
    """What `note.json` says of the files beside it; without it they count as half built."""

    version: int
    """Of the entries."""
    engine: str = ENGINE
    format: int = FORMAT
    change: int = 0
    """The store's changes up to this one are taken in."""
    added: int = 0
    """Entries that were ever added, replaced ones included."""
    terms: Mapping[str, int] = field(default_factory=lambda: dict.fromkeys(FIELDS, 0))
    """Terms that were ever added, by field."""
    records: int = 0
    """Bytes of the records."""
    crc: int = 0
    """CRC-32 of these bytes."""
    files: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Size and CRC-32 of tantivy's files that never change."""


class Match(NamedTuple):
    """A ticket that was found."""

    key: str
    score: float
    features: bytes


@dataclass(frozen=True, slots=True)
class Matches:
    """What a search found, best first."""

    found: list[Match]
    frequencies: dict[str, int]
    """Number of tickets with each term of the query."""
    tickets: int


class Generation:
    """Reads and writes the files of one folder; a writer must be alone, readers need not."""

    def __init__(self, path: Path, index: Index, note: IndexManifest) -> None:
        self.path = path
        self.note = note
        self._index = index
        self._records = Records(path / "records")
        self._searcher: Searcher = index.searcher()
        self._written = 0

    @classmethod
    def create(cls, path: Path, version: int) -> "Generation":
        """An empty index in a new folder; it counts as half built until the first `write` has ended."""
        (path / "words").mkdir(parents=True, mode=0o700)
        (path / "records").touch(mode=0o600)
        builder = SchemaBuilder()
        builder.add_text_field("key", tokenizer_name="raw", index_option="basic")
        for name in FIELDS:
            builder.add_text_field(name, tokenizer_name="whitespace", index_option="freq")
        builder.add_unsigned_field("at", fast=True)
        with sound():
            return cls(path, Index(builder.build(), path=str(path / "words")), IndexManifest(version=version))

    @classmethod
    def open(cls, path: Path, version: int) -> "Generation":
        """Open a finished index. Raises `IndexDamaged` if it is missing, half built, damaged or of another version."""
        note = read_note(path)
        if (note.format, note.version, note.engine) != (FORMAT, version, ENGINE):
            raise IndexDamaged("it is of another version")
        with sound():
            for name, size, _ in _there(path, note):
                if name.stat().st_size < size:
                    raise IndexDamaged(f"{name.name} is shorter than it was written")
            return cls(path, Index.open(str(path / "words")), note)

    @property
    def tickets(self) -> int:
        return self._searcher.num_docs

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return sum(file.stat().st_size for file in self.path.rglob("*") if file.is_file())

    def state(self, folder: str, last: int) -> IndexState:
        """Return its size, and how far it is behind the last change of the store."""
        behind = max(0, last - self.note.change)
        return IndexState(health=IndexHealth.READY, folder=folder, tickets=self.tickets, behind=behind, size=self.size)

    def refresh(self) -> None:
        """Read what another process has written since. Raises `IndexDamaged`."""
        with sound():
            written = (self.path / "note.json").stat().st_mtime_ns
            if written != self._written:
                self.note = read_note(self.path)
                self._index.reload()
                self._searcher = self._index.searcher()
                self._written = written

    def verify(self) -> None:
        """Compare all files with their checksums. Raises `IndexDamaged`."""
        with sound():
            for name, size, crc in _there(self.path, self.note):
                if checksum(name, size) != crc:
                    raise IndexDamaged(f"{name.name} is not what was written")

    def search(self, query: Mapping[str, float], limit: int) -> Matches:
        """The best matches of the weighted terms. Raises `IndexDamaged`."""
        with sound():
            searcher = self._searcher
            frequencies = {term: _frequency(searcher, term) for term in query}
            terms = best_terms(query, frequencies, searcher.num_docs)
            if not terms:
                return Matches([], frequencies, searcher.num_docs)
            hits = searcher.search(self._query(terms), limit, count=False).hits
            offsets: list[Any] = searcher.fast_field_values("at", [address for _, address in hits])
            records = self._records.at(offsets)
            found = [Match(key, score, features) for (score, _), (key, features) in zip(hits, records, strict=True)]
            return Matches(found, frequencies, searcher.num_docs)

    def features(self, keys: Sequence[str]) -> dict[str, bytes]:
        """Features of these tickets by key, of those that it holds. Raises `IndexDamaged`."""
        with sound():
            query = Query.term_set_query(self._index.schema, "key", list(keys))
            hits = self._searcher.search(query, max(1, len(keys)), count=False).hits
            offsets: list[Any] = self._searcher.fast_field_values("at", [address for _, address in hits])
            return dict(self._records.at(offsets))

    def frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        """Number of tickets with each term. Raises `IndexDamaged`."""
        with sound():
            return {term: _frequency(self._searcher, term) for term in terms}

    @property
    def means(self) -> dict[str, float]:
        """Mean number of terms of a ticket, by field."""
        return {name: max(1.0, terms / max(1, self.note.added)) for name, terms in self.note.terms.items()}

    def writer(self, heap: int = HEAP) -> "GenerationWriter":
        """Begin to write; nothing counts before its `commit`. Raises `IndexDamaged`."""
        with sound():
            return GenerationWriter(self._index.writer(heap, 1), RecordWriter(self.path / "records"), self.note)

    def commit(self, writer: "GenerationWriter") -> None:
        """Make the additions durable and searchable, together. Raises `IndexDamaged`."""
        with sound():
            writer.commit()
            self._save(writer.note, writer.records.size)
            self._index.reload()
            self._searcher = self._index.searcher()

    def _query(self, terms: Mapping[str, float]) -> Query:
        schema = self._index.schema
        return Query.boolean_query(
            [
                (Occur.Should, Query.boost_query(Query.term_query(schema, name, term, "freq"), weight))
                for term, weight in terms.items()
                for name in FIELDS
            ]
        )

    def _save(self, note: IndexManifest, records: int) -> None:
        """Write the note in place of the old one, with checksums of what is new."""
        crc = checksum(self.path / "records", records, after=note.records, known=note.crc)
        files = {
            file.name: note.files.get(file.name) or (file.stat().st_size, checksum(file, file.stat().st_size))
            for file in (self.path / "words").iterdir()
            if file.suffix not in {".json", ".lock"}
        }
        self.note = replace(note, records=records, crc=crc, files=files)
        written = self.path / "note.new"
        with written.open("w", encoding="utf-8") as out:
            json.dump(asdict(self.note), out)
            out.flush()
            os.fsync(out.fileno())
        written.replace(self.path / "note.json")


class GenerationWriter:
    """Adds the store's changes to an index; the folder is locked while it lives."""

    def __init__(self, writer: tantivy.IndexWriter, records: RecordWriter, note: IndexManifest) -> None:
        self.note = note
        self.records = records
        self._writer = writer

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _at: TracebackType | None
    ) -> None:
        self.records.close()
        del self._writer

    def add(self, versions: Sequence[TicketVersion], entry_of: EntryOf) -> None:
        """Replace these tickets; remove those that are gone. Raises `IndexDamaged`."""
        added, terms = self.note.added, dict(self.note.terms)
        for version in versions:
            entry = entry_of(version.ticket) if version.ticket is not None else None
            with sound():
                self._writer.delete_documents_by_term("key", version.key)
                if entry is None:
                    continue
                self._put(version.key, entry)
            added += 1
            terms["title"] += entry.title.count(" ") + 1
            terms["text"] += entry.text.count(" ") + 1
        change = versions[-1].change if versions else self.note.change
        self.note = replace(self.note, change=change, added=added, terms=terms)

    def commit(self) -> None:
        """Write to the disk and wait for merges; only `Generation.commit` calls it."""
        self.records.flush()
        self._writer.commit()
        self._writer.wait_merging_threads()

    def _put(self, key: str, entry: IndexEntry) -> None:
        document = Document()
        document.add_text("key", key)
        document.add_text("title", entry.title)
        document.add_text("text", entry.text)
        document.add_unsigned("at", self.records.append(key, entry.features))
        self._writer.add_document(document)


def _frequency(searcher: Searcher, term: str) -> int:
    """Number of tickets with the term; 0 for what cannot be encoded, such as a lone surrogate."""
    return searcher.doc_freq("text", term) if term.isprintable() else 0


def best_terms(query: Mapping[str, float], frequencies: Mapping[str, int], tickets: int) -> dict[str, float]:
    """The terms with the largest weight times rarity that any ticket has."""
    worth = {term: weight * idf(tickets, frequencies[term]) for term, weight in query.items() if frequencies[term]}
    return {term: query[term] for term in sorted(worth, key=lambda term: -worth[term])[:MOST_TERMS]}


@dataclass(frozen=True, slots=True)
class Waiting:
    """An entry that is not in the index yet, counted once for all searches that rank it."""

    features: bytes
    counts: Mapping[str, Counter[str]]
    """Field → how often it says each term."""
    lengths: Mapping[str, int]
    """Field → number of its terms."""

    @classmethod
    def of(cls, entry: IndexEntry) -> Self:
        """Count the terms of an entry."""
        terms = {name: Counter(getattr(entry, name).split()) for name in FIELDS}
        return cls(entry.features, terms, {name: counts.total() for name, counts in terms.items()})

    def bm25(self, worth: Mapping[str, float], means: Mapping[str, float]) -> float:
        """The score that the entry would have if it were in the index; `worth` is a term's weight times its rarity."""
        total = 0.0
        for name, counts in self.counts.items():
            length = K1 * (1 - B + B * self.lengths[name] / means[name])
            for term in worth.keys() & counts.keys():
                often = counts[term]
                total += worth[term] * often * (1 + K1) / (often + length)
        return total


def idf(tickets: int, frequency: int) -> float:
    """BM25's inverse document frequency; of a term that no ticket has, too."""
    return log(1 + (max(tickets, frequency) - frequency + 0.5) / (frequency + 0.5))


def read_note(path: Path) -> IndexManifest:
    """Read the note. Raises `IndexDamaged`."""
    try:
        note = json.loads((path / "note.json").read_text(encoding="utf-8"))
        files = {name: (int(size), int(crc)) for name, (size, crc) in note.pop("files").items()}
        return IndexManifest(files=files, **note)
    except FileNotFoundError:
        raise IndexDamaged("it is missing, or half built") from None
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as e:
        raise IndexDamaged(f"its note cannot be read ({type(e).__name__})") from e


def _there(path: Path, note: IndexManifest) -> Iterator[tuple[Path, int, int]]:
    """Files of the note that are there, with size and checksum; tantivy removes those that it has merged."""
    yield path / "records", note.records, note.crc
    for name, (size, crc) in note.files.items():
        if (path / "words" / name).exists():
            yield path / "words" / name, size, crc


@contextmanager
def sound() -> Iterator[None]:
    """Turn what damaged files make tantivy raise into `IndexDamaged`."""
    try:
        yield
    except (OSError, ValueError, KeyError) as e:
        raise IndexDamaged(f"{type(e).__name__}: {e}"[:200]) from e
    except BaseException as e:
        if type(e).__name__ != "PanicException":  # Rust's; it is no Exception, and no module exports it
            raise
        raise IndexDamaged("tantivy gave up on its files") from e

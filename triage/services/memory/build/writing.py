"""The stages write and graph: notes of what was read, each once, and the graph between them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, Protocol

from triage.domain.memory.builds import BuildStage, ReadMail
from triage.domain.memory.errors import NoteChanged
from triage.domain.memory.graph import Graph
from triage.domain.memory.notes import Note, NoteKind, NoteStatus, NoteWritten, Observation
from triage.domain.ports import BuildStore, Failpoint
from triage.policy.memory.proposals.observed import written
from triage.policy.memory.reading.notes_of import note_of
from triage.policy.memory.reading.observation_json import read
from triage.services.memory.build.progress import Progress

WRITER: Final = "memory_writer"
PAGE: Final = 50
BATCH: Final = 12
"""Observations that a model gets at once."""


class NoteWriter(Protocol):
    """The Memory Writer by a model. Raises what a model raises."""

    async def write(self, mails: Sequence[ReadMail], progress: Progress) -> None:
        """Write the notes of what these mails say; what it leaves out the rules write."""


class BuildNotes(Protocol):
    """What a build asks of the note service; it raises `VaultDown`, `VaultReadOnly`, and `NoteChanged` where a person wrote meanwhile."""

    async def list(self, *, kind: NoteKind | None = None, status: NoteStatus | None = None) -> tuple[Note, ...]:
        """Return the notes."""

    async def write(self, note: Note, by: str, *, before: Note | None = None, what: str = "") -> NoteWritten:
        """Write a note; merge a new one into an existing note with the same content."""

    async def graph(self) -> Graph:
        """Return the graph of all notes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """Writes the notes of all mails that were read."""

    store: BuildStore
    notes: BuildNotes
    failpoint: Failpoint
    writer: NoteWriter | None = None
    """None: rules."""

    async def run(self, progress: Progress) -> None:
        """Write until nothing is left.

        A build that was killed between note and commit writes the same note again: the note service finds it there and changes nothing.
        """
        await progress.stage(BuildStage.WRITE, progress.counts["mails"])
        while mails := await self.store.unwritten(PAGE):
            for batch in batches(mails):
                if self.writer is not None:
                    await self.writer.write(batch, progress)
                for mail in batch:
                    await self._mail(mail, progress)
        await progress.stage(BuildStage.GRAPH)
        graph = await self.notes.graph()
        progress.counts.update({"nodes": len(graph.nodes), "edges": len(graph.edges)})

    async def _mail(self, mail: ReadMail, progress: Progress) -> None:
        outcomes = dict.fromkeys(("created", "merged", "unchanged", "skipped"), 0)
        for one in await self._left(mail):
            try:
                written = await self.notes.write(note_of(one, date.fromisoformat(mail.day)), WRITER)
                outcomes[written.outcome] += 1
            except NoteChanged:
                outcomes["skipped"] += 1
            self.failpoint("memory.note")
        await self.store.wrote(mail.case)
        await progress.step(**outcomes)

    async def _left(self, mail: ReadMail) -> Sequence[Observation]:
        """Return what the rules write of a mail: where a model writes, what it has left out."""
        found = read(mail.observations)
        if self.writer is None:
            return found
        notes = await self.notes.list()
        return [one for one in found if not written(one, notes)]


def batches(mails: Sequence[ReadMail]) -> Iterator[list[ReadMail]]:
    """Yield the mails in batches of few observations; one mail's stay together."""
    batch: list[ReadMail] = []
    for mail in mails:
        if batch and sum(one.count for one in batch) + mail.count > BATCH:
            yield batch
            batch = []
        batch.append(mail)
    if batch:
        yield batch

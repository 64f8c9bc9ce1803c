"""The stage actions: makes actions of our own promises, and judges open actions by today's date."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import date
from typing import Final, Protocol

from triage.domain.memory.builds import BuildStage
from triage.domain.memory.errors import NoteChanged
from triage.domain.memory.notes import Note, NoteKind, NoteStatus
from triage.domain.ports import Clock
from triage.policy.memory.reading.notes_of import judged_again, promises_to_keep
from triage.services.memory.build.progress import Progress
from triage.services.memory.build.writing import BuildNotes

AGENT: Final = "action"


class Planner(Protocol):
    """The Action agent by a model. Raises what a model raises."""

    async def plan(self, progress: Progress) -> None:
        """Write the actions that it finds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Actions:
    """The Action agent: by a model where there is one, and by rules what that leaves undone."""

    notes: BuildNotes
    domains: Callable[[], Collection[str]]
    """Our own domains."""
    clock: Clock
    planner: Planner | None = None
    """None: rules."""

    async def run(self, progress: Progress) -> None:
        if self.planner is not None:
            await progress.stage(BuildStage.ACTIONS)
            await self.planner.plan(progress)
        today, notes = self.clock.now().date(), await self.notes.list()
        promised = promises_to_keep(notes, frozenset(self.domains()), today)
        open_ones = [note for note in notes if note.kind is NoteKind.ACTION and note.status is NoteStatus.ACTIVE]
        await progress.stage(BuildStage.ACTIONS, len(promised) + len(open_ones))
        for note in promised:
            await self.notes.write(note, AGENT)
            await progress.step(actions=1)
        for note in open_ones:
            await self._judge_again(note, today, progress)

    async def _judge_again(self, note: Note, today: date, progress: Progress) -> None:
        again = judged_again(note, today)
        if again == note:
            return
        try:
            await self.notes.write(again, AGENT, before=note, what=f"judged on {today}")
            await progress.step(judged=1)
        except NoteChanged:
            await progress.step(skipped=1)

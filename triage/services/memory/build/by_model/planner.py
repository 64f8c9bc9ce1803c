"""The Action Agent by a model: it turns promises into actions and says what is at stake; what it leaves out the rules write."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from triage.domain.memory.notes import Note, NoteKind, NoteStatus
from triage.policy.memory.reading.notes_of import promised
from triage.services.memory.build.by_model.agent import AgentTask, BuildAgent, outcomes, refused
from triage.services.memory.build.progress import Progress
from triage.toolsets.memory.context import Notes
from triage.toolsets.memory.shown import line_of

BATCH: Final = 15
"""Notes of one run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPlanner:
    """Looks at promises without an action, and at actions that have come since the build before."""

    agent: BuildAgent
    notes: Notes
    domains: Callable[[], Collection[str]]
    """Our own domains."""

    async def plan(self, progress: Progress) -> None:
        """Write actions; ask once more where promises have none, or a change was refused."""
        new = [note for note in await self.notes.list(kind=NoteKind.ACTION) if _is_new(note, progress.build.started_at)]
        work = [*await self._promises(), *new]
        for start in range(0, len(work), BATCH):
            await self._batch(work[start : start + BATCH], progress)

    async def _promises(self) -> tuple[Note, ...]:
        return promised(await self.notes.list(), frozenset(self.domains()))

    async def _batch(self, work: Sequence[Note], progress: Progress) -> None:
        problems: tuple[str, ...] = ()
        for _ in range(2):
            if await self.agent.used_up():
                break
            result = await self.agent.run(_task(work), progress, problems)
            results = outcomes(result)
            progress.counts.update({"actions": results.get("created", 0), "judged": results.get("updated", 0)})
            open_names = {note.id for note in await self._promises()}
            work = [note for note in work if note.id in open_names]
            problems = (*refused(result), *(f"{note.id} has no action yet" for note in work))
            if not problems:
                return
        progress.counts["actions_by_rules"] += len(work)


def _is_new(action: Note, since: datetime) -> bool:
    """Tell whether an open action was read from a mail since the build began: each is judged by one build."""
    written = action.changes[-1].at if action.changes else None
    return action.status is NoteStatus.ACTIVE and not action.source_memories and bool(written and written >= since)


def _task(work: Sequence[Note]) -> AgentTask:
    promises = [line_of(note) for note in work if note.kind is not NoteKind.ACTION]
    actions = [line_of(note) for note in work if note.kind is NoteKind.ACTION]
    return AgentTask(
        wants="Make actions of the promises that have none, and judge the new actions.",
        known={"promises_without_action": promises, "new_actions": actions},
    )

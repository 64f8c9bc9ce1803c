"""The Memory Writer by a model: it words notes of observations; what it leaves out the rules write."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Final

from triage.domain.conversation import Json
from triage.domain.memory.builds import ReadMail
from triage.domain.memory.notes import MemoryMail, Observation
from triage.domain.untrusted import NOTHING
from triage.policy.memory.proposals.observed import written
from triage.policy.memory.reading.observation_json import read, shown
from triage.services.memory.build.by_model.agent import AgentTask, BuildAgent, outcomes, refused
from triage.services.memory.build.progress import Progress
from triage.toolsets.memory.context import Notes
from triage.toolsets.memory.shown import line_of

LIKE: Final = 3
"""Notes like an observation that the prompt names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelWriter:
    """Writes the notes of mails that were read, as far as the model does; a note counts only once code finds it in the vault."""

    agent: BuildAgent
    notes: Notes

    async def write(self, mails: Sequence[ReadMail], progress: Progress) -> None:
        """Write notes; ask once more for those that are missing, and count the batch if the rules have to write some."""
        left, days = await self.missing(_named(mails)), {mail.case: mail.day for mail in mails}
        problems: tuple[str, ...] = ()
        for _ in range(2):
            if not left or await self.agent.used_up():
                break
            result = await self.agent.run(await self._task(left, days), progress, problems)
            progress.counts.update({name: count for name, count in outcomes(result).items() if name != "unchanged"})
            left = await self.missing(left)
            problems = (*refused(result), *(f"{name} has no note yet" for name in left))
        if left:
            progress.counts["written_by_rules"] += len(left)

    async def missing(self, named: Mapping[str, Observation]) -> dict[str, Observation]:
        """Return the observations that no note holds."""
        notes = await self.notes.list()
        return {name: one for name, one in named.items() if not written(one, notes)}

    async def _task(self, named: Mapping[str, Observation], days: Mapping[str, str]) -> AgentTask:
        known = [
            {"name": name, "observation": shown(one), "notes_like_it": await self._like(one)}
            for name, one in named.items()
        ]
        return AgentTask(
            wants=f"Write the notes of these {len(named)} observations.",
            known={"observations": known},
            facts={name: _envelope(one, days[one.source_email]) for name, one in named.items()},
            observed=named,
        )

    async def _like(self, one: Observation) -> list[Json]:
        return [line_of(hit.note) for hit in await self.notes.search(one.title, LIKE, kind=one.kind)]


def _named(mails: Sequence[ReadMail]) -> dict[str, Observation]:
    """Return the observations of mails by the name under which the model speaks of them: `case-17/2`."""
    return {f"{mail.case}/{number}": one for mail in mails for number, one in enumerate(read(mail.observations), 1)}


def _envelope(one: Observation, day: str) -> MemoryMail:
    """Return an observation's mail as its note's source; its other words have been forgotten by now."""
    return MemoryMail(
        case=one.source_email,
        message_id=one.source_email,
        sender=one.sender,
        to=(),
        subject=NOTHING,
        text=one.quote,
        at=datetime.combine(date.fromisoformat(day), time(), UTC),
        trust=one.trust,
    )

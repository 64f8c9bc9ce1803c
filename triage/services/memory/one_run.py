"""The journal of an agent run without a case: it is never resumed; its answers are counted but not kept."""

from dataclasses import dataclass, field

from triage.agent.run import NoJournal
from triage.domain.conversation import Turn
from triage.domain.ports import AnswerLog, Clock


@dataclass(slots=True, kw_only=True)
class OneRun(NoJournal):
    """A journal that keeps a run's answers only while the run lasts. Their cost counts toward the month's budget and the audit."""

    log: AnswerLog
    clock: Clock
    counted: str
    """Name of the run in the audit, such as `memory-3`; several runs may share one."""
    profile: str
    turns: dict[tuple[str, int], Turn] = field(default_factory=dict)

    async def turn(self, run: str, number: int) -> Turn | None:
        return self.turns.get((run, number))

    async def keep_turn(self, run: str, number: int, turn: Turn, ms: float) -> None:
        """Keep an answer while the run lasts, and count it. Raises `StoreDown`."""
        self.turns[run, number] = turn
        await self.log.keep(self.counted, self.profile, turn, self.clock.now(), ms)

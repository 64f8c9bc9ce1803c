"""The journal of an agent run without a case: it is never resumed; its answers are counted but not kept."""

from dataclasses import dataclass, field
from typing import Self

from triage.domain.conversation import AgentResult, Messages, Turn
from triage.domain.ports import AnswerLog, Clock


@dataclass(slots=True, kw_only=True)
class OneRun:
    """The port `Journal` for the duration of a run. The cost of answers counts toward the month's budget and the audit."""

    log: AnswerLog
    clock: Clock
    counted: str
    """Name of the run in the audit, such as `memory-3`; several runs may share one."""
    profile: str
    turns: dict[tuple[str, int], Turn] = field(default_factory=dict)

    async def opening(self, run: str) -> Messages | None:
        """Nothing is kept."""
        del run
        return None

    async def keep_opening(self, run: str, profile: str, conversation: Messages) -> None:
        """Keep nothing, since it contains mails and notes."""

    async def turn(self, run: str, number: int) -> Turn | None:
        """Return an answer of this run."""
        return self.turns.get((run, number))

    async def keep_turn(self, run: str, number: int, turn: Turn, ms: float) -> None:
        """Keep an answer while the run lasts, and count it. Raises `StoreDown`."""
        self.turns[run, number] = turn
        await self.log.keep(self.counted, self.profile, turn, self.clock.now(), ms)

    async def result(self, run: str, call: str) -> str | None:
        """Nothing is kept."""
        del run, call
        return None

    async def keep_result(self, run: str, call: str, tool: str, arguments: str, result: str) -> None:
        """Keep nothing."""

    async def keep_run(self, run: str, result: AgentResult) -> None:
        """Keep nothing."""

    def deferring(self) -> Self:
        """Return itself: nothing is committed."""
        return self

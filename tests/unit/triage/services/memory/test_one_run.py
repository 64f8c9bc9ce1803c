"""The journal of a run about no case: answers live as long as the run, and are counted."""

from dataclasses import dataclass, field
from datetime import datetime

from tests.contract.store.store_samples import HeldClock
from triage.domain.conversation import AgentResult, RunStatus, Turn, Usage
from triage.services.memory.one_run import OneRun


@dataclass
class Counted:
    """An `AnswerLog` that keeps run, profile and usage of each answer."""

    kept: list[tuple[str, str, Usage]] = field(default_factory=list)

    async def keep(self, run: str, profile: str, turn: Turn, at: datetime, ms: float) -> None:
        """Keep it."""
        del at
        assert ms >= 0
        self.kept.append((run, profile, turn.usage))


async def test_a_run_is_counted_and_not_kept() -> None:
    """The answer of this run is found again, is counted once, and nothing else is kept."""
    log = Counted()
    journal = OneRun(log=log, clock=HeldClock(), counted="memory-3", profile="email_reader")
    turn = Turn(text="[]", usage=Usage(input_tokens=7))
    await journal.keep_opening("a/1", "email_reader", ())
    await journal.keep_turn("a/1", 1, turn, 5.0)
    await journal.keep_result("a/1", "1.1", "search", "{}", "{}")
    await journal.keep_run("a/1", AgentResult(status=RunStatus.COMPLETED))

    assert (await journal.turn("a/1", 1), await journal.turn("a/1", 2)) == (turn, None)
    assert (await journal.opening("a/1"), await journal.result("a/1", "1.1")) == (None, None)
    assert log.kept == [("memory-3", "email_reader", turn.usage)]

"""Asks a case's model a single question outside the agent's run; each question is a separate run without tools."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from triage.agent.wrappers import JournalledModel, PatientModel
from triage.domain.cases import Case
from triage.domain.conversation import AgentResult, Messages, RunStatus, ToolSpec, Turn, Usage
from triage.domain.errors import LeaseLost, Permanent, StoreDown, Transient
from triage.domain.ports import Model
from triage.pipeline.context import Services
from triage.pipeline.scope import profile_of

LONGEST: Final = 4.0
"""Seconds between two tries at most: a mail waits."""


@dataclass(frozen=True, slots=True)
class QuestionId:
    """Who asks, and the number of its question among those of the case's run."""

    name: str
    number: int


@asynccontextmanager
async def asking(
    case: Case, asker: QuestionId, opening: Messages, at: Services, *, tries: int = 1
) -> AsyncIterator[Model | None]:
    """Yield the model, whose answers are journalled before use; None if there is none or the budget is used up.

    `tries`: so often it is asked while it is down.
    What the block raises ends the run as an error, and goes on; `StoreDown` and `LeaseLost` leave it open.
    """
    profile = at.profiles.get(profile_of(case))
    model = at.model(profile) if at.model and profile else None
    run = case.run_beside(asker.number)
    if model is None or await _spent(run, at):
        yield None
        return
    await at.journal.keep_opening(run, asker.name, opening)
    patient = PatientModel(model, at.clock, tries=tries, longest=LONGEST)
    heard = _Heard(JournalledModel(patient, at.journal, run, at.clock))
    try:
        yield heard
    except (StoreDown, LeaseLost):
        raise
    except (ValueError, Transient, Permanent) as e:
        await at.journal.keep_run(run, _ended(heard.turns, RunStatus.ERROR, str(e)))
        raise
    await at.journal.keep_run(run, _ended(heard.turns, RunStatus.COMPLETED))


@dataclass(frozen=True, slots=True)
class _Heard:
    """A model that keeps its answers, so that their tokens and cost are counted."""

    model: Model
    turns: list[Turn] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.model.name

    async def complete(self, messages: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        self.turns.append(await self.model.complete(messages, tools, max_tokens))
        return self.turns[-1]


def _ended(turns: Sequence[Turn], status: RunStatus, error: str = "") -> AgentResult:
    return AgentResult(
        status=status,
        iterations=len(turns),
        final_message=turns[-1].text if turns else "",
        model=turns[-1].model if turns else "",
        usage=sum((one.usage for one in turns), Usage()),
        error=error,
    )


async def _spent(run: str, at: Services) -> bool:
    """Tell whether the month's budget is used up; an answer that is kept costs nothing."""
    if not at.budget_used_up or await at.journal.turn(run, 1):
        return False
    return await at.budget_used_up()

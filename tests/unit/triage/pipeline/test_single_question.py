"""A question beside the agent's run: a run of its own, kept before it is used, without tools, and within the budget."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import cast

import pytest

from tests.contract.store.store_samples import HeldClock
from triage.agent.profiles import Profile
from triage.domain.cases import Case
from triage.domain.conversation import AgentResult, ChatMessage, Messages, RunStatus, ToolSpec, Turn, Usage
from triage.domain.errors import ModelDown, StoreDown
from triage.pipeline.context import Services
from triage.pipeline.single_question import QuestionId, asking
from triage.policy.text.untrusted import ours

CASE = Case(id="case-17", source="file", received_at=datetime(2026, 11, 20, tzinfo=UTC), run=2)
OPENING = (ChatMessage.system(ours("Answer.")),)
ASKER = QuestionId("reply", 2)
RUN = "case-17/2002"


@dataclass
class World:
    """A model that answers in turn, and the journal."""

    turns: list[Turn | Exception]
    spent: bool = False
    openings: dict[str, str] = field(default_factory=dict)
    kept: dict[tuple[str, int], Turn] = field(default_factory=dict)
    ended: dict[str, AgentResult] = field(default_factory=dict)
    clock: HeldClock = field(default_factory=HeldClock)
    name: str = "test"

    async def complete(self, messages: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        """The next answer."""
        assert (messages, tools, max_tokens) == (OPENING, (), 100)
        turn = self.turns.pop(0)
        if isinstance(turn, Exception):
            raise turn
        return turn

    async def keep_opening(self, run: str, profile: str, conversation: Messages) -> None:
        """Who asks."""
        self.openings[run] = f"{profile}: {conversation[0].text}"

    async def turn(self, run: str, number: int) -> Turn | None:
        """An answer that was kept."""
        return self.kept.get((run, number))

    async def keep_turn(self, run: str, number: int, turn: Turn, ms: float) -> None:
        """Keep it."""
        assert ms >= 0
        self.kept[run, number] = turn

    async def keep_run(self, run: str, result: AgentResult) -> None:
        """How it ended."""
        self.ended[run] = result

    async def budget_used_up(self) -> bool:
        """Whether the month's money is gone."""
        return self.spent

    async def ask(self, *, wrong: bool = False) -> str | None:
        """Ask once; `wrong`: what was answered does not fit."""
        profiles = {"jira": Profile(name="jira", tools=(), prompt="")}
        services = SimpleNamespace(
            profiles=profiles,
            model=lambda _: self,
            journal=self,
            clock=self.clock,
            budget_used_up=self.budget_used_up,
        )
        async with asking(CASE, ASKER, OPENING, cast("Services", services), tries=3) as model:
            if model is None:
                return None
            text = (await model.complete(OPENING, (), 100)).text
            if wrong:
                raise ValueError("it does not fit")
            return f"{model.name}: {text}"


async def test_a_question_is_a_run_of_its_own() -> None:
    """It stands in the journal under its asker's name, and a restart asks the model no second time, also without money."""
    spent = Usage(input_tokens=9, output_tokens=1)
    world = World([Turn(text="Yes.", model="m-1", usage=spent)])
    told = await world.ask()
    world.spent = True

    assert told == await world.ask() == "test: Yes."
    assert world.openings == {RUN: "reply: Answer."}
    assert (world.ended[RUN].status, world.ended[RUN].model, world.ended[RUN].usage) == (
        RunStatus.COMPLETED,
        "m-1",
        spent,
    )


async def test_without_money_nobody_is_asked() -> None:
    """The month's budget ends questions, too, and leaves no run."""
    world = World([], spent=True)

    assert await world.ask() is None
    assert (world.openings, world.ended) == ({}, {})


async def test_a_model_that_is_down_is_asked_again_for_some_seconds() -> None:
    """What a provider asks for is cut: a mail waits. After the last try the run ends as an error."""
    down = ModelDown("test", "429", retry_after=300.0)
    world = World([down, Turn(text="Yes.")])
    started = world.clock.now()
    told = await world.ask()
    lost = World([down] * 3)
    with pytest.raises(ModelDown):
        await lost.ask()

    assert (told, (world.clock.now() - started).total_seconds()) == ("test: Yes.", 4)
    assert (lost.turns, lost.ended[RUN].status, lost.ended[RUN].iterations) == ([], RunStatus.ERROR, 0)


async def test_an_answer_that_does_not_fit_is_told_in_the_record() -> None:
    """The answer is kept and counted, with why it was of no use."""
    world = World([Turn(text="Perhaps.")])
    with pytest.raises(ValueError, match="does not fit"):
        await world.ask(wrong=True)

    ended = world.ended[RUN]
    assert (ended.status, ended.error, ended.final_message) == (RunStatus.ERROR, "it does not fit", "Perhaps.")


async def test_a_store_that_is_down_ends_nothing() -> None:
    """Whoever goes on finds the run open."""
    world = World([StoreDown("disk full")])
    with pytest.raises(StoreDown):
        await world.ask()

    assert (list(world.openings), world.ended) == ([RUN], {})

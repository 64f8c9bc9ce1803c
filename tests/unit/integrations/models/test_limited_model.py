"""A model within a rate: who waits, who is sent back to the queue, and what all hear of the provider's pause."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from integrations.models.limited_model import PATIENCE, SCOPE, LimitedModel
from integrations.own_part import OwnPart
from triage.domain.conversation import Messages, ToolSpec, Turn
from triage.domain.errors import ModelDown
from triage.domain.operations.limits import Allowance, Permit


@dataclass
class Answering:
    """A model that answers, or is in trouble."""

    trouble: ModelDown | None = None
    asked: int = 0
    name: str = "small"

    async def complete(self, messages: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        """Answer."""
        del messages, tools, max_tokens
        self.asked += 1
        if self.trouble:
            raise self.trouble
        return Turn(text="yes", model="small")


@dataclass
class Shared(OwnPart):
    """What the processes share, as a test says."""

    permit: Permit | None = None
    processes: int = 1
    held: list[tuple[str, float]] = field(default_factory=list)

    async def take(self, allowances: Sequence[Allowance], pauses: Sequence[str], patience: float) -> Permit | None:
        """As the test says."""
        return self.permit

    async def hold(self, scope: str, seconds: float, why: str) -> None:
        """Note it."""
        self.held.append((scope, seconds))


@dataclass
class Slept:
    """How long somebody slept."""

    seconds: list[float] = field(default_factory=list)

    async def __call__(self, seconds: float) -> None:
        """At once."""
        self.seconds.append(seconds)


async def ask(model: LimitedModel) -> str:
    """One question."""
    return (await model.complete((), (), 100)).model


async def test_waits_for_its_place() -> None:
    """A place that is near is waited for."""
    slept = Slept()

    assert await ask(LimitedModel(Answering(), Shared(Permit(3.0, granted=True)), 60, sleep=slept)) == "small"
    assert slept.seconds == [3.0]


async def test_a_pause_of_all() -> None:
    """While the provider wants no request nobody asks it, and the job hears how long."""
    model = Answering()

    with pytest.raises(ModelDown, match="pause") as caught:
        await ask(LimitedModel(model, Shared(Permit(60.0, granted=False, why="a pause"))))
    assert (caught.value.retry_after, model.asked) == (60.0, 0)


@pytest.mark.parametrize(("retry_after", "held"), [(30.0, [(SCOPE, 30.0)]), (None, [])])
async def test_the_provider_asks_for_a_pause(retry_after: float | None, held: list[tuple[str, float]]) -> None:
    """What one process hears all are told; a failure without a time is its own matter."""
    shared = Shared(Permit(0.0, granted=True))

    with pytest.raises(ModelDown):
        await ask(LimitedModel(Answering(ModelDown("small", "429", retry_after=retry_after)), shared))
    assert shared.held == held


async def test_its_part_alone() -> None:
    """Where the others cannot be asked it keeps to its part: two processes of sixty a minute ask thirty each."""
    slept, model = Slept(), Answering()
    limited = LimitedModel(model, Shared(processes=2), 60, sleep=slept, now=lambda: 0.0)
    for _ in range(8):
        await ask(limited)
    with pytest.raises(ModelDown, match="MODEL_REQUESTS_PER_MINUTE") as caught:
        await ask(limited)

    assert slept.seconds == pytest.approx([2, 4, 6, 8, 10])
    assert caught.value.retry_after is not None
    assert caught.value.retry_after > PATIENCE
    assert (limited.name, model.asked) == ("small", 8)


async def test_without_a_rate() -> None:
    """Without a limit of ours, and alone, it asks as it likes."""
    model = Answering()
    limited = LimitedModel(model, OwnPart(1))
    for _ in range(100):
        await ask(limited)

    assert model.asked == 100

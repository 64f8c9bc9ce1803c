"""A chain of models: the first that answers is used."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol, runtime_checkable

from triage.domain.conversation import Messages, ToolSpec, Turn
from triage.domain.errors import ContextTooLong, ModelDenied, ModelDown
from triage.domain.ports import Model

FAILURES: Final = 3
"""So many in a row and a model rests: each try of a dead one costs a mail its whole timeout."""
REST: Final = 60.0


@runtime_checkable
class _Closable(Protocol):
    """A model that holds connections; the playbook holds none."""

    async def close(self) -> None: ...


@dataclass(slots=True)
class _Link:
    """A model of the chain and how it has been doing."""

    model: Model
    failures: int = 0
    rests_until: float = 0.0
    trouble: ModelDown | ModelDenied | None = None


class FallbackModel:
    """Asks its models in order; who is down or refuses is followed by the next."""

    def __init__(self, models: Sequence[Model], *, now: Callable[[], float] = time.monotonic) -> None:
        """`now` counts seconds and never goes back."""
        if not models:
            raise ValueError("a chain needs at least one model")
        self._links = tuple(_Link(model) for model in models)
        self._now = now

    @property
    def name(self) -> str:
        """All of them; `Turn.model` names the one that answered."""
        return " or ".join(link.model.name for link in self._links)

    async def complete(self, messages: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        """The next turn of the first that gives one.

        Raises the first `ModelDown` where none does, the first `ModelDenied` where all of them refuse us, and
        `ContextTooLong` at once: a prompt too long for one is a prompt to shorten.
        """
        troubles: list[ModelDown | ModelDenied] = []
        for link in self._links:
            resting = self._resting(link)
            if resting is not None:
                troubles.append(resting)
                continue
            try:
                return await self._ask(link, messages, tools, max_tokens)
            except (ModelDown, ModelDenied) as e:
                troubles.append(e)
        raise next((t for t in troubles if isinstance(t, ModelDown)), troubles[0])

    async def close(self) -> None:
        """Let the connections of all of them go."""
        for link in self._links:
            if isinstance(link.model, _Closable):
                await link.model.close()

    async def _ask(self, link: _Link, messages: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        if link.failures >= FAILURES:
            # Others go on passing it by until this one try has told.
            link.rests_until = self._now() + REST
        try:
            turn = await link.model.complete(messages, tools, max_tokens)
        except (ModelDown, ModelDenied) as e:
            link.failures += 1
            link.trouble = replace(e)  # without the traceback, whose frames hold the mail
            if link.failures >= FAILURES:
                link.rests_until = self._now() + REST
            raise
        except ContextTooLong:
            link.failures = 0
            raise
        link.failures = 0
        return turn if turn.model else replace(turn, model=link.model.name)

    def _resting(self, link: _Link) -> ModelDown | ModelDenied | None:
        """What it said last, while it rests."""
        left = link.rests_until - self._now()
        if left <= 0 or link.trouble is None or link.failures < FAILURES:
            return None
        if isinstance(link.trouble, ModelDown):
            return replace(link.trouble, retry_after=max(left, link.trouble.retry_after or 0.0))
        return replace(link.trouble)

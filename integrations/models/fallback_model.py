"""The port `Model` over a chain of models: uses the first one that answers."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol, runtime_checkable

from triage.domain.conversation import Messages, ToolSpec, Turn
from triage.domain.errors import ContextTooLong, ModelDenied, ModelDown
from triage.domain.ports import Model

FAILURES: Final = 3
"""Failures in a row after which a model is skipped for `REST` seconds: each try costs a mail the whole timeout."""
REST: Final = 60.0


@runtime_checkable
class _Closable(Protocol):
    """A model with connections to close; the playbook has none."""

    async def close(self) -> None: ...


@dataclass(slots=True)
class _Link:
    """A model of the chain with its recent failures."""

    model: Model
    failures: int = 0
    rests_until: float = 0.0
    trouble: ModelDown | ModelDenied | None = None


class FallbackModel:
    """Asks its models in order; goes on to the next if one is down or refuses."""

    def __init__(self, models: Sequence[Model], *, now: Callable[[], float] = time.monotonic) -> None:
        """`now` is a monotonic clock in seconds. Raises `ValueError` without models."""
        if not models:
            raise ValueError("a chain needs at least one model")
        self._links = tuple(_Link(model) for model in models)
        self._now = now

    @property
    def name(self) -> str:
        """The names of all models; `Turn.model` names the one that answered."""
        return " or ".join(link.model.name for link in self._links)

    async def complete(self, messages: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        """Return the next turn of the first model that gives one.

        If none does, raises the first `ModelDown`, or the first `ModelDenied` if all refuse us. Raises
        `ContextTooLong` at once: the caller shortens the prompt rather than try a model with a larger context.
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
        for link in self._links:
            if isinstance(link.model, _Closable):
                await link.model.close()

    async def _ask(self, link: _Link, messages: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        if link.failures >= FAILURES:
            # Concurrent calls go on skipping the model until this single try has ended.
            link.rests_until = self._now() + REST
        try:
            turn = await link.model.complete(messages, tools, max_tokens)
        except (ModelDown, ModelDenied) as e:
            link.failures += 1
            link.trouble = replace(e)  # a copy without the traceback, whose frames hold the mail
            if link.failures >= FAILURES:
                link.rests_until = self._now() + REST
            raise
        except ContextTooLong:
            link.failures = 0
            raise
        link.failures = 0
        return turn if turn.model else replace(turn, model=link.model.name)

    def _resting(self, link: _Link) -> ModelDown | ModelDenied | None:
        """Return the model's last error while it is skipped, else None."""
        left = link.rests_until - self._now()
        if left <= 0 or link.trouble is None or link.failures < FAILURES:
            return None
        if isinstance(link.trouble, ModelDown):
            return replace(link.trouble, retry_after=max(left, link.trouble.retry_after or 0.0))
        return replace(link.trouble)

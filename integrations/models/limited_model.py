"""The port `Model` within a rate that all processes share; what the provider asks one to wait, all wait."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from integrations.request_pacer import RequestPacer
from triage.domain.conversation import Messages, ToolSpec, Turn
from triage.domain.errors import ModelDown
from triage.domain.operations.limits import Allowance
from triage.domain.ports import Model, RequestLimits

SCOPE: Final = "requests"
PATIENCE: Final = 10.0
"""Longest wait in seconds within the worker; beyond it `ModelDown` postpones the job."""


class LimitedModel:
    """Asks a model; `per_minute` is of all processes, 0: only the provider's own pauses are kept."""

    def __init__(
        self,
        model: Model,
        limits: RequestLimits,
        per_minute: int = 0,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """`now` is a monotonic clock in seconds."""
        self._model, self._limits = model, limits
        self._sleep, self._now = sleep, now
        self._rate = per_minute / 60
        # A tenth of a minute at once, so that a minute never takes much more than its rate.
        self._burst = max(1.0, per_minute / 10)
        self._pacer = RequestPacer(size=self._burst, rate=self._rate, level=self._burst, at=now())

    @property
    def name(self) -> str:
        return self._model.name

    async def complete(self, messages: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        """Return the model's next turn. Raises what it raises, and `ModelDown` while all processes pause."""
        if wait := await self._turn():
            await self._sleep(wait)
        try:
            return await self._model.complete(messages, tools, max_tokens)
        except ModelDown as e:
            if e.retry_after:
                await self._limits.hold(SCOPE, e.retry_after, "the provider asked for a pause")
            raise

    async def _turn(self) -> float:
        """Return the seconds to wait. Raises `ModelDown` above PATIENCE, and while the provider wants no request."""
        allowances = [Allowance(SCOPE, self._burst, self._rate)] if self._rate else []
        permit = await self._limits.take(allowances, (SCOPE,), PATIENCE)
        if permit is None:
            wait, why = self._own_turn(), ""
        elif permit.granted:
            return permit.wait
        else:
            wait, why = permit.wait, permit.why
        if permit is not None or wait > PATIENCE:
            raise ModelDown(self.name, why or "MODEL_REQUESTS_PER_MINUTE is used up", retry_after=wait)
        return wait

    def _own_turn(self) -> float:
        """Take a token of this process' part, unless the wait would be too long."""
        if not self._rate:
            return 0.0
        wait = self._pacer.reserve(self._now(), self._limits.processes)
        if wait > PATIENCE:
            self._pacer.cancel()
        return wait

"""Runs the checks of `triage doctor` for the console: one run at a time, findings shown as they arrive."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from triage.domain.errors import TriageError
from triage.domain.operations.checks import Finding
from triage.domain.ports import Clock


class CheckScope(StrEnum):
    """Which checks run."""

    JIRA = "jira"
    """Jira alone, and everything there."""
    ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRun:
    """One run and its findings so far."""

    looks: CheckScope
    by: str
    began_at: datetime
    ended_at: datetime | None = None
    """None: it is still running."""
    findings: tuple[Finding, ...] = ()
    trouble: str = ""
    """Why it ended before its end."""


@dataclass(slots=True)
class SelfCheck:
    """Held by the application; the last run of this process is kept, and lost with it."""

    run: Callable[[CheckScope], AsyncIterator[Finding]]
    """Yields findings as they are made. Raises `TriageError` if the checks cannot be run."""
    clock: Clock
    last: CheckRun | None = None
    _task: "asyncio.Task[None] | None" = field(default=None, repr=False)

    def begin(self, looks: CheckScope, by: str) -> CheckRun:
        if self.last is None or self.last.ended_at is not None:
            self.last = CheckRun(looks=looks, by=by, began_at=self.clock.now())
            self._task = asyncio.create_task(self._go(looks))
        return self.last

    async def ended(self) -> None:
        """Wait until the run has ended."""
        if self._task:
            await self._task

    async def _go(self, looks: CheckScope) -> None:
        try:
            async for finding in self.run(looks):
                self._now(findings=(*self._so_far, finding))
        except TriageError as e:
            self._now(trouble=str(e))
        finally:
            self._now(ended_at=self.clock.now())

    @property
    def _so_far(self) -> tuple[Finding, ...]:
        return self.last.findings if self.last else ()

    def _now(self, **more: object) -> None:
        if self.last:
            self.last = replace(self.last, **more)  # type: ignore[arg-type]  # names of its fields

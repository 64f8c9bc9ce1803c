"""Sends a trace of each case that a worker processed, without blocking the worker."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from loguru import logger

from triage.domain.errors import TriageError
from triage.domain.operations.audit import AuditFilter
from triage.domain.operations.traces import Worked
from triage.domain.ports import Archive, AuditLog, TraceExport
from triage.policy.operations.tracing import spans_of

MOST: Final = 1_000
"""Cases that wait to be exported; further ones are dropped."""
CALLS: Final = 200
"""Answers of models that one case may have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tracing:
    """Sends traces of the worker's cases, beside the worker. What cannot be sent is dropped and logged."""

    archive: Archive
    log: AuditLog
    export: TraceExport
    secret: bytes
    redact: Callable[[str], str]
    """Shortens addresses in errors."""
    _waiting: asyncio.Queue[Worked] = field(default_factory=lambda: asyncio.Queue(MOST))

    def worked(self, worked: Worked) -> None:
        """Take note of what a worker has done; called by the worker."""
        if not self._waiting.full():
            self._waiting.put_nowait(worked)

    async def run(self) -> None:
        """Send until cancelled."""
        while True:
            await self.send(await self._waiting.get())

    async def rest(self) -> None:
        """Send what waits, when the worker ends."""
        while not self._waiting.empty():
            await self.send(self._waiting.get_nowait())

    async def send(self, worked: Worked) -> None:
        try:
            report = await self.archive.report(worked.case)
            where = AuditFilter(case=worked.case, since=worked.begin)
            calls = await self.log.calls(where, CALLS)
            redacted = replace(worked, trouble=self.redact(worked.trouble))
            await self.export.send(spans_of(report, calls, redacted, self.secret))
        except TriageError as e:
            logger.bind(case=worked.case, error=str(e)).warning("trace.lost")

"""Decides a case again on a copy of the store, so that a person sees what would happen."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field

from triage.domain.cases import case_id
from triage.domain.errors import DryRunTooLong
from triage.domain.findings import Disposition
from triage.domain.reports import Report
from triage.services.case_reports import CaseReports
from triage.services.cases import CaseService


@dataclass(frozen=True, slots=True, kw_only=True)
class Otherwise:
    """Overrides of the configuration for a replay; empty fields change nothing."""

    model: str = ""
    """Its name, as profiles write it; `none`: the rules decide."""
    profile: str = ""
    """The agent, whatever the routing rules say."""
    prompt: str = ""
    """Text of that agent's system prompt, in place of the file's; its tools and rights stay."""


AS_NOW = Otherwise()
"""With rules, prompts and models as they are now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DryDesk:
    """Services over a copy of the store; their worker writes nowhere else."""

    cases: CaseService
    reports: CaseReports
    accept: Callable[[bytes], Awaitable[str]]
    """Takes a mail into the copy; returns its case. Raises what intake does."""
    work: Callable[[str], Awaitable[None]]
    """Works a case of the copy to its end."""


OpenDry = Callable[[str, Otherwise], AbstractAsyncContextManager[DryDesk]]


@dataclass(frozen=True, slots=True, kw_only=True)
class DryRuns:
    """Called by `triage replay --dry-run`, the page of a case and the page on which a mail is tried; it writes nothing to the store and nothing to other systems.

    All methods raise `CaseNotFound`, `DryRunTooLong`, `StoreDown` and `SettingsInvalid`.
    """

    open: OpenDry
    seconds: float = 120.0
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One at a time: a copy of the store and a second worker take memory."""

    async def replay(self, case: str, otherwise: Otherwise = AS_NOW) -> Report:
        """Decide the case again on the copy; return its report."""

        async def again(desk: DryDesk, name: str) -> None:
            await desk.cases.replay(name)

        return await self._run(case, otherwise, again)

    async def mail(self, raw: bytes, otherwise: Otherwise = AS_NOW) -> Report:
        """Return the report of the case that this mail would be if it came in now. Raises what intake does, too."""
        try:
            async with asyncio.timeout(self.seconds), self._turn, self.open("", otherwise) as desk:
                name = await desk.accept(raw)
                await desk.work(name)
                return await desk.reports.report(name)
        except TimeoutError:
            raise DryRunTooLong("this mail", self.seconds) from None

    async def correct(
        self, case: str, disposition: Disposition | None, ticket: str = "", *, apart: str = "", by: str = ""
    ) -> Report:
        """Correct the case on the copy, as `CaseService.correct` does; return its report."""

        async def corrected(desk: DryDesk, name: str) -> None:
            await desk.cases.correct(name, disposition, by, ticket, apart=apart)
            await desk.cases.replay(name)

        return await self._run(case, AS_NOW, corrected)

    async def _run(self, case: str, otherwise: Otherwise, begin: Callable[[DryDesk, str], Awaitable[None]]) -> Report:
        name = case_id(case)
        try:
            async with asyncio.timeout(self.seconds), self._turn, self.open(name, otherwise) as desk:
                await desk.reports.report(name)
                await begin(desk, name)
                await desk.work(name)
                return await desk.reports.report(name)
        except TimeoutError:
            raise DryRunTooLong(name, self.seconds) from None

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
class ReplayOverrides:
    """Overrides of the configuration for a replay; empty fields change nothing."""

    model: str = ""
    """Its name, as profiles write it; `none`: the rules decide."""
    profile: str = ""
    """The agent, whatever the routing rules say."""
    prompt: str = ""
    """Text of that agent's system prompt, in place of the file's; its tools and rights stay."""


NO_OVERRIDES = ReplayOverrides()
"""With rules, prompts and models as they are now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DryRunServices:
    """Services over a copy of the store; their worker writes nowhere else."""

    cases: CaseService
    reports: CaseReports
    accept: Callable[[bytes], Awaitable[str]]
    """Takes a mail into the copy; returns its case. Raises what intake does."""
    work: Callable[[str], Awaitable[None]]
    """Works a case of the copy to its end."""


OpenDry = Callable[[str, ReplayOverrides], AbstractAsyncContextManager[DryRunServices]]


@dataclass(frozen=True, slots=True, kw_only=True)
class DryRuns:
    """Called by `triage replay --dry-run`, the page of a case and the page on which a mail is tried; it writes nothing to the store and nothing to other systems.

    All methods raise `CaseNotFound`, `DryRunTooLong`, `StoreDown` and `SettingsInvalid`.
    """

    open: OpenDry
    seconds: float = 120.0
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One at a time: a copy of the store and a second worker take memory."""

    async def replay(self, case: str, overrides: ReplayOverrides = NO_OVERRIDES) -> Report:
        """Decide the case again on the copy; return its report."""

        async def again(copy: DryRunServices, name: str) -> None:
            await copy.cases.replay(name)

        return await self._run(case, overrides, again)

    async def mail(self, raw: bytes, overrides: ReplayOverrides = NO_OVERRIDES) -> Report:
        """Return the report of the case that this mail would be if it came in now. Raises what intake does, too."""
        try:
            async with asyncio.timeout(self.seconds), self._turn, self.open("", overrides) as copy:
                name = await copy.accept(raw)
                await copy.work(name)
                return await copy.reports.report(name)
        except TimeoutError:
            raise DryRunTooLong("this mail", self.seconds) from None

    async def correct(
        self, case: str, disposition: Disposition | None, ticket: str = "", *, apart: str = "", by: str = ""
    ) -> Report:
        """Correct the case on the copy, as `CaseService.correct` does; return its report."""

        async def corrected(copy: DryRunServices, name: str) -> None:
            await copy.cases.correct(name, disposition, by, ticket, apart=apart)
            await copy.cases.replay(name)

        return await self._run(case, NO_OVERRIDES, corrected)

    async def _run(
        self, case: str, overrides: ReplayOverrides, begin: Callable[[DryRunServices, str], Awaitable[None]]
    ) -> Report:
        name = case_id(case)
        try:
            async with asyncio.timeout(self.seconds), self._turn, self.open(name, overrides) as copy:
                await copy.reports.report(name)
                await begin(copy, name)
                await copy.work(name)
                return await copy.reports.report(name)
        except TimeoutError:
            raise DryRunTooLong(name, self.seconds) from None

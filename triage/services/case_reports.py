"""Reads cases for people: lists, counts, reports, raw mails, what waits for approval; it writes nothing."""

from dataclasses import dataclass

from triage.domain.approvals import Approval
from triage.domain.cases import case_id
from triage.domain.ports import Archive
from triage.domain.reports import CaseLine, Report
from triage.domain.traces import Flood


@dataclass(frozen=True, slots=True, kw_only=True)
class CasePage:
    """One page of the list of cases."""

    lines: tuple[CaseLine, ...]
    """The latest first; the last one's id, as `before`, gives the next page."""
    counts: dict[str, int]
    """All cases by state, whatever the page shows."""
    throttled: tuple[Flood, ...]
    """Groups of mails that rate limits have collected, the latest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseReports:
    """Called by `triage cases`, `show`, `approve`, `process`, `doctor` and the demo's board. All methods raise `StoreDown`."""

    archive: Archive

    async def page(self, limit: int = 50, state: str | None = None, before: str | None = None) -> CasePage:
        """The latest cases, of one state, before a case (17 or case-17). Raises `Refused` where that is no id."""
        older = before and case_id(before)
        return CasePage(
            lines=await self.archive.cases(limit, state, older or None),
            counts=await self.archive.counts(),
            throttled=await self.archive.floods(limit),
        )

    async def report(self, case: str) -> Report:
        """Everything about one case. Raises `CaseNotFound`."""
        return await self.archive.report(case_id(case))

    async def latest(self, limit: int) -> tuple[Report, ...]:
        """Everything about the latest cases."""
        return tuple([await self.archive.report(line.id) for line in await self.archive.cases(limit)])

    async def raw(self, case: str) -> bytes:
        """The mail as it came. Raises `CaseNotFound`."""
        return await self.archive.raw(case_id(case))

    async def approvals(self) -> tuple[Approval, ...]:
        """What waits for a person."""
        return await self.archive.approvals()

    async def counts(self) -> dict[str, int]:
        """Cases by state; their sum is the number of accepted mails."""
        return await self.archive.counts()

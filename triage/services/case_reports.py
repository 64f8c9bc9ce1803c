"""Reads cases for people: lists, counts, reports, raw mails, what waits for approval; it writes nothing."""

from dataclasses import dataclass

from triage.domain.approvals import Approval
from triage.domain.cases import case_id
from triage.domain.ports import Archive
from triage.domain.reports import CaseFilter, CaseLine, Report
from triage.domain.traces import Flood


@dataclass(frozen=True, slots=True, kw_only=True)
class CasePage:
    """One page of the list of cases."""

    lines: tuple[CaseLine, ...]
    """Newest first; pass the last one's id as `before` to get the next page."""
    counts: dict[str, int]
    """All cases by state, not only those on the page."""
    throttled: tuple[Flood, ...]
    """Floods that the rate limits throttle, newest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseReports:
    """Called by `triage cases`, `show`, `approve`, `process`, `doctor` and the demo's board and the HTTP API. All methods raise `StoreDown`."""

    archive: Archive

    async def page(self, limit: int = 50, state: str | None = None, before: str | None = None) -> CasePage:
        """List cases, newest first: of one state, older than `before` (17 or case-17). Raises `Refused` if it is no id."""
        older = before and case_id(before)
        return CasePage(
            lines=await self.archive.cases(limit, state, older or None),
            counts=await self.archive.counts(),
            throttled=await self.archive.floods(limit),
        )

    async def search(
        self, limit: int, state: str | None, before: str | None, where: CaseFilter
    ) -> tuple[CaseLine, ...]:
        """List cases as `page` does, of those that pass the filter; without counts."""
        older = before and case_id(before)
        return await self.archive.cases(limit, state, older or None, where)

    async def report(self, case: str) -> Report:
        """Return everything about one case. Raises `CaseNotFound`."""
        return await self.archive.report(case_id(case))

    async def latest(self, limit: int) -> tuple[Report, ...]:
        return tuple([await self.archive.report(line.id) for line in await self.archive.cases(limit)])

    async def raw(self, case: str) -> bytes:
        """Return the mail's raw bytes. Raises `CaseNotFound`, `MailGone`."""
        return await self.archive.raw(case_id(case))

    async def approvals(self) -> tuple[Approval, ...]:
        return await self.archive.approvals()

    async def approval(self, number: int) -> Approval:
        """Return an approval in any state. Raises `ApprovalClosed` if there is none."""
        return await self.archive.approval(number)

    async def floods(self, limit: int) -> tuple[Flood, ...]:
        """Return the floods that rate limits hold, latest first."""
        return await self.archive.floods(limit)

    async def counts(self) -> dict[str, int]:
        """Count cases by state; the sum is the number of accepted mails."""
        return await self.archive.counts()

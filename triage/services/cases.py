"""Changes cases for people: replays them, accepts and rejects their approvals."""

from dataclasses import dataclass

from triage.domain.approvals import Approval, ApprovalState
from triage.domain.cases import Case, StepDone, case_id
from triage.domain.ports import Archive, Decisions, Jobs
from triage.policy.decision.decisions import unsettled


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseService:
    """Called by `triage replay`, `approve`, `reject` and the demo's board. All methods raise `StoreDown`."""

    jobs: Jobs
    archive: Archive
    decisions: Decisions
    lease_seconds: float = 60.0

    async def replay(self, case: str) -> str:
        """Queue the case to be decided again from its raw mail; effects already written are not repeated."""
        lease = await self.jobs.claim(case_id(case), "desk", self.lease_seconds)
        leased = self.jobs.open(lease)
        old, runs = await leased.cases.load(), (await self.archive.report(lease.case)).runs
        run = max([old.run, *(line.run for line in runs)]) + 1
        fresh = Case(
            id=old.id,
            source=old.source,
            received_at=old.received_at,
            verdict=old.verdict,
            stub=old.stub,
            run=run,
            collects=old.collects,
        )
        await leased.cases.save(
            fresh, StepDone(name="replay", ms=0.0, note=f"decide again; it was {old.outcome or 'open'}")
        )
        await self.jobs.postpone(lease, 0.0, "", counted=False)
        return old.id

    async def approve(self, approval: int, by: str) -> Approval:
        """Accept a parked call; the next worker runs it exactly as it was shown. Raises `ApprovalClosed`."""
        return await self.decisions.decide(approval, ApprovalState.ACCEPTED, by)

    async def reject(self, approval: int, by: str) -> Approval:
        """Reject a parked call. Raises `ApprovalClosed`."""
        return await self.decisions.decide(approval, ApprovalState.REJECTED, by)

    async def superseded(self, by: int) -> tuple[Approval, ...]:
        """Return the approvals that this one supersedes."""
        return await self.decisions.superseded(by)

    async def settled(self, case: str) -> bool:
        """Tell whether every decision of a person about the case has been carried out."""
        report = await self.archive.report(case)
        return not unsettled(report.case.result, report.approvals)

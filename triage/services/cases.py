"""What people do with cases: list, show, replay."""

from contextlib import suppress
from dataclasses import dataclass

from triage.domain.cases import Approval, ApprovalState, Case, StepDone, case_id
from triage.domain.errors import LeaseLost, Refused
from triage.domain.ports import Archive, Decisions, Jobs
from triage.pipeline.tables import reopened
from triage.policy.decision.proposals import state_of


@dataclass(eq=False)
class NothingParked(Refused):
    """No such approval waits: `triage approve` without a number lists what does."""

    approval: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseService:
    """The desk where people ask about cases."""

    jobs: Jobs
    archive: Archive
    decisions: Decisions
    lease_seconds: float = 60.0

    async def replay(self, case: str) -> str:
        """Decide anew from the raw mail, at the next worker; what was written stands and is not written again."""
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
        """Have done what was parked, exactly as it was shown, by the next worker. A crash writes nothing twice."""
        return await self._decide(approval, ApprovalState.ACCEPTED, by)

    async def reject(self, approval: int, by: str) -> Approval:
        """Leave it undone."""
        return await self._decide(approval, ApprovalState.REJECTED, by)

    async def superseded(self, by: int) -> tuple[Approval, ...]:
        """Approvals that have given way to this one."""
        return await self.decisions.superseded(by)

    async def _decide(self, number: int, state: ApprovalState, by: str) -> Approval:
        """The word on record and the case on its way to its end again. Raises `LeaseLost` while a worker has it.

        The case comes first: one that is on its way and has nothing decided only waits again.
        """
        waiting = next((approval for approval in await self.archive.approvals() if approval.id == number), None)
        if waiting is None:
            raise NothingParked(number)
        lease = await self.jobs.claim(waiting.case, "desk", self.lease_seconds)
        leased = self.jobs.open(lease)
        try:
            note = f"{by} {state} {waiting.tool} {waiting.arguments}"
            await leased.cases.save(reopened(await leased.cases.load()), StepDone(name="decision", ms=0.0, note=note))
            decided = await self.decisions.decide(number, state, by)
        finally:
            await self.jobs.postpone(lease, 0.0, "", counted=False)
        for older in await self.decisions.superseded(number):
            await self._release(older)
        return decided

    async def _release(self, superseded: Approval) -> None:
        """The word that this one's case waited for is given: the case goes on to its end."""
        with suppress(LeaseLost):  # whoever has it sees for himself
            lease = await self.jobs.claim(superseded.case, "desk", self.lease_seconds)
            leased, note = self.jobs.open(lease), state_of(superseded)
            await leased.cases.save(reopened(await leased.cases.load()), StepDone(name="decision", ms=0.0, note=note))
            await self.jobs.postpone(lease, 0.0, "", counted=False)

"""What people do with cases: replay them, decide what was parked."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from triage.agent.run import accepted, run_of
from triage.agent.services import Services
from triage.domain.cases import Approval, ApprovalState, Case, Outcome, Review, StepDone, case_id
from triage.domain.errors import Refused
from triage.domain.ports import Book, Store
from triage.policy.review import outcome_of


@dataclass(eq=False)
class NothingParked(Refused):
    """No such approval waits: `triage approve` without a number lists what does."""

    approval: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseDesk:
    """The desk where people ask about cases."""

    store: Store
    services: Callable[[Book], Services]
    lease_seconds: float = 60.0

    async def replay(self, case: str) -> str:
        """Decide anew from the raw mail, at the next worker; what was written stands and is not written again."""
        lease = await self.store.claim(case_id(case), "desk", self.lease_seconds)
        book = self.store.book(lease)
        old, runs = await book.load(), (await self.store.report(lease.case)).runs
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
        await book.save(fresh, StepDone(name="replay", ms=0.0, note=f"decide again; it was {old.outcome or 'open'}"))
        await self.store.postpone(lease, 0.0, "", counted=False)
        return old.id

    async def approve(self, approval: int, by: str) -> Case:
        """Do what was parked, exactly as it was shown. A second try after a crash writes nothing twice."""
        return await self._decide(approval, ApprovalState.ACCEPTED, by)

    async def reject(self, approval: int, by: str) -> Case:
        """Leave it undone."""
        return await self._decide(approval, ApprovalState.REJECTED, by)

    async def _decide(self, number: int, state: ApprovalState, by: str) -> Case:
        waiting = {approval.id: approval for approval in await self.store.approvals()}
        if number not in waiting:
            raise NothingParked(number)
        lease = await self.store.claim(waiting[number].case, "desk", self.lease_seconds)
        book = self.store.book(lease)
        try:
            if state is ApprovalState.ACCEPTED:
                await accepted(await run_of(await book.load(), self.services(book)), waiting[number])
            decided = await self.store.decide(number, state, by)
            return await self._settled(book, decided)
        finally:
            await self.store.finish(lease)

    async def _settled(self, book: Book, decided: Approval) -> Case:
        """The case with what the decision makes of it."""
        case = await book.load()
        if case.outcome is Outcome.WAITING and not [a for a in await self.store.approvals() if a.case == case.id]:
            ended = outcome_of(case, Review(unattended=True), await book.effects())
            outcome = Outcome.IGNORED if ended.outcome is Outcome.WAITING else ended.outcome
            case = replace(ended, outcome=outcome, reason=f"{decided.reason}; {decided.by} {decided.state} it")
        note = f"{decided.by} {decided.state} {decided.tool} {decided.arguments}"
        await book.save(case, StepDone(name="approval", ms=0.0, note=note))
        return case

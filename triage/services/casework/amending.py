"""Corrects person, type and priority of a case's ticket: names are resolved once, shown as a change, and written by a worker."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from triage.domain.approvals import AMEND, Approval, Approver
from triage.domain.cases import case_id
from triage.domain.errors import ToolRefused
from triage.domain.operations.errors import NothingToAmend
from triage.domain.ports import Archive, TrackerView
from triage.policy.approvals.amendment import Amendment, WantedChange, amendments, order_of
from triage.policy.decision.resolution import Live, choices_of
from triage.policy.decision.run_record import answered
from triage.services.approvals import ApprovalService


@dataclass(frozen=True, slots=True, kw_only=True)
class AmendPlan:
    """The changes of a ticket, before a person confirms them."""

    case: str
    ticket: str
    changes: tuple[Amendment, ...]
    order: str
    """The arguments that `order` stores: the names as resolved, and the values that the person sees."""

    @property
    def hash(self) -> str:
        """SHA-256 of what is shown, so that a person confirms exactly this."""
        return hashlib.sha256(self.order.encode(errors="replace")).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """The names that there are, for a form."""

    people: tuple[str, ...]
    issue_types: tuple[str, ...]
    priorities: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AmendService:
    """Called by `triage correct`, the page of a case and the API. All methods raise `StoreDown`, `CaseNotFound`, and what the tracker raises."""

    archive: Archive
    approvals: ApprovalService
    tracker: Callable[[str], TrackerView]
    """Returns a view of a project by its key."""

    async def choices(self, case: str) -> Choices:
        """Return what may be chosen for a case's ticket."""
        report = await self.archive.report(case_id(case))
        project = await self.tracker(report.case.project).metadata.project()
        people, types, priorities = (choices_of(one, project) for one in (Live.PERSON, Live.ISSUE_TYPE, Live.PRIORITY))
        return Choices(people=people, issue_types=types, priorities=priorities)

    async def plan(self, case: str, wanted: WantedChange) -> AmendPlan:
        """Return what would change; nothing is written. Raises `NothingToAmend`, `ToolRefused`."""
        report = await self.archive.report(case_id(case))
        key = report.case.ticket
        if report.case.result is None or report.case.outcome is None or not key:
            raise NothingToAmend(report.case.id)
        if wanted.empty:
            raise ToolRefused("say who shall have it, what type it is, or how urgent: one of the three at least")
        tracker = self.tracker(report.case.project)
        changes = amendments(await tracker.tickets.get(key), wanted, await tracker.metadata.project())
        settled = answered(report.case.result)
        earlier = sum(one.tool == AMEND and one.id in settled for one in report.approvals)
        return AmendPlan(case=report.case.id, ticket=key, changes=changes, order=order_of(key, changes, earlier))

    async def order(self, plan: AmendPlan, who: Approver) -> Approval:
        """Record the order; a worker writes the fields that still have the value shown. Raises `NotAnApprover`."""
        wish = Approval(
            case=plan.case,
            tool=AMEND,
            arguments=plan.order,
            reason="a person corrects the ticket",
            ticket=plan.ticket,
            field=", ".join(change.field.value for change in plan.changes),
            was=", ".join(change.was for change in plan.changes),
            becomes=", ".join(change.becomes for change in plan.changes),
        )
        [ordered] = await self.approvals.order(who, wish)
        return ordered

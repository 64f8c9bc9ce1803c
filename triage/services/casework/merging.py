"""Merges a case's ticket into another one, and splits them again: shown first, then carried out by a worker."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from triage.domain.approvals import MERGE, PART, UNDO, Approval, ApprovalState, Approver
from triage.domain.cases import case_id
from triage.domain.effects import EffectState
from triage.domain.errors import ToolRefused
from triage.domain.findings import Disposition
from triage.domain.operations.errors import NothingToAmend, NothingToSplit
from triage.domain.ports import Archive, TrackerView
from triage.domain.reports import CaseFilter, Report
from triage.domain.tickets import Ticket
from triage.policy.decision.resolution import Live, resolve
from triage.policy.ticket.comments import merge_comments
from triage.services.approvals import ApprovalService
from triage.services.cases import CaseService
from triage.services.casework.parting import PartLine, PartPlan, chosen, order_of, part_lines
from triage.services.casework.parts import parts_of
from triage.toolsets.tickets.undo import UNDOABLE

SHOWN: Final = 50
"""Cases of the ticket that a preview counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MergePlan:
    """What a merge would do."""

    case: str
    gone: Ticket
    stays: Ticket
    cases: int
    """Mails of the ticket that goes; later ones of their threads go to the other. `SHOWN` at most."""
    there: str
    """The comment on the ticket that stays."""
    here: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeService:
    """Called by `triage merge` and `split`, the page of a case and the API. Raises `StoreDown`, `CaseNotFound`, and what the tracker raises."""

    archive: Archive
    approvals: ApprovalService
    cases: CaseService
    tracker: Callable[[str], TrackerView]
    language: str
    """The team's: of headings in tickets."""

    async def plan(self, case: str, into: str, who: Approver) -> MergePlan:
        """Return what would be written; nothing is. Raises `NothingToAmend`, `ToolRefused`, `TicketGone`."""
        report = await self.archive.report(case_id(case))
        key, tracker = report.case.ticket, self.tracker(report.case.project)
        if report.case.result is None or report.case.outcome is None or not key:
            raise NothingToAmend(report.case.id)
        stays = resolve(Live.TICKET, into, await tracker.metadata.project())
        if why := _refusal(report, key, stays):
            raise ToolRefused(why)
        gone, there = await tracker.tickets.get(key), await tracker.tickets.get(stays)
        if there.key == gone.key:
            raise ToolRefused(f"{into} is {gone.key} itself: name the ticket that it duplicates")
        comments = merge_comments(gone, there.key, (await self.approvals.approver(who)).identity)
        lines = await self.archive.cases(SHOWN, where=CaseFilter(ticket=key))
        return MergePlan(
            case=report.case.id, gone=gone, stays=there, cases=len(lines), there=comments[0], here=comments[1]
        )

    async def merge(self, plan: MergePlan, who: Approver) -> Approval:
        """Record it; from now on mails of the one go to the other, and a worker writes. Raises `NotAnApprover`."""
        wish = Approval(
            case=plan.case,
            tool=MERGE,
            arguments=json.dumps({"into": plan.stays.key, "ticket": plan.gone.key}, separators=(",", ":")),
            reason="a person merges two tickets",
            ticket=plan.gone.key,
            field="merged into",
            becomes=plan.stays.key,
        )
        [ordered] = await self.approvals.order(who, wish)
        return ordered

    async def split(self, case: str, who: Approver) -> str:
        """Give a case its own ticket again; return what happens, as a sentence. Raises `NothingToSplit`, `NotAnApprover`.

        A merge of its ticket is taken back; a mail that joined another one's ticket gets a new one.
        """
        report = await self.archive.report(case_id(case))
        if merge := standing_merge(report):
            keys = [
                one.key for one in report.effects if one.state is EffectState.DONE and _of(merge, one.key, one.kind)
            ]
            back = json.dumps({"effects": keys, "letters": [], "merge": merge.id}, separators=(",", ":"))
            wish = Approval(case=report.case.id, tool=UNDO, arguments=back, reason="a merge is taken back")
            await self.approvals.order(who, wish)
            return f"{merge.ticket} and {merge.becomes} are taken apart."
        by = (await self.approvals.approver(who)).identity
        joined = joined_ticket(report)
        if not joined:
            raise NothingToSplit(report.case.id)
        await self.cases.correct(report.case.id, Disposition.WORK, by, apart=joined)
        return f"It gets a ticket of its own, apart from {joined}."

    async def parts(self, case: str) -> tuple[PartLine, ...]:
        """Return the parts of the checklist in a case's ticket; empty if it holds one matter."""
        report = await self.archive.report(case_id(case))
        if report.case.result is None or not report.case.ticket:
            return ()
        project = await self.tracker(report.case.project).metadata.project()
        return part_lines(report, parts_of(report.case, project, self.language))

    async def plan_parts(self, case: str, numbers: Iterable[int]) -> PartPlan:
        """Return the tickets that would be created; nothing is. Raises `NothingToAmend`, `ToolRefused`, `TicketGone`."""
        report = await self.archive.report(case_id(case))
        key, tracker = report.case.ticket, self.tracker(report.case.project)
        if report.case.result is None or report.case.outcome is None or not key:
            raise NothingToAmend(report.case.id)
        if standing := standing_merge(report):
            raise ToolRefused(f"{key} is merged into {standing.becomes}: triage split {report.case.id} first")
        parts = parts_of(report.case, await tracker.metadata.project(), self.language)
        first = await tracker.tickets.get(key)
        taken = chosen(report, first, parts, numbers)
        orders = tuple(order_of(one, report) for one in taken)
        return PartPlan(case=report.case.id, ticket=first, parts=taken, orders=orders)

    async def part(self, plan: PartPlan, who: Approver) -> tuple[Approval, ...]:
        """Record an order for each part; a worker creates the ticket, links it and comments. Raises `NotAnApprover`."""
        return await self.approvals.order(who, *(_order(plan, place) for place in range(len(plan.parts))))


def _order(plan: PartPlan, place: int) -> Approval:
    return Approval(
        case=plan.case,
        tool=PART,
        arguments=plan.orders[place],
        reason="a person gives a part a ticket of its own",
        ticket=plan.ticket.key,
        field="part",
        becomes=plan.parts[place].title,
    )


def standing_merge(report: Report) -> Approval | None:
    """Return the merge of a case that is in force."""
    merges = [one for one in report.approvals if one.tool == MERGE and one.state is ApprovalState.ACCEPTED]
    return merges[-1] if merges else None


def joined_ticket(report: Report) -> str:
    """Return the ticket that a mail was put to; empty if the mail made it."""
    made = {one.result for one in report.effects if one.kind == "create"}
    ticket = report.case.ticket or ""
    return "" if ticket in made else ticket


def _refusal(report: Report, key: str, stays: str) -> str:
    """Return why these two cannot be merged now; empty if they can."""
    if standing := standing_merge(report):
        return f"{key} is merged into {standing.becomes} already: triage split {report.case.id} first"
    if any(one.tool == MERGE and one.becomes == stays for one in report.approvals):
        return f"{key} was merged into {stays} before and taken apart: link them in Jira"
    return ""


def _of(merge: Approval, key: str, kind: str) -> bool:
    """Tell whether an effect belongs to a merge."""
    mine = key.endswith((f":approval-{merge.id}", f"{merge.ticket}:duplicates:{merge.becomes}"))
    return mine and kind in UNDOABLE

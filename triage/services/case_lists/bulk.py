"""Acts on several cases at once: a preview of each first, then case by case."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from enum import StrEnum
from typing import Final

from triage.domain.approvals import Approval, ApprovalState, Approver
from triage.domain.cases import case_id
from triage.domain.effects import EffectState
from triage.domain.errors import ApprovalClosed, NotAnApprover, TriageError
from triage.domain.findings import Candidate, Disposition
from triage.domain.letters import LetterState
from triage.domain.operations.case_lists import SearchInvalid
from triage.domain.operations.forgetting import keeps_mail
from triage.domain.reports import Report
from triage.policy.approvals.approvers import wrote_it
from triage.policy.case_lists.query import ticket_named
from triage.policy.decision.proposals import change_of
from triage.services.approvals import ApprovalService
from triage.services.case_lists.inbox import InboxService
from triage.services.case_reports import CaseReports
from triage.services.cases import CaseService
from triage.toolsets.tickets.undo import UNDOABLE

MOST: Final = 100
"""Cases at once."""
SHOWN: Final = 300
"""Characters of a proposed change in the preview."""

TAKEN_BACK: Final = {
    "create": "{} is closed as withdrawn",
    "comment": "The comment on {} is replaced by a line that says so",
    "link": "The link of {} is removed",
    "change": "The change of {} is set back",
    "transition": "The move of {} is set back",
}
"""What becomes of an effect that is undone, by its kind; the ticket stands at the place."""


class Wish(StrEnum):
    """What can be done with several cases at once."""

    ACCEPT = "accept"
    DECLINE = "decline"
    DUPLICATE = "duplicate"
    CORRECT = "correct"
    SNOOZE = "snooze"
    WAKE = "wake"
    UNDO = "undo"


DECIDING: Final = frozenset({Wish.ACCEPT, Wish.DECLINE, Wish.UNDO})
"""Wishes that the rules of approvers allow or not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkOrder:
    """What a person orders for several cases, with its details."""

    wish: Wish
    who: Approver
    zone: tzinfo
    value: str = ""
    """Disposition (or `ignore`), ticket, or until when."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkPlan:
    """What would happen to one case."""

    case: str
    subject: str = ""
    will: tuple[str, ...] = ()
    """A sentence each."""
    cannot: str = ""
    """Why nothing can be done; empty: it can."""
    shown: tuple[str, ...] = ()
    """`3:hash` of each approval that the person sees: a decision is about nothing else."""
    candidates: tuple[Candidate, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """The result of the order for one case."""

    case: str
    subject: str = ""
    result: str = ""
    failed: str = ""
    """Why nothing has happened; empty: it has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkService:
    """Decides about several cases at once, through the same services as for a single one; called by the console."""

    reports: CaseReports
    cases: CaseService
    approvals: ApprovalService | None
    """None: Jira is not set, so that nothing can be decided."""
    inbox: InboxService

    async def preview(self, wish: Wish, cases: Sequence[str], who: Approver) -> tuple[BulkPlan, ...]:
        """Return what would happen to each case; those that cannot be done say why. Raises `StoreDown`, `SearchInvalid`."""
        if not 0 < len(cases) <= MOST:
            raise SearchInvalid("cases", f"select between one and {MOST}")
        try:
            who = await self.approvals.approver(who) if self.approvals and wish in DECIDING else who
        except NotAnApprover as e:
            return tuple(BulkPlan(case=f"case-{name}", cannot=str(e)) for name in dict.fromkeys(cases))
        return tuple([await self._plan(wish, name, who) for name in dict.fromkeys(cases)])

    async def carry_out(self, order: BulkOrder, cases: Sequence[str], shown: Sequence[str]) -> tuple[Done, ...]:
        """Carry out the order case by case; a failure does not stop the others."""
        names = dict.fromkeys(map(case_id, cases[:MOST]))
        return tuple([await self._named(await self._done(order, name, shown)) for name in names])

    async def _plan(self, wish: Wish, name: str, who: Approver) -> BulkPlan:
        try:
            report = await self.reports.report(name)
        except TriageError as e:
            return BulkPlan(case=name, cannot=str(e))
        subject = report.case.message.subject if report.case.message else ""
        return replace(self._planned(wish, report, who), subject=subject)

    def _planned(self, wish: Wish, report: Report, who: Approver) -> BulkPlan:
        case = report.case
        match wish:
            case Wish.ACCEPT | Wish.DECLINE:
                return self._of_approvals(wish, report, who)
            case Wish.DUPLICATE | Wish.CORRECT if not keeps_mail(case):
                return BulkPlan(case=case.id, cannot="its mail is not kept any more")
            case Wish.DUPLICATE | Wish.CORRECT if case.message is None:
                return BulkPlan(case=case.id, cannot="it has not been read yet")
            case Wish.DUPLICATE | Wish.CORRECT:
                return _decided_again(report)
            case Wish.UNDO:
                return self._of_undo(report)
            case _:
                return BulkPlan(case=case.id, will=(f"Now: {report.state}",))

    def _of_approvals(self, wish: Wish, report: Report, who: Approver) -> BulkPlan:
        waiting = [one for one in report.approvals if one.state is ApprovalState.OPEN]
        if self.approvals is None:
            return BulkPlan(case=report.case.id, cannot="this service knows no Jira: set JIRA_BASE_URL and its token")
        if not waiting:
            return BulkPlan(case=report.case.id, cannot=f"nothing of it waits for a yes or no; it is {report.state}")
        if any(wrote_it(who, one) for one in waiting):
            return BulkPlan(case=report.case.id, cannot="it is about a mail of yours: let somebody else decide")
        verb = "" if wish is Wish.ACCEPT else "Not done: "
        return BulkPlan(
            case=report.case.id,
            will=tuple(f"{verb}{change_of(one, SHOWN)}" for one in waiting),
            shown=tuple(f"{one.id}:{one.hash}" for one in waiting),
        )

    def _of_undo(self, report: Report) -> BulkPlan:
        if self.approvals is None:
            return BulkPlan(case=report.case.id, cannot="this service knows no Jira: set JIRA_BASE_URL and its token")
        done = [one for one in report.effects if one.state is EffectState.DONE and one.kind in UNDOABLE]
        letters = [one for one in report.letters if one.state is LetterState.WAITING]
        will = (
            *(
                f"{TAKEN_BACK[one.kind].format(one.target or one.result)}, unless somebody has built on it"
                for one in done
            ),
            *(f"The letter to {', '.join(map(str, one.to))} is not sent" for one in letters),
        )
        return BulkPlan(
            case=report.case.id, will=will, cannot="" if will else "it has written nothing that can be taken back"
        )

    async def _done(self, order: BulkOrder, case: str, shown: Sequence[str]) -> Done:
        try:
            return Done(case=case, result=await self._do(order, case, shown))
        except ApprovalClosed as e:
            return Done(case=case, failed=f"{e.by or 'somebody'} has decided it already: {e.state or 'it is gone'}")
        except TriageError as e:
            return Done(case=case, failed=e.sentence().rstrip("."))

    async def _named(self, done: Done) -> Done:
        """Add the subject of its mail, by which a person knows the case again."""
        try:
            message = (await self.reports.report(done.case)).case.message
        except TriageError:
            return done
        return replace(done, subject=message.subject if message else "")

    async def _do(self, order: BulkOrder, case: str, shown: Sequence[str]) -> str:
        match order.wish:
            case Wish.ACCEPT | Wish.DECLINE:
                return await self._decided(order, case, shown)
            case Wish.DUPLICATE:
                return await self._corrected(case, Disposition.ADDITION, order, _key_in(order.value))
            case Wish.CORRECT:
                return await self._corrected(case, _disposition(order.value), order)
            case Wish.SNOOZE:
                until = await self.inbox.snooze(case, order.value, order.zone, order.who.identity)
                return f"snoozed until {until.astimezone(order.zone):%a %d %b, %H:%M}"
            case Wish.WAKE:
                await self.inbox.wake(case, order.who.identity)
                return "no longer snoozed"
            case Wish.UNDO:
                await self._service().undo(case, order.who)
                return "what it has written is taken back; its page says what stays"

    async def _decided(self, order: BulkOrder, case: str, shown: Sequence[str]) -> str:
        """Decide the approvals that were shown of this case; the services refuse what has changed since."""
        service, done = self._service(), list[str]()
        for number, seen in (one.split(":", 1) for one in shown):
            if (await service.get(int(number))).case != case:
                continue
            decide = service.accept if order.wish is Wish.ACCEPT else service.ignore
            done.append(_approval_text(await decide(int(number), order.who, shown=seen)))
        if not done:
            raise SearchInvalid("approvals", "nothing of it was shown to you: look at the preview again")
        return "; ".join(done)

    async def _corrected(self, case: str, wanted: Disposition | None, order: BulkOrder, ticket: str = "") -> str:
        corrected = await self.cases.correct(case, wanted, order.who.identity, ticket)
        return f"decided again as part of {ticket}" if ticket else f"decided again as {corrected.disposition}"

    def _service(self) -> ApprovalService:
        if self.approvals is None:
            raise SearchInvalid("Jira", "this service knows none: set JIRA_BASE_URL and its token")
        return self.approvals


def _disposition(value: str) -> Disposition | None:
    """Return the disposition, None for `ignore`. Raises `SearchInvalid`."""
    if value == "ignore":
        return None
    try:
        return Disposition(value)
    except ValueError:
        raise SearchInvalid("what it is", f"choose one; {value or 'nothing'} is none") from None


def _approval_text(approval: Approval) -> str:
    if approval.state is ApprovalState.OPEN:
        return "accepted by you; one more person has to"
    return "accepted" if approval.state is ApprovalState.ACCEPTED else "declined, it stays undone"


def _decided_again(report: Report) -> BulkPlan:
    case, found = report.case, report.case.classification.disposition
    was = f"{found.disposition if found else 'unknown'}, {report.state}"
    will = f"Decided again by what you choose. Now: {was}" + (f" ({case.ticket})" if case.ticket else "")
    others = tuple(one for one in case.retrieval.candidates if one.ticket.key != case.ticket)
    return BulkPlan(case=case.id, will=(will,), candidates=others)


def _key_in(text: str) -> str:
    if not (key := ticket_named(text)):
        raise SearchInvalid("ticket", "write its key, such as HARB-27")
    return key

"""Records what people decide about parked calls: the single service for console, API, commands, mail and Jira. A worker carries it out."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from loguru import logger

from triage.config.autonomy.approvals import ApprovalRules
from triage.config.autonomy.table import LETTER
from triage.domain.approvals import UNDO, AnswerDetails, Approval, ApprovalState, Approver, Pause
from triage.domain.cases import Case, case_id
from triage.domain.conversation import Json
from triage.domain.effects import EffectState
from triage.domain.errors import ApprovalClosed, NotAnApprover, OwnMail, Permanent, ReworkSpent, ToolRefused, Transient
from triage.domain.letters import LetterState
from triage.domain.operations.errors import NothingToUndo
from triage.domain.ports import Archive, Decisions, DeedLog, KillSwitch, LetterStore, Notifier
from triage.domain.tickets import Ticket
from triage.policy.approvals.approvers import may_decide, wrote_it
from triage.policy.approvals.edit_form import EditField
from triage.policy.letters.recipients import COPY_TO, Recipients
from triage.toolsets.tickets.undo import UNDOABLE

Edit = Callable[[Case, Approval, Mapping[str, Json]], Awaitable[str]]
"""Returns the canonical arguments with a person's changes. Raises `ToolRefused`."""
Known = Callable[[Approver], Awaitable[Approver]]
"""Completes a person's address from the tracker's people, so that console, API, mail and chat know the same person."""

Fields = Callable[[Approval], Awaitable[tuple[EditField, ...]]]
"""Returns what a person may change in a proposal. Raises what the tracker's metadata raise."""


async def _as_he_is(who: Approver) -> Approver:
    return who


async def _nobody() -> frozenset[str]:
    return frozenset()


async def _nothing(_: Approval) -> tuple[EditField, ...]:
    return ()


async def _no_tickets(_: Sequence[str]) -> tuple[Ticket, ...]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A parked call with all that a person wants to see before he decides."""

    approval: Approval
    case: Case
    fields: tuple[EditField, ...]
    """What he may change; empty where that is not known now, see `trouble`."""
    recipients: Recipients | None
    """Who gets it; None: it is no letter."""
    eyes: int
    """Number of people who must accept."""
    own: bool
    """It comes from the person's own mail, so that another person must decide."""
    trouble: str = ""
    """Why nothing can be changed now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalService:
    """Called by commands, API, Jira comments, mail links and chat. All methods raise `StoreDown`.

    Those that decide raise `ApprovalClosed`, `NotAnApprover`, `OwnMail` and `Moved`; `shown` is the `Approval.hash` of what
    the person saw.
    """

    archive: Archive
    decisions: Decisions
    kill_switch: KillSwitch
    deeds: DeedLog
    letters: LetterStore
    notifier: Notifier
    edit_arguments: Edit
    rules: Callable[[], ApprovalRules] = ApprovalRules
    """Returns the rules as they are now."""
    members: Callable[[], Awaitable[frozenset[str]]] = _nobody
    """Returns addresses and accounts of the groups and roles in the rules."""
    known: Known = _as_he_is
    fields: Fields = _nothing
    tickets: Callable[[Sequence[str]], Awaitable[tuple[Ticket, ...]]] = _no_tickets
    """Returns the stored tickets of these keys; unknown keys are left out. Raises `StoreDown`."""
    addressed: Callable[[Case, str], Recipients] = lambda *_: Recipients()
    """Returns the recipients of a letter about a case, with an address that a person adds. Raises `ToolRefused` if it may not be added."""

    async def get(self, number: int) -> Approval:
        """Return an approval in any state. Raises `ApprovalClosed` if there is none."""
        return await self.archive.approval(number)

    async def proposal(self, number: int, who: Approver) -> Proposal:
        """Return an approval in any state, as this person sees it. Raises `ApprovalClosed` if there is none."""
        found = await self.archive.approval(number)
        case, (fields, trouble) = await self.case_of(found), await self._fields(found)
        return Proposal(
            approval=found,
            case=case,
            fields=fields,
            recipients=self.recipients(found, case),
            eyes=self.rules().eyes(found.effect),
            own=wrote_it(who, found),
            trouble=trouble,
        )

    async def summaries(self, *waiting: Approval) -> Mapping[str, str]:
        """Return what the tickets of these calls are called, by key, as they were read last."""
        keys = tuple(dict.fromkeys(one.ticket for one in waiting if one.ticket))
        return {ticket.key: ticket.summary for ticket in await self.tickets(keys)} if keys else {}

    async def case_of(self, found: Approval) -> Case:
        """Return the case whose mail asks for it."""
        return (await self.archive.report(found.case)).case

    def recipients(self, found: Approval, case: Case) -> Recipients | None:
        """Return who would get it, or why nobody would; None if it is no letter."""
        try:
            return self._addressed(found, case)
        except ToolRefused as e:
            return Recipients(why=str(e))

    def _addressed(self, found: Approval, case: Case) -> Recipients | None:
        """Return the same. Raises `ToolRefused` if a person adds somebody who may get no letter."""
        if found.effect != LETTER or not case.message:
            return None
        return self.addressed(case, json.loads(found.exact).get(COPY_TO) or "")

    async def _fields(self, found: Approval) -> tuple[tuple[EditField, ...], str]:
        """Return what may be edited, or why nothing can be; if the tracker is down, the proposal can still be read."""
        if found.state is not ApprovalState.OPEN:
            return (), ""
        try:
            return await self.fields(found), ""
        except (Transient, Permanent) as e:
            return (), str(e)

    async def accept(self, number: int, who: Approver, *, shown: str = "") -> Approval:
        """Accept exactly what waits. It stays open where four eyes are configured and this is the first person."""
        found, who = await self._admitted(number, who)
        details = AnswerDetails(shown=shown or found.hash, eyes=self.rules().eyes(found.effect))
        return await self._decided(found, ApprovalState.ACCEPTED, who, details)

    async def edit(self, number: int, changes: Mapping[str, Json], who: Approver, *, shown: str = "") -> Approval:
        """Accept it with other arguments, judged by the same rules; the original is kept. Raises `ToolRefused`."""
        found, who = await self._admitted(number, who)
        case = await self.case_of(found)
        edited = await self.edit_arguments(case, found, changes)
        self._addressed(replace(found, edited=edited), case)
        details = AnswerDetails(shown=shown or found.hash, eyes=self.rules().eyes(found.effect), edited=edited)
        return await self._decided(found, ApprovalState.ACCEPTED, who, details)

    async def respond(self, number: int, instruction: str, who: Approver, *, shown: str = "") -> Approval:
        """Let the agent go on with this instruction instead. Raises `ReworkSpent`."""
        found, who = await self._admitted(number, who)
        if found.rework >= self.rules().rework:
            raise ReworkSpent(number)
        details = AnswerDetails(shown=shown or found.hash, instruction=instruction.strip())
        return await self._decided(found, ApprovalState.ANSWERED, who, details)

    async def ignore(self, number: int, who: Approver, *, shown: str = "") -> Approval:
        """Leave it undone; the case ends visibly."""
        found, who = await self._admitted(number, who)
        return await self._decided(found, ApprovalState.REJECTED, who, AnswerDetails(shown=shown or found.hash))

    async def pause(self, who: Approver, why: str = "") -> Pause:
        """Stop all writing to other systems until `resume`; mail is still accepted and read."""
        by = (await self._known(who)).identity
        pause = await self.kill_switch.pause(by, why)
        await self.deeds.record("writing_paused", by, why)
        return pause

    async def resume(self, who: Approver) -> Pause | None:
        """Resume writing; return the pause that this ended, None if there was none."""
        by = (await self._known(who)).identity
        ended = await self.kill_switch.resume()
        if ended:
            await self.deeds.record("writing_resumed", by, f"paused by {ended.by}")
        return ended

    async def approver(self, who: Approver) -> Approver:
        """Return the person with all that is known of him. Raises `NotAnApprover` unless he may decide at all."""
        return await self._known(who)

    async def order(self, who: Approver, *wishes: Approval) -> tuple[Approval, ...]:
        """Record what a person wants unasked, as accepted; a worker does it, each once. Raises `NotAnApprover`."""
        by = (await self._known(who)).identity
        return tuple([await self._ordered(one, by) for one in wishes])

    async def _ordered(self, wish: Approval, by: str) -> Approval:
        ordered = await self.decisions.order(replace(wish, state=ApprovalState.ACCEPTED, by=by))
        await self.notifier.notify(wish.case)
        return ordered

    async def undo(self, case: str, who: Approver, *, on: str = "") -> Approval:
        """Order the undo of a case's effects that people have not built on; the worker reports what is kept. Raises `NothingToUndo`, `CaseNotFound`.

        With `on` only what it wrote to this ticket. Letters that wait in their window are cancelled at once.
        """
        who = await self._known(who)
        report = await self.archive.report(case_id(case))
        name = report.case.id
        taken = await self._letters_back(name, who)
        done = [one for one in report.effects if one.state is EffectState.DONE and one.kind in UNDOABLE]
        wanted = [one.key for one in done if on in {"", one.target or one.result}]
        if not wanted and not taken:
            raise NothingToUndo(name)
        arguments = json.dumps({"effects": wanted, "letters": taken}, separators=(",", ":"))
        wish = Approval(case=name, tool=UNDO, arguments=arguments, reason="what was written is taken back")
        return await self._ordered(wish, who.identity)

    async def _letters_back(self, case: str, who: Approver) -> tuple[int, ...]:
        """Cancel the letters of a case that wait; return their numbers."""
        waiting = [one for one in await self.letters.letters(case=case) if one.state is LetterState.WAITING]
        return tuple([(await self.letters.cancel(one.id, who.identity)).id for one in waiting])

    async def expire(self) -> None:
        """Close what nobody has decided in time, each once, also if several processes do it."""
        for approval in await self.decisions.expire():
            logger.bind(approval=approval.id, case=approval.case).warning("approval.expired")

    async def superseded(self, by: int) -> tuple[Approval, ...]:
        return await self.decisions.superseded(by)

    async def _admitted(self, number: int, who: Approver) -> tuple[Approval, Approver]:
        """Return what waits, and the person with all that is known of him. Raises if he may not decide about it."""
        found, who = await self.archive.approval(number), await self._known(who)
        if found.state is not ApprovalState.OPEN:
            raise ApprovalClosed(number, found.state, found.by)
        if wrote_it(who, found):
            raise OwnMail(who.identity, number)
        return found, who

    async def _known(self, who: Approver) -> Approver:
        """Raise `NotAnApprover` unless the person may decide."""
        who = await self.known(who)
        if not may_decide(who, self.rules().approvers, await self.members()):
            raise NotAnApprover(who.identity)
        return who

    async def _decided(self, found: Approval, state: ApprovalState, who: Approver, details: AnswerDetails) -> Approval:
        decided = await self.decisions.decide(found.id, state, who.identity, details)
        if decided.state is not ApprovalState.OPEN:
            await self.notifier.notify(found.case)
        return decided


def with_address(who: Approver, address: str) -> Approver:
    """Return the person with this address, unless he has proven one."""
    return who if who.address else replace(who, address=address)

"""One run of an agent over one case: the tools with their wrappers on, and what tools may know."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Self

from triage.agent.loop import Loop
from triage.agent.profiles import Profile
from triage.agent.prompt import nonce_of, shown_in
from triage.agent.services import Services
from triage.agent.toolbox import Invocation, Invoke, canonical
from triage.agent.wrappers import Guard, JournalledModel, approving, dry, guarded, journalled, resolving
from triage.domain.cases import Approval, Case
from triage.domain.conversation import AgentResult, Json, Messages
from triage.domain.errors import TicketGone
from triage.domain.ports import Model
from triage.domain.tickets import Project
from triage.policy.decision.permission import Ask, RunHistory, Terms
from triage.policy.decision.proposals import held, worded
from triage.policy.decision.rights import MODIFY, sender_of
from triage.toolsets.tickets.effects import TicketWrites


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What a tool works with: its case, `at` for reading, `writes` for everything else."""

    case: Case
    project: Project
    writes: TicketWrites
    at: Services
    sequence: str = "1"
    """Which one of its kind the call at hand is: part of an effect's key."""

    def again(self, flag: str) -> Self:
        """The same case once more, with another way to decide: its answers are kept apart from the first one's."""
        return replace(self, case=replace(self.case, run=self.case.run + 1).flagged(flag))


async def run_of(case: Case, at: Services, writes: TicketWrites) -> Run:
    """The run of this case, with the live metadata of the project."""
    return Run(case=case, project=await at.metadata.project(), writes=writes, at=at)


async def agent_run(run: Run, profile: Profile, model: Model, opening: Messages) -> AgentResult:
    """The loop with everything around it. Comes back after a restart without asking or writing twice."""
    at, name = run.at, run.case.run_id
    tools = at.toolbox.granted(profile.tools)
    loop = Loop(
        JournalledModel(model, at.journal, name, at.clock),
        tools,
        _invoke(run, opening),
        at.rules.limits.of(profile.max_iterations, profile.max_tokens),
        at.clock,
        nonce_of(run.case, at.secret),
    )
    result = await loop.run(opening)
    await at.journal.keep_run(name, result)
    return result


def _invoke(run: Run, opening: Messages) -> Invoke:
    """The tool call with its wrappers; the guard stands outside the journal, since what that gives again counts, too."""
    guard = Guard(_terms(run), _so_far(run.case, opening))
    call: Invoke = partial(_call, run)
    if run.at.rules.dry_run:
        call = dry(call)
    call = approving(call, partial(_park, run))
    return resolving(guarded(journalled(call, run.at.journal, run.case.run_id), guard), run.project)


def _terms(run: Run) -> Terms:
    return Terms(
        budget=run.at.rules.budget,
        sender=sender_of(run.case, run.project, run.at.rules.domains),
        priorities=run.project.priorities,
        twin_from=run.at.rules.duplicate_threshold,
    )


def _so_far(case: Case, opening: Messages) -> RunHistory:
    """Before the first turn: what the model is shown of what `retrieve` has found, and no more."""
    proposed = frozenset(suggestion.person.id for suggestion in case.proposals)
    return RunHistory(searched=case.searched, shown=shown_in(opening), proposed=proposed)


async def _call(run: Run, invocation: Invocation) -> Json:
    return await invocation.tool.function(replace(run, sequence=invocation.sequence), **invocation.arguments)


async def _park(run: Run, ask: Ask, key: str) -> Approval:
    """One field of one ticket, with all that a person needs to decide about it."""
    return await run.at.approvals.park(
        Approval(
            case=run.case.id,
            tool=MODIFY,
            arguments=canonical({"ticket_key": key, ask.field: ask.value}),
            reason=ask.why,
            ticket=key,
            field=ask.field,
            was=await _held(run, ask.field, key),
            becomes=worded(ask.value),
            sender=str(run.case.mail.sender or ""),
            trust=run.case.trust.value,
        )
    )


async def _held(run: Run, field: str, key: str) -> str:
    """What the ticket has in this field now; nothing where it has none, or is not there."""
    if run.at.rules.dry_run or field in {"comment", "sprint"}:
        return ""
    try:
        return held(field, await run.at.tickets.get(key))
    except TicketGone:
        return ""


async def accepted(run: Run, approval: Approval) -> Json:
    """Run exactly what a person accepted: the stored bytes, not a new decision."""
    tool, place = run.at.toolbox[approval.tool], f"approval-{approval.id}"
    arguments = tool.recalled(approval.arguments, run.project)
    return await _call(run, Invocation(place=place, tool=tool, arguments=arguments, sequence=place))

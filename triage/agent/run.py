"""One run of an agent over one case: the tools with their wrappers on, and what tools may know."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Self

from triage.agent.loop import Loop
from triage.agent.profiles import Profile
from triage.agent.prompt import nonce_of
from triage.agent.services import Services
from triage.agent.toolbox import Invocation, Invoke
from triage.agent.wrappers import Guard, JournalledModel, approving, dry, guarded, journalled
from triage.agent.writing import Writing
from triage.domain.cases import Approval, Case
from triage.domain.conversation import AgentResult, Conversation, Json, ToolCall
from triage.domain.ports import Model, Tracker
from triage.domain.tickets import Project
from triage.policy.identity import fingerprint
from triage.policy.permission import SoFar, done_names


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What a tool works with: its case, the tracker for reading, `writing` for everything else."""

    case: Case
    project: Project
    tracker: Tracker
    writing: Writing
    at: Services
    ordinal: str = "1"
    """Which one of its kind the call at hand is: part of an effect's key."""

    def again(self, flag: str) -> Self:
        """The same case once more, with another way to decide: its answers are kept apart from the first one's."""
        return replace(self, case=replace(self.case, run=self.case.run + 1).flagged(flag))


async def run_of(case: Case, at: Services) -> Run:
    """The run of this case, with the live metadata of the project."""
    project = await at.tracker.project()
    writing = Writing(
        book=at.book,
        tracker=at.tracker,
        clock=at.clock,
        secret=at.secret,
        fingerprint=fingerprint(case.mail),
        project=project.key,
        settle_seconds=at.rules.settle_seconds,
    )
    return Run(case=case, project=project, tracker=at.tracker, writing=writing, at=at)


async def agent_run(run: Run, profile: Profile, model: Model, opening: Conversation) -> AgentResult:
    """The loop with everything around it. Comes back after a restart without asking or writing twice."""
    at, number = run.at, run.case.run
    tools = at.toolbox.granted(profile.tools)
    loop = Loop(
        JournalledModel(model, at.book, number, at.clock),
        tools,
        _invoke(run),
        at.rules.limits.of(profile.max_iterations, profile.max_tokens),
        at.clock,
        nonce_of(run.case, at.secret),
    )
    result = await loop.run(opening)
    await at.book.keep_run(number, result)
    return result


def _invoke(run: Run) -> Invoke:
    """The tool call with its wrappers, the guard outermost: it counts what the journal gives again, too."""
    guard = Guard(run.at.rules.budget, done_names(run.project.statuses), _so_far(run.case))
    call: Invoke = partial(_call, run)
    if run.at.rules.dry_run:
        call = dry(call)
    call = approving(call, guard, run.at.book)
    return guarded(journalled(call, run.at.book, run.case.run), guard)


def _so_far(case: Case) -> SoFar:
    """Before the first turn: what `retrieve` has found already."""
    keys = {candidate.ticket.key for candidate in case.candidates} | ({case.ticket} if case.ticket else set())
    return SoFar(searched=case.searched, seen=frozenset(keys))


async def _call(run: Run, invocation: Invocation) -> Json:
    return await invocation.tool.function(replace(run, ordinal=invocation.ordinal), **invocation.arguments)


async def accepted(run: Run, approval: Approval) -> Json:
    """Run exactly what a person accepted: the stored bytes, not a new decision."""
    call = ToolCall(id="approved", name=approval.tool, arguments=approval.arguments)
    invocation = run.at.toolbox.invocation(call, f"approval.{approval.id}")
    return await _call(run, replace(invocation, ordinal=f"approval-{approval.id}"))

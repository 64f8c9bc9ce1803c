"""One run of an agent: the loop over a profile's tools with their wrappers on, about whatever its scope says."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from triage.agent.loop import Limits, Loop
from triage.agent.profiles import Profile
from triage.agent.toolbox import Invocation, Invoke, Resolve, Tool, Toolbox
from triage.agent.wrappers import Guard, JournalledModel, Judge, Park, approving, dry, guarded, journalled, resolving
from triage.domain.conversation import AgentResult, Json, Messages
from triage.domain.ports import Clock, Journal, Model
from triage.policy.decision.permission import RunHistory


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What a run is about: a case, a question, a build or an MCP session; all that the agent asks of it."""

    run: str
    """The name of the run in the journal, such as `case-17/1`."""
    nonce: str
    """The name of the fence around tools' answers: the same after a restart, unknown to whoever wrote them."""
    context: Callable[[str], Any]
    """What tools work with, for the call of this sequence number."""
    resolve: Resolve
    """What the names in arguments stand for."""
    judge: Judge
    """Which calls may run."""
    history: RunHistory = field(default_factory=RunHistory)
    """What the opening has shown."""
    park: Park
    """Where the parts of calls go that wait for a person."""
    journal: Journal
    clock: Clock
    limits: Limits = field(default_factory=Limits)
    dry_run: bool = False
    """Nothing is written."""


async def run(scope: Scope, profile: Profile, tools: Toolbox, model: Model, opening: Messages) -> AgentResult:
    """The loop with everything around it. Comes back after a restart without asking or writing twice."""
    loop = Loop(
        JournalledModel(model, scope.journal, scope.run, scope.clock),
        tools.granted(profile.tools),
        invoke_of(scope),
        scope.limits.of(profile.max_iterations, profile.max_tokens),
        scope.clock,
        scope.nonce,
    )
    result = await loop.run(opening)
    await scope.journal.keep_run(scope.run, result)
    return result


def invoke_of(scope: Scope) -> Invoke:
    """The tool call with its wrappers; the guard stands outside the journal, since what that gives again counts, too."""
    call: Invoke = partial(_call, scope)
    if scope.dry_run:
        call = dry(call)
    call = approving(call, scope.park)
    guard = Guard(scope.judge, scope.history)
    return resolving(guarded(journalled(call, scope.journal, scope.run), guard), scope.resolve)


async def accepted(scope: Scope, tool: Tool, arguments: str, place: str) -> Json:
    """Run exactly what a person accepted: the stored bytes, not a new decision."""
    recalled = await tool.recalled(arguments, scope.resolve)
    return await _call(scope, Invocation(place=place, tool=tool, arguments=recalled, sequence=place))


async def _call(scope: Scope, invocation: Invocation) -> Json:
    return await invocation.tool.function(scope.context(invocation.sequence), **invocation.arguments)

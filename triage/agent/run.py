"""Runs an agent: builds the loop for a profile's tools, each call wrapped, from what a `Scope` provides."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Self

from triage.agent.loop import Limits, Loop
from triage.agent.profiles import Profile
from triage.agent.toolbox import Invocation, Invoke, Resolve, Tool, Toolbox
from triage.agent.wrappers import Guard, JournalledModel, Judge, Park, approving, dry, guarded, journalled, resolving
from triage.domain.conversation import AgentResult, Json, Messages, Turn
from triage.domain.ports import Clock, Journal, Model
from triage.policy.decision.permission import RunHistory


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """All that a run needs from its subject: a case, a question, a build of the memory, an MCP session."""

    run: str
    """Key of the run in the journal, such as `case-17/1`."""
    nonce: str
    """Suffix of the fences around tool results: stable over restarts, and not guessable by senders."""
    context: Callable[[Invocation], Any]
    """Returns the tools' first argument for a call that the guard has admitted."""
    resolve: Resolve
    """Resolves names in arguments."""
    judge: Judge
    """Decides about each call."""
    history: RunHistory = field(default_factory=RunHistory)
    """What the opening shows the model."""
    park: Park
    """Stores the parts of calls that wait for a person."""
    journal: Journal
    clock: Clock
    limits: Limits = field(default_factory=Limits)
    dry_run: bool = False
    """Tools that write only report what they would write."""


class NoJournal:
    """A `Journal` that keeps nothing, for runs that are never resumed."""

    async def opening(self, run: str) -> Messages | None:
        """Return None."""

    async def keep_opening(self, run: str, profile: str, conversation: Messages) -> None:
        """Keep nothing."""

    async def turn(self, run: str, number: int) -> Turn | None:
        """Return None."""

    async def keep_turn(self, run: str, number: int, turn: Turn, ms: float) -> None:
        """Keep nothing."""

    async def result(self, run: str, call: str) -> str | None:
        """Return None."""

    async def keep_result(self, run: str, call: str, tool: str, arguments: str, result: str) -> None:
        """Keep nothing."""

    async def keep_run(self, run: str, result: AgentResult) -> None:
        """Keep nothing."""

    def deferring(self) -> Self:
        """Return itself: nothing is committed."""
        return self


async def run(
    scope: Scope, profile: Profile, tools: Toolbox, model: Model, opening: Messages, later: Messages = ()
) -> AgentResult:
    """Run the agent. After a restart the journal replays answers and results; nothing is asked or written twice.

    `later` are the messages by which a run that had ended goes on, in order.
    """
    loop = Loop(
        JournalledModel(model, scope.journal, scope.run, scope.clock),
        profile.toolbox(tools),
        invoke_of(scope),
        scope.limits.of(
            profile.max_iterations, profile.max_tokens, profile.max_tokens_per_mail, profile.max_seconds_per_mail
        ),
        scope.clock,
        scope.nonce,
    )
    result = await loop.run(opening, later)
    await scope.journal.keep_run(scope.run, result)
    return result


def invoke_of(scope: Scope) -> Invoke:
    """Wrap the tool call. The guard is outside the journal, so that replayed results count toward budgets, too."""
    call = approving(dry(partial(_call, scope), always=scope.dry_run), scope.park)
    guard = Guard(scope.judge, scope.history)
    return resolving(guarded(journalled(call, scope.journal, scope.run), guard), scope.resolve)


async def accepted(scope: Scope, tool: Tool, arguments: str, place: str) -> Json:
    """Run the stored call that a person accepted, without asking the guard again."""
    recalled = await tool.recalled(arguments, scope.resolve)
    return await _call(scope, Invocation(place=place, tool=tool, arguments=recalled, sequence=place))


async def _call(scope: Scope, invocation: Invocation) -> Json:
    return await invocation.tool.function(scope.context(invocation), **invocation.arguments)

"""Wrappers around a tool call: name resolution, guard, journal, approval, dry run; each takes an `Invoke` and returns one.

Around a model: the journal, and patience while it is down.
"""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Protocol

from triage.agent.loop import dumped
from triage.agent.toolbox import Invocation, Invoke, Resolve
from triage.domain.conversation import Grant, Json, Messages, Role, ToolSpec, Turn
from triage.domain.errors import ModelDown, ToolRefused
from triage.domain.ports import Clock, Journal, Model
from triage.policy.decision.permission import WRITTEN, Ask, Decision, RunHistory, Verdict, recorded, sequence_of
from triage.policy.privacy.redaction import redacted, unredacted


class RedactingModel:
    """A `Model`; journal, guard and tools outside of it meet the values alone."""

    def __init__(self, model: Model, *, personal: bool) -> None:
        self._model = model
        self._personal = personal

    @property
    def name(self) -> str:
        return self._model.name

    async def complete(self, conversation: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        """Ask with placeholders; return the answer with values. Raises what the model raises."""
        shown, known = redacted(conversation, personal=self._personal)
        return unredacted(await self._model.complete(shown, tools, max_tokens), known)


class Parked(Protocol):
    """A parked part of a call."""

    @property
    def id(self) -> int:
        """Id of the approval."""

    @property
    def reason(self) -> str:
        """Why a person must decide."""


Judge = Callable[[Invocation, RunHistory], Awaitable[Verdict]]
"""Returns the policy's verdict on a call, given what the run has seen and done."""
Park = Callable[[Invocation, Ask, Json], Awaitable[Parked]]
"""Stores a part of a call for a person; the result of the rest may hold the new ticket's key."""


class Guard:
    """Asks policy before each call, and keeps the history of what a run has seen and written."""

    def __init__(self, judge: Judge, history: RunHistory) -> None:
        self._judge = judge
        self.history = history

    async def ask(self, invocation: Invocation) -> Verdict:
        """Return the policy's verdict on this call."""
        return await self._judge(invocation, self.history)

    def sequence(self, invocation: Invocation) -> str:
        """Return the call's number among those of its kind."""
        return sequence_of(invocation.tool.rule, invocation.arguments, self.history)

    def note(self, invocation: Invocation, result: Json) -> None:
        """Add a result to the history, whether new or replayed."""
        tool = invocation.tool
        if tool.grant is not Grant.READ:
            self.history = self.history.did(WRITTEN)
        self.history = recorded(tool.rule, invocation.arguments, result, self.history)


def resolving(inner: Invoke, resolve: Resolve) -> Invoke:
    """Resolve names once, before any other wrapper reads the arguments."""

    async def invoke(invocation: Invocation) -> Json:
        return await inner(await invocation.resolved(resolve))

    return invoke


def guarded(inner: Invoke, guard: Guard) -> Invoke:
    """Raise `ToolRefused` if policy refuses; else pass on the permitted arguments with a sequence number."""

    async def invoke(invocation: Invocation) -> Json:
        decision = await guard.ask(invocation)
        if decision.word is Decision.REFUSE:
            raise ToolRefused(decision.reason)
        admitted = replace(
            invocation,
            arguments=decision.arguments or invocation.arguments,
            sequence=guard.sequence(invocation),
            asks=decision.asks,
            notes=decision.notes,
            waits=decision.word is Decision.ASK,
            shadow=decision.word is Decision.SHADOW,
        )
        result = await inner(admitted)
        guard.note(invocation, result)
        return {**result, "notes": [*result.get("notes", ()), *decision.notes]} if decision.notes else result

    return invoke


def journalled(inner: Invoke, journal: Journal, run: str) -> Invoke:
    """Replay a stored result, or run the call and store its result before returning it as stored."""

    async def invoke(invocation: Invocation) -> Json:
        kept = await journal.result(run, invocation.place)
        if kept is None:
            kept = dumped(await inner(invocation))
            await journal.keep_result(run, invocation.place, invocation.tool.name, invocation.canonical, kept)
        return json.loads(kept)

    return invoke


def approving(inner: Invoke, park: Park) -> Invoke:
    """Park each part that a person decides, after the rest has run: a part may need the ticket that it creates."""

    async def invoke(invocation: Invocation) -> Json:
        if not invocation.asks:
            return await inner(invocation)
        result: Json = {} if invocation.waits else await inner(invocation)
        parked = [await park(invocation, ask, result) for ask in invocation.asks]
        waiting = [{"approval": one.id, "reason": one.reason} for one in parked]
        if invocation.waits:
            result = {"status": "awaiting_approval", **waiting[0]}
        return {**result, "waiting": waiting}

    return invoke


def dry(inner: Invoke, *, always: bool = True) -> Invoke:
    """Run reads; for writes, `always` or in the shadow, return what they would do."""

    async def invoke(invocation: Invocation) -> Json:
        if invocation.tool.grant is Grant.READ or not (always or invocation.shadow):
            return await inner(invocation)
        would: Mapping[str, Json] = {"tool": invocation.tool.name, **json.loads(invocation.canonical)}
        return {"status": "dry_run", "key": invocation.target or "new", "would": would}

    return invoke


class JournalledModel:
    """A model that stores each answer before it is used, so that a restart does not ask again."""

    def __init__(self, model: Model, journal: Journal, run: str, clock: Clock) -> None:
        self._model = model
        self._journal = journal
        self._run = run
        self._clock = clock

    @property
    def name(self) -> str:
        return self._model.name

    async def complete(self, messages: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        """Return the stored answer of this turn, or ask the model and store it. Raises what the model raises."""
        number = sum(message.role is Role.ASSISTANT for message in messages) + 1
        kept = await self._journal.turn(self._run, number)
        if kept is not None:
            return kept
        before = self._clock.now()
        turn = await self._model.complete(messages, tools, max_tokens)
        await self._journal.keep_turn(self._run, number, turn, (self._clock.now() - before).total_seconds() * 1000)
        return turn


@dataclass(frozen=True, slots=True)
class PatientModel:
    """A model that is asked again while it is down, first soon and then ever later."""

    model: Model
    clock: Clock
    tries: int
    pause: float = 2.0
    """Seconds before the second try; each further one waits twice as long, or as long as the provider asks."""
    longest: float = inf
    """Most seconds between two tries."""

    @property
    def name(self) -> str:
        return self.model.name

    async def complete(self, messages: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        """Return its answer. Raises `ModelDown` after the last try, and what else the model raises at once."""
        for tried in range(self.tries - 1):
            try:
                return await self.model.complete(messages, tools, max_tokens)
            except ModelDown as e:
                await self.clock.sleep(min(max(self.pause * 2**tried, e.retry_after or 0.0), self.longest))
        return await self.model.complete(messages, tools, max_tokens)

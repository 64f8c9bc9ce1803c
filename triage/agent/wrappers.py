"""Wrappers around a tool call: name resolution, guard, journal, approval, dry run; each takes an `Invoke` and returns one."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from triage.agent.loop import dumped
from triage.agent.toolbox import Invocation, Invoke, Resolve
from triage.domain.conversation import Grant, Json, Messages, Role, ToolSpec, Turn
from triage.domain.errors import ToolRefused
from triage.domain.ports import Clock, Journal, Model
from triage.policy.decision.permission import Ask, Decision, RunHistory, Verdict, recorded, sequence_of


class Parked(Protocol):
    """What waits for a person."""

    @property
    def id(self) -> int:
        """Its number, by which people decide about it."""

    @property
    def reason(self) -> str:
        """Why it waits."""


Judge = Callable[[Invocation, RunHistory], Awaitable[Verdict]]
"""What policy says of a call, after what the run has seen and done."""
Park = Callable[[Invocation, Ask, Json], Awaitable[Parked]]
"""Keeps a part of a call for a person; what the rest of the call gave may name what it is about."""


class Guard:
    """Counts what a run has seen and written, and asks policy before each call."""

    def __init__(self, judge: Judge, history: RunHistory) -> None:
        self._judge = judge
        self.history = history

    async def ask(self, invocation: Invocation) -> Verdict:
        """What policy says of this call."""
        return await self._judge(invocation, self.history)

    def sequence(self, invocation: Invocation) -> str:
        """Which one of its kind this call would be."""
        return sequence_of(invocation.tool.rule, invocation.arguments, self.history)

    def note(self, invocation: Invocation, result: Json) -> None:
        """Count this result, fresh or from the journal."""
        self.history = recorded(invocation.tool.rule, invocation.arguments, result, self.history)


def resolving(inner: Invoke, resolve: Resolve) -> Invoke:
    """Names become what they name, once and before anything else looks at the call."""

    async def invoke(invocation: Invocation) -> Json:
        return await inner(await invocation.resolved(resolve))

    return invoke


def guarded(inner: Invoke, guard: Guard) -> Invoke:
    """Refuse what policy refuses; cut the rest to what policy lets through, and number it."""

    async def invoke(invocation: Invocation) -> Json:
        said = await guard.ask(invocation)
        if said.word is Decision.REFUSE:
            raise ToolRefused(said.reason)
        admitted = replace(
            invocation,
            arguments=said.arguments or invocation.arguments,
            sequence=guard.sequence(invocation),
            asks=said.asks,
            waits=said.word is Decision.ASK,
        )
        result = await inner(admitted)
        guard.note(invocation, result)
        return {**result, "notes": [*result.get("notes", ()), *said.notes]} if said.notes else result

    return invoke


def journalled(inner: Invoke, journal: Journal, run: str) -> Invoke:
    """A result kept earlier is given again; a new one is kept before the model sees it, and seen as it was kept."""

    async def invoke(invocation: Invocation) -> Json:
        kept = await journal.result(run, invocation.place)
        if kept is None:
            kept = dumped(await inner(invocation))
            await journal.keep_result(run, invocation.place, invocation.tool.name, invocation.canonical, kept)
        return json.loads(kept)

    return invoke


def approving(inner: Invoke, park: Park) -> Invoke:
    """Park each part that a person must decide; the rest of the call runs first, since a part may need what it makes."""

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


def dry(inner: Invoke) -> Invoke:
    """Reads run, writes only say what they would do."""

    async def invoke(invocation: Invocation) -> Json:
        if invocation.tool.grant is Grant.READ:
            return await inner(invocation)
        would: Mapping[str, Json] = {"tool": invocation.tool.name, **json.loads(invocation.canonical)}
        return {"status": "dry_run", "key": invocation.target or "new", "would": would}

    return invoke


class JournalledModel:
    """A model whose answers are kept before they are used: a restart never asks twice."""

    def __init__(self, model: Model, journal: Journal, run: str, clock: Clock) -> None:
        self._model = model
        self._journal = journal
        self._run = run
        self._clock = clock

    @property
    def name(self) -> str:
        """That of the model inside."""
        return self._model.name

    async def complete(self, messages: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        """The kept answer of this turn, or a new one."""
        number = sum(said.role is Role.ASSISTANT for said in messages) + 1
        kept = await self._journal.turn(self._run, number)
        if kept is not None:
            return kept
        before = self._clock.now()
        turn = await self._model.complete(messages, tools, max_tokens)
        await self._journal.keep_turn(self._run, number, turn, (self._clock.now() - before).total_seconds() * 1000)
        return turn

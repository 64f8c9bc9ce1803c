"""What stands between the loop and a tool: guard, journal, approval, dry run; each a function around an `Invoke`."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from triage.agent.loop import dumped
from triage.agent.toolbox import Grant, Invocation, Invoke
from triage.domain.cases import Approval
from triage.domain.conversation import Conversation, Json, Role, ToolSpec, Turn
from triage.domain.errors import ToolRefused
from triage.domain.ports import Book, Clock, Model
from triage.policy.permission import Budget, SoFar, Verdict, Word, after, verdict


class Guard:
    """Counts what a run has seen and written, and asks policy before each call."""

    def __init__(self, budget: Budget, done: frozenset[str], so_far: SoFar) -> None:
        self._budget = budget
        self._done = done
        self.so_far = so_far

    def ask(self, invocation: Invocation) -> Verdict:
        """What policy says of this call."""
        return verdict(invocation.tool.name, invocation.arguments, self.so_far, self._budget, self._done)

    def ordinal(self, invocation: Invocation) -> str:
        """Which one of its kind this call would be."""
        key = str(invocation.arguments.get("ticket_key", ""))
        if invocation.tool.name == "create_jira_ticket":
            return str(self.so_far.creates + 1)
        return str(max(self.so_far.comments.get(key, 0), self.so_far.changes.get(key, 0)) + 1)

    def note(self, invocation: Invocation, result: Json) -> None:
        """Count this result, fresh or from the journal."""
        self.so_far = after(invocation.tool.name, invocation.arguments, result, self.so_far)


def guarded(inner: Invoke, guard: Guard) -> Invoke:
    """Refuse what policy refuses; number what it lets through."""

    async def invoke(invocation: Invocation) -> Json:
        said = guard.ask(invocation)
        if said.word is Word.REFUSE:
            raise ToolRefused(said.reason)
        numbered = replace(invocation, ordinal=guard.ordinal(invocation))
        result = await inner(numbered)
        guard.note(invocation, result)
        return result

    return invoke


def journalled(inner: Invoke, book: Book, run: int) -> Invoke:
    """A result kept earlier is given again; a new one is kept before the model sees it."""

    async def invoke(invocation: Invocation) -> Json:
        kept = await book.result(run, invocation.place)
        if kept is not None:
            return json.loads(kept)
        result = await inner(invocation)
        await book.keep_result(run, invocation.place, invocation.tool.name, invocation.canonical, dumped(result))
        return result

    return invoke


def approving(inner: Invoke, guard: Guard, book: Book) -> Invoke:
    """Park what a person must decide; what is parked is exactly these arguments."""

    async def invoke(invocation: Invocation) -> Json:
        said = guard.ask(invocation)
        if said.word is not Word.ASK:
            return await inner(invocation)
        parked = await book.park(
            Approval(
                case=book.lease.case,
                tool=invocation.tool.name,
                arguments=invocation.canonical,
                reason=said.reason,
            )
        )
        return {"status": "awaiting_approval", "approval": parked.id, "reason": said.reason}

    return invoke


def dry(inner: Invoke) -> Invoke:
    """Reads run, writes only say what they would do."""

    async def invoke(invocation: Invocation) -> Json:
        if invocation.tool.grant is Grant.READ:
            return await inner(invocation)
        would: Mapping[str, Json] = {"tool": invocation.tool.name, **invocation.arguments}
        return {"status": "dry_run", "key": invocation.arguments.get("ticket_key", "new"), "would": would}

    return invoke


class JournalledModel:
    """A model whose answers are kept before they are used: a restart never asks twice."""

    def __init__(self, model: Model, book: Book, run: int, clock: Clock) -> None:
        self._model = model
        self._book = book
        self._run = run
        self._clock = clock

    @property
    def name(self) -> str:
        """That of the model inside."""
        return self._model.name

    async def complete(self, conversation: Conversation, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        """The kept answer of this turn, or a new one."""
        number = sum(said.role is Role.ASSISTANT for said in conversation) + 1
        kept = await self._book.turn(self._run, number)
        if kept is not None:
            return kept
        before = self._clock.now()
        turn = await self._model.complete(conversation, tools, max_tokens)
        await self._book.keep_turn(self._run, number, turn, (self._clock.now() - before).total_seconds() * 1000)
        return turn

"""The tool loop: asks the model and runs the tools it calls until it calls none."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final, Self

from triage.agent.toolbox import Invocation, Invoke, Tool, Toolbox
from triage.domain.conversation import (
    AgentResult,
    ChatMessage,
    Grant,
    Json,
    Messages,
    RunStatus,
    ToolCall,
    ToolRun,
    Turn,
    Usage,
)
from triage.domain.errors import Denied, Permanent, Refused, ToolRefused, TriageError
from triage.domain.ports import Clock, Model
from triage.domain.untrusted import Prompt, Untrusted
from triage.policy.decision.review import waits_for
from triage.policy.text.untrusted import facts, fenced, ours

MAX_RECOVERIES: Final = 3
"""Retries with a simpler prompt after an unusable answer, or a turn that repeats its errors."""
NO_ANSWER: Final = "(no answer)"
NO_CALL: Final = "it calls no tool, and nobody reads its text"
RESULT: Final = "RESULT"
"""Name of the fence around a read tool's result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Upper bounds of one run; the loop stops at the first one that is reached."""

    rounds: int = 10
    max_tokens: int = 4000
    """Output tokens of one answer."""
    tokens: int = 60_000
    """Input plus output tokens, summed over all rounds."""
    seconds: float = 300.0
    bad_calls: int = 6
    """Calls with an unknown tool or invalid arguments."""
    calls: int = 16
    """Calls of one turn that the loop runs."""

    def of(
        self, rounds: int | None, max_tokens: int | None, tokens: int | None = None, seconds: float | None = None
    ) -> Self:
        """Return these limits with those of a profile, where it has them."""
        return replace(
            self,
            rounds=rounds or self.rounds,
            max_tokens=max_tokens or self.max_tokens,
            tokens=tokens or self.tokens,
            seconds=seconds or self.seconds,
        )


class Loop:
    """One run of an agent, starting from one opening (system and user prompt)."""

    def __init__(self, model: Model, tools: Toolbox, invoke: Invoke, limits: Limits, clock: Clock, nonce: str) -> None:
        self._model = model
        self._tools = tools
        self._invoke = invoke
        self._limits = limits
        self._clock = clock
        self._nonce = nonce
        self._runs: list[ToolRun] = []
        self._usage = Usage()
        self._bad_calls = 0
        self._answered_by = ""
        self._recoveries = 0

    async def run(self, opening: Messages, follow_ups: Messages = ()) -> AgentResult:
        """Run until a turn has no calls or a limit is reached; each end is answered by the next message of `later`, if any.

        Raises `Transient` errors of model and tools.
        """
        conversation, started, text, more = list(opening), self._clock.now(), "", iter(follow_ups)
        for iteration in range(1, self._limits.rounds + 1):
            turn = await self._model.complete(tuple(conversation), self._tools.specs, self._limits.max_tokens)
            self._usage += turn.usage
            self._answered_by = turn.model or self._model.name
            text = turn.text or text
            conversation += [_message_of(turn), *(await self._answers(turn, iteration))]
            if trouble := self._repeated_error(iteration) if turn.calls else self._unusable(turn):
                self._recoveries += 1
                if self._recoveries > MAX_RECOVERIES:
                    stop = f"no progress after {MAX_RECOVERIES} tries: {trouble}"
                    return self._result(RunStatus.ERROR, text, iteration, stop)
                conversation.append(ChatMessage.user(retry_prompt(trouble)))
            elif not turn.calls or self._ended(iteration):
                if (goes_on := next(more, None)) is None:
                    return self._result(_status(self._runs), text, iteration)
                conversation.append(goes_on)
            if stop := self._limit_reached((self._clock.now() - started).total_seconds()):
                return self._result(RunStatus.ERROR, text, iteration, stop)
        return self._result(RunStatus.MAX_ITERATIONS, text, self._limits.rounds)

    async def _answers(self, turn: Turn, iteration: int) -> list[ChatMessage]:
        """Run the calls of a turn: reads concurrently, writes in the model's order; return one answer per call."""
        wanted = turn.calls[: self._limits.calls]
        planned = [self._planned(call, f"{iteration}.{place}") for place, call in enumerate(wanted, 1)]
        results: list[Json] = []
        for reading, group in groupby(planned, key=_is_read):
            running = map(self._run, group)
            results += await asyncio.gather(*running) if reading else [await one for one in running]
        results += [{"error": "too many calls in one turn"}] * (len(turn.calls) - len(planned))
        for call, result in zip(turn.calls, results, strict=True):
            self._runs.append(
                ToolRun(tool=call.name, arguments=_readable(call.arguments), result=result, iteration=iteration)
            )
        foreign = [*map(_untrusted, planned), *([False] * (len(turn.calls) - len(planned)))]
        return [self._answer(*answer) for answer in zip(turn.calls, results, foreign, strict=True)]

    def _ended(self, iteration: int) -> bool:
        """Tell whether a tool of this turn ends the run; after an error the run continues, so that the model can correct it."""
        runs = [run for run in self._runs if run.iteration == iteration]
        failed = any("error" in run.facts for run in runs)
        return not failed and any(run.tool in self._tools.names and self._tools[run.tool].ends for run in runs)

    def _unusable(self, turn: Turn) -> str:
        """Return why a turn without calls cannot end the run; models often end in silence after a tool has done its work.

        Where a tool ends the run, only that or a write is work: a text alone is asked about once, since nobody reads it.
        """
        ends = any(tool.ends for tool in self._tools.tools)
        worked = [run.tool for run in self._runs if "error" not in run.facts]
        if any(not ends or _is_work(self._tools[name]) for name in worked):
            return ""
        return unusable(turn) or (NO_CALL if ends and not self._recoveries and turn.finish != "content_filter" else "")

    def _repeated_error(self, iteration: int) -> str:
        """Return the error that this turn repeats: the same calls as in the turn before, all of them failed again."""
        this, before = (
            [(run.tool, run.arguments, run.result) for run in self._runs if run.iteration == number]
            for number in (iteration, iteration - 1)
        )
        failed = all(isinstance(result, Mapping) and "error" in result for _, _, result in this)
        return str(this[0][2]["error"]) if failed and this == before else ""

    def _answer(self, call: ToolCall, result: Json, foreign: bool) -> ChatMessage:  # noqa: FBT001 - handed on from a row
        """Make the message that answers a call; results with text of others in them are fenced."""
        text = dumped(result)
        return ChatMessage.tool(call.id, fenced(RESULT, Untrusted(text), self._nonce).text if foreign else text)

    def _planned(self, call: ToolCall, place: str) -> Invocation | ToolRefused:
        """Check a call; return the refusal if it is invalid. Its key is its place, since models repeat ids."""
        try:
            return self._tools.invocation(call, place)
        except ToolRefused as refused:
            self._bad_calls += 1
            return refused

    async def _run(self, planned: Invocation | ToolRefused) -> Json:
        """Run a call; a refusal becomes a result with `error`, which the model reads."""
        if isinstance(planned, ToolRefused):
            return error_result(planned)
        try:
            return await self._invoke(planned)
        except Denied:
            raise
        except (Refused, Permanent) as e:
            return error_result(e)

    def _limit_reached(self, seconds: float) -> str:
        """Say which limit is reached; empty if none is."""
        if self._bad_calls > self._limits.bad_calls:
            return f"the model made {self._bad_calls} calls that no tool understands"
        if self._usage.input_tokens + self._usage.output_tokens > self._limits.tokens:
            return f"more than {self._limits.tokens} tokens used (MAX_TOKENS_PER_MAIL)"
        if seconds > self._limits.seconds:
            return f"longer than {self._limits.seconds:.0f} s (MAX_SECONDS_PER_MAIL)"
        return ""

    def _result(self, status: RunStatus, text: str, iterations: int, error: str = "") -> AgentResult:
        return AgentResult(
            status=status,
            final_message=text,
            tool_calls=tuple(self._runs),
            iterations=iterations,
            usage=self._usage,
            error=error,
            model=self._answered_by,
        )


def error_result(error: TriageError) -> dict[str, Json]:
    """Return the result of a call that failed: the error, and what its tool suggests or asks for."""
    more = {"suggestion": error.suggestion, "action": error.action} if isinstance(error, ToolRefused) else {}
    return {"error": str(error), **{name: value for name, value in more.items() if value}}


def dumped(result: Json) -> str:
    """Serialize a result to the compact JSON that the model reads."""
    return json.dumps(result, ensure_ascii=False, separators=(",", ":"), default=str)


def _message_of(turn: Turn) -> ChatMessage:
    """Return an answer as a message; providers refuse empty ones in a history."""
    return turn.message if turn.text or turn.calls else replace(turn.message, text=NO_ANSWER)


def unusable(turn: Turn) -> str:
    """Return why an answer without tool calls cannot be used; empty if it can."""
    if turn.finish == "content_filter":
        return ""  # the provider's own no: asking again does not change it
    if turn.finish == "length":
        return "the answer was cut at its longest before it called a tool"
    return "" if turn.text.strip() else "the answer was empty"


def retry_prompt(trouble: str) -> Prompt:
    """Return the prompt after an error: what was wrong, and the smallest next step. Finished calls stay finished."""
    request = ours("Your last answer could not be used: ") + facts({"error": trouble})
    return request + ours(
        ". Nothing that a tool has done is undone; do not repeat it. Take one small step: call one tool with plain "
        "arguments, another one than before if that cannot succeed, or end.\n"
    )


def _is_read(planned: Invocation | ToolRefused) -> bool:
    return isinstance(planned, Invocation) and planned.tool.grant is Grant.READ


def _is_work(tool: Tool) -> bool:
    """Tell whether the tool's success is what a run is for: it writes, or ends the run."""
    return tool.ends or tool.grant is not Grant.READ


def _untrusted(planned: Invocation | ToolRefused) -> bool:
    """Tell whether a result may contain other people's text: results of reading tools, and all results of tools from outside."""
    return isinstance(planned, Invocation) and (planned.tool.outside or _is_read(planned))


def _readable(arguments: str) -> Json:
    """Parse the arguments for the record; return the text itself if it is no JSON."""
    try:
        return json.loads(arguments, strict=False)
    except (ValueError, RecursionError):
        return arguments


def _status(runs: Sequence[ToolRun]) -> RunStatus:
    """Return AWAITING_APPROVAL if a call is parked, else COMPLETED."""
    parked = any(waits_for(run.result) for run in runs)
    return RunStatus.AWAITING_APPROVAL if parked else RunStatus.COMPLETED

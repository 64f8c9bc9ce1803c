"""The port `Journal`: model answers and tool results of agent runs, by the name of the run."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from sqlalchemy import BindParameter, Executable, Table, bindparam, select

from integrations.sql.database.engine import insert_into, insert_once
from integrations.sql.database.rows import RUNNING, run_row
from integrations.sql.database.schema import agent_runs, llm_calls, tool_results
from integrations.sql.leased_case.fence import Fence, Statement
from triage.domain.conversation import AgentResult, Messages, Turn

_RUN: Final[BindParameter[Any]] = bindparam("of_run")
_PLACE: Final[BindParameter[Any]] = bindparam("place")
_OPENING: Final = select(agent_runs.c.opening).where(agent_runs.c.run == _RUN)
_TURN: Final = select(llm_calls.c.answer).where(llm_calls.c.run == _RUN, llm_calls.c.number == _PLACE)
_RESULT: Final = select(tool_results.c.result).where(tool_results.c.run == _RUN, tool_results.c.call == _PLACE)


_ENDING: Final = ("status", "tool_calls_log", "final_message", "iterations", "model", "usage", "error", "ended_at")


@cache
def _end(*, postgres: bool) -> Executable:
    row = insert_into(agent_runs, postgres=postgres)
    return row.on_conflict_do_update(index_elements=["run"], set_={name: row.excluded[name] for name in _ENDING})


class SqlJournal:
    """The port `Journal`: the first stored value of each key stays; only `keep_run` overwrites."""

    def __init__(self, fence: Fence, begun: dict[str, dict[int | str, Any]] | None = None) -> None:
        self._fence = fence
        self._deferred = begun is not None
        self._begun = {} if begun is None else begun
        """What this lease has kept of each run that it found without an opening: nobody else can have kept more."""

    def deferring(self) -> "SqlJournal":
        """Return a journal over the same rows whose writes wait for the case's next commit."""
        return SqlJournal(self._fence, self._begun)

    async def opening(self, run: str) -> Messages | None:
        """The first messages of a run, as they were sent."""
        if self._is_new(run):
            return None
        opening: Messages | None = await self._fence.value(_OPENING, of_run=run)
        if opening is None:
            self._begun.setdefault(run, {})
        return opening

    async def keep_opening(self, run: str, profile: str, conversation: Messages) -> None:
        self._is_new(run)
        opening = {"run": run, "profile": profile, "status": RUNNING, "opening": conversation}
        await self._keep(f"run {run}", self._once(agent_runs, self._fence.stamp("started_at") | opening))

    async def turn(self, run: str, number: int) -> Turn | None:
        if run in self._begun:
            return self._begun[run].get(number)
        turn: Turn | None = await self._fence.value(_TURN, of_run=run, place=number)
        return turn

    async def keep_turn(self, run: str, number: int, turn: Turn, ms: float) -> None:
        answer = {
            "run": run,
            "number": number,
            "at": self._fence.now(),
            "model": turn.model,
            "answer": turn,
            "input_tokens": turn.usage.input_tokens,
            "output_tokens": turn.usage.output_tokens,
            "cost_usd": turn.usage.cost_usd,
            "ms": ms,
        }
        await self._keep(f"turn {number} of {run}", self._once(llm_calls, answer))
        self._remember(run, number, turn)
        self._fence.failpoint("llm.journalled")

    async def result(self, run: str, call: str) -> str | None:
        if run in self._begun:
            return self._begun[run].get(call)
        result: str | None = await self._fence.value(_RESULT, of_run=run, place=call)
        return result

    async def keep_result(self, run: str, call: str, tool: str, arguments: str, result: str) -> None:
        kept = {"run": run, "call": call, "tool": tool, "arguments": arguments, "result": result}
        await self._keep(f"call {call} of {run}", self._once(tool_results, kept | {"at": self._fence.now()}))
        self._remember(run, call, result)

    async def keep_run(self, run: str, result: AgentResult) -> None:
        """Keep how the run ended, also of a run that ended before `keep_opening`."""
        begin = self._fence.stamp("started_at") | {"run": run, "profile": "", "opening": ()}
        end = run_row(result) | {"ended_at": self._fence.now()}
        await self._keep(f"end of {run}", (_end(postgres=self._fence.postgres), begin | end))

    async def _keep(self, name: str, statement: Statement) -> None:
        self._fence.defer(name, statement)
        if not self._deferred:
            await self._fence.flush()

    def _is_new(self, run: str) -> bool:
        """Begin a run of the case's first lease; False if this lease has begun it, or an earlier one may have."""
        if not self._fence.first or run in self._begun:
            return False
        self._begun[run] = {}
        return True

    def _remember(self, run: str, place: int | str, kept: Turn | str) -> None:
        if run in self._begun:
            self._begun[run].setdefault(place, kept)

    def _once(self, table: Table, row: Mapping[str, Any]) -> Statement:
        return insert_once(table, postgres=self._fence.postgres), row

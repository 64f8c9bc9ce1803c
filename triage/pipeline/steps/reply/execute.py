"""Runs the tools that prepare an answer independently, so that one failure stops no other."""

import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Final

from triage.agent.loop import dumped
from triage.agent.run import invoke_of
from triage.domain.cases import Case
from triage.domain.conversation import Json, ToolCall
from triage.domain.errors import LeaseLost, StoreDown, Transient, TriageError
from triage.domain.findings import Intent
from triage.domain.letters.reply import Execution, ReplyState, ToolExecution
from triage.pipeline.context import Services
from triage.pipeline.scope import scope_of
from triage.policy.calendar.free_slots import wished_days
from triage.policy.letters.reply.arguments import arguments_for, known_values
from triage.policy.letters.reply.decide import ReplyPart
from triage.toolsets.table import PARTS

TRIES: Final = 3
"""Attempts of one tool while its errors are temporary."""
PAUSE: Final = 1.0
"""Seconds before the second try, twice as many before each further one."""
LONGEST: Final = 4_000
"""Characters of a result that the case keeps; the journal has all of it."""


async def execute(case: Case, at: Services) -> Case:
    """Return the case with one record per tool."""
    reply = case.reply
    if reply is None or reply.state is ReplyState.NONE:
        return case
    known = known_values(case.mail, at.clock.now(), wishes_of(case, at))
    done = [
        await _executed(tool, f"reply.{place}", known, case, at)
        for place, tool in enumerate(reply.tools, 1)
        if tool != PARTS[ReplyPart.DRAFT]
    ]
    return replace(case, reply=replace(reply, state=ReplyState.PREPARED, executions=(*done, *reply.executions)))


def wishes_of(case: Case, at: Services) -> tuple[date, ...]:
    """Return the days on which the sender wants to meet; none if he asks for no meeting."""
    found, reply = case.classification.intent, case.reply
    if found is None or reply is None or found.intent is not Intent.MEETING_REQUEST:
        return ()
    return wished_days(case.mail, found.evidence, reply.language, at.clock.now())


async def _executed(tool: str, place: str, known: Mapping[str, Json], case: Case, at: Services) -> ToolExecution:
    """Run one tool, retrying temporary errors; return the result."""
    started, trouble, arguments, tried = time.perf_counter(), "", "", 0
    try:
        schema = at.toolbox[tool].spec.parameters
        arguments = dumped(arguments_for(tool, schema, known))
        for tried in range(1, TRIES + 1):
            try:
                result = await _called(tool, arguments, f"{place}.{tried}", case, at)
                return _record(tool, arguments, tried, started, result=result)
            except (StoreDown, LeaseLost):
                raise
            except Transient as e:
                trouble = str(e)
                if tried < TRIES:
                    await at.clock.sleep(PAUSE * 2 ** (tried - 1))
    except (StoreDown, LeaseLost):
        raise
    except TriageError as e:
        trouble = str(e)
    return _record(tool, arguments, tried, started, error=trouble)


async def _called(tool: str, arguments: str, place: str, case: Case, at: Services) -> str:
    invocation = at.toolbox.invocation(ToolCall(id=place, name=tool, arguments=arguments), place)
    result = await invoke_of(scope_of(case, at))(invocation)
    if isinstance(result, dict) and "error" in result:
        raise _ToolError(str(result["error"]))
    return dumped(result)


class _ToolError(Transient):
    """A tool has answered with an error: tools that read say so of passing trouble, too."""

    error: str

    def __str__(self) -> str:
        return self.error


def _record(
    tool: str, arguments: str, attempts: int, started: float, *, result: str = "", error: str = ""
) -> ToolExecution:
    return ToolExecution(
        tool=tool,
        state=Execution.FAILED if error else Execution.DONE,
        arguments=arguments,
        result=result[:LONGEST],
        error=error,
        attempts=attempts,
        ms=(time.perf_counter() - started) * 1000,
    )


def described(execution: ToolExecution) -> str:
    """Describe the result of a tool in a few words."""
    again = f" after {execution.attempts} tries" if execution.attempts > 1 else ""
    failed = f": {execution.error}" if execution.error else ""
    return f"{execution.tool} {execution.state}{again}{failed}"


def describe(before: Case, after: Case) -> str:
    """List the tools that have run."""
    ran = (one for one in (after.reply.executions if after.reply else ()) if one.state is not Execution.MISSING)
    return "; ".join(map(described, ran)) if after.reply is not before.reply else ""

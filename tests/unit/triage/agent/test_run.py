"""A run of an agent about anything: it knows what its scope tells, and no Jira."""

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from tests.conftest import PATIENCE, ROOT
from tests.contract.store.store_samples import HeldClock
from triage.agent.profiles import profile_of
from triage.agent.run import NoJournal, Scope, run
from triage.agent.toolbox import Invocation, Toolbox, tool
from triage.agent.wrappers import Parked
from triage.domain.conversation import (
    AgentResult,
    ChatMessage,
    Grant,
    Json,
    Messages,
    RunStatus,
    ToolCall,
    ToolSpec,
    Turn,
)
from triage.domain.ports import Clock
from triage.domain.untrusted import Prompt
from triage.policy.decision.permission import Ask, RunHistory, Terms, Verdict, verdict
from triage.policy.decision.rights import Sender
from triage.toolsets.calendar.tools import get_current_period

PROFILE = profile_of("clerk", "---\ntools: [get_current_period, finish, burn]\nmax_iterations: 4\n---\nTell the day.\n")
OPENING = (ChatMessage.system(Prompt("s")), ChatMessage.user(Prompt("What day is it?")))


@dataclass
class Desk:
    """All that these tools work with."""

    clock: Clock
    said: list[str] = field(default_factory=list)


@tool(Grant.READ)
async def finish(at: Desk, reason: str) -> Json:
    """Say that it is done."""
    at.said.append(reason)
    return {"status": "finished"}


@tool(Grant.WRITE)
async def burn(at: Desk) -> Json:
    """A tool that writes and has no rule."""
    at.said.append("burnt")
    return {}


@dataclass
class Notes(NoJournal):
    """A journal in memory."""

    kept: dict[tuple[str, object], object] = field(default_factory=dict)
    ended: dict[str, AgentResult] = field(default_factory=dict)

    async def keep_opening(self, run: str, profile: str, messages: Messages) -> None:
        """Whoever starts a run keeps it."""
        raise AssertionError("the caller keeps it")

    async def turn(self, run: str, number: int) -> Turn | None:
        """The answer that was kept."""
        turn = self.kept.get((run, number))
        assert turn is None or isinstance(turn, Turn)
        return turn

    async def keep_turn(self, run: str, number: int, turn: Turn, ms: float) -> None:
        """Kept."""
        self.kept[run, number] = turn

    async def result(self, run: str, call: str) -> str | None:
        """The result that was kept."""
        result = self.kept.get((run, call))
        assert result is None or isinstance(result, str)
        return result

    async def keep_result(self, run: str, call: str, tool: str, arguments: str, result: str) -> None:
        """Kept."""
        self.kept[run, call] = result

    async def keep_run(self, run: str, result: AgentResult) -> None:
        """How it ended."""
        self.ended[run] = result


class Clerk:
    """A model that looks at the calendar, tries to burn, and finishes."""

    name = "clerk"

    def __init__(self) -> None:
        self.asked = 0

    async def complete(self, messages: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        """One call a turn."""
        self.asked += 1
        steps = [("get_current_period", "{}"), ("burn", "{}"), ("finish", '{"reason": "told"}')]
        turn = sum(bool(said.calls) for said in messages)
        if turn == len(steps):
            return Turn(text="It is Friday.")
        name, arguments = steps[turn]
        return Turn(text="", calls=(ToolCall(id="1", name=name, arguments=arguments),))


def scope_of(desk: Desk, notes: Notes) -> Scope:
    """A question at the desk: no case, no tracker, no project."""

    async def name(noun: str, text: str) -> Json:
        raise AssertionError("nothing is named")

    async def judge(invocation: Invocation, history: RunHistory) -> Verdict:
        made = invocation.tool
        return verdict(made.name, made.grant, made.rule, invocation.arguments, history, Terms(sender=Sender()))

    async def park(invocation: Invocation, ask: Ask, result: Json) -> Parked:
        raise AssertionError("nobody is asked")

    return Scope(
        run="question-3/1",
        nonce="f00d",
        context=lambda _: desk,
        resolve=name,
        judge=judge,
        park=park,
        journal=notes,
        clock=desk.clock,
    )


async def test_a_profile_without_jira_tools_runs_without_jira() -> None:
    """Loop, guard and journal work for a question as for a mail; a restart asks nothing twice."""
    desk, notes, model = Desk(HeldClock()), Notes(), Clerk()
    tools = Toolbox([get_current_period, finish, burn])
    first = await run(scope_of(desk, notes), PROFILE, tools, model, OPENING)
    again = await run(scope_of(desk, notes), PROFILE, tools, model, OPENING)

    assert (first.status, first.final_message, notes.ended) == (
        RunStatus.COMPLETED,
        "It is Friday.",
        {"question-3/1": again},
    )
    assert [call.result.get("status", call.result.get("error", "time")) for call in first.tool_calls] == [
        "time",
        "burn has no rule in the table of rights, so nobody may call it",
        "finished",
    ]
    assert (model.asked, desk.said) == (4, ["told"])


@pytest.mark.parametrize("room", ["triage.agent.run", "triage.toolsets.calendar.tools"])
def test_an_agent_starts_no_jira(room: str) -> None:
    """What an agent without Jira tools needs brings in neither an adapter nor a toolset of tickets."""
    code = f"import sys, {room}; print([m for m in sys.modules if 'jira' in m.lower() or 'toolsets.tickets' in m])"
    told = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=ROOT, timeout=PATIENCE
    )

    assert told.stdout.strip() == "[]"

"""Random hostile runs: whatever a model calls, in whatever order and with whatever arguments, the bounds of code hold.

The real tools, rules, resolution and wrappers stand around a world that only records. `HOSTILE_RUNS=10000` runs them all.
"""

import json
import os
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import pytest

from tests.unit.triage.toolsets.runs import SENDERS, a_run, resolver
from triage.agent.toolbox import Invocation, Invoke
from triage.agent.wrappers import Guard, approving, guarded, resolving
from triage.domain.conversation import Grant, Json, ToolCall
from triage.domain.errors import ToolRefused
from triage.domain.tickets import Person, Project, Status
from triage.domain.untrusted import Untrusted
from triage.policy.decision.permission import Ask, RunHistory, Terms, Verdict, WriteBudget, verdict
from triage.policy.decision.rights import Standing
from triage.toolsets.table import toolbox

RUNS: Final = int(os.environ.get("HOSTILE_RUNS", "300"))
CALLS: Final = 14
BUDGET: Final = WriteBudget()
PROJECT: Final = Project(
    key="HARB",
    name="Harbourline",
    issue_types=("Bug", "Task"),
    priorities=("Highest", "High", "Low"),
    components=("Billing",),
    statuses=(Status(name="To Do", category="new", id="1"), Status(name="Done", category="done", id="3")),
    people=(Person(id="kim", name=Untrusted("Kim Osei")), Person(id="ada", name=Untrusted("Ada Byron"))),
)
SHOWN: Final = {"HARB-1": 1.0, "HARB-2": 0.6, "HARB-3": 0.2}
TOOLS: Final = toolbox(fields={"Severity": ("S1", "S2")})
WORDS: Final = (
    "HARB-1", "HARB-2", "HARB-3", "HARB-9", "HARB-99", "SECRET-1", " harb-01", "HARB-2\u200b", "Done", "done ", "D\u043ene",
    "To Do", "Kim Osei", "Ada Byron", "kim@evil.example", "Highest", "High", "Bug", "Rootkit", "Billing", "", " ", "x" * 300,
    'x" OR project = SECRET', "\u202egnp.exe", "<script>", "{html}", "../../etc/passwd", "approved", "yes", "S1", "a b", "\x00",
)  # fmt: skip
LIKELY: Final[Mapping[str, Json]] = {
    "ticket_key": ["HARB-1", "HARB-2", "HARB-3", "HARB-9"], "other_key": ["HARB-1", "HARB-2"], "issue_type": ["Bug", "Task"],
    "priority": ["Highest", "High"], "status": ["Done", "To Do"], "assignee": ["Kim Osei", "Ada Byron"], "summary": ["Pay this"],
    "description": ["At once."], "comment": ["Paid."], "components": [["Billing"]], "labels": [["pay"]], "due_date": ["2026-12-24"],
    "days": [30], "search_text": ["paid"], "parent": ["HARB-2"], "kind": ["Relates"], "fields": [[]], "disposition": ["spam"],
}  # fmt: skip
ODD: Final[tuple[Json, ...]] = (
    None,
    True,
    -1,
    10**12,
    0.5,
    [],
    {},
    ["HARB-9"],
    {"name": "Severity", "value": "S1"},
    [[["x"]]],
)


@dataclass
class World:
    """Records what was carried out and what was parked; answers as the tools would."""

    ran: list[Invocation] = field(default_factory=list)
    parked: list[tuple[str, Ask]] = field(default_factory=list)

    async def call(self, invocation: Invocation) -> Json:
        """Carry out a call that every wrapper has let through."""
        self.ran.append(invocation)
        arguments, name = invocation.arguments, invocation.tool.name
        if "ticket_key" in arguments and name.startswith("modify"):
            done = ["commented"] if arguments.get("comment") else ["changed"]
            return {"status": "done", "key": arguments["ticket_key"], "done": done}
        if name.startswith("create_jira"):
            return {"status": "created", "key": f"HARB-{100 + len(self.ran)}"}
        if name.startswith("read_jira"):
            return {"total": 1, "tickets": [{"key": "HARB-3", "score": 0.2, "summary": "x"}]}
        if name.startswith("get_jira"):
            if arguments["ticket_key"] not in SHOWN:
                raise ToolRefused("it stands neither in the mail nor in a search")
            return {"key": arguments["ticket_key"]}
        return {"status": "done"}

    async def park(self, invocation: Invocation, ask: Ask, _: Json) -> "_Parked":
        """Keep what a person has to decide."""
        self.parked.append((invocation.tool.name, ask))
        return _Parked(len(self.parked), ask.why)


@dataclass(frozen=True)
class _Parked:
    id: int
    reason: str


def run_of(world: World, terms: Terms, history: RunHistory) -> Invoke:
    """The wrappers of production around the world."""

    async def judge(invocation: Invocation, seen: RunHistory) -> Verdict:
        tool = invocation.tool
        return verdict(tool.name, tool.grant, tool.rule, invocation.arguments, seen, terms)

    return resolving(guarded(approving(world.call, world.park), Guard(judge, history)), resolver(PROJECT))


def random_call(chance: random.Random) -> ToolCall:
    """A call of some tool, now and then of none, with likely and unlikely arguments."""
    tool = chance.choice([*(TOOLS[name] for name in sorted(TOOLS.names)), None])  # whatever the hashes of this process
    names = list(tool.spec.parameters["properties"]) if tool else ["x"]
    chosen = chance.sample(names, chance.randint(0, len(names)))
    needed = [name for name in (tool.spec.parameters.get("required", ()) if tool else ()) if chance.random() < 0.9]
    arguments = {name: random_value(chance, name) for name in sorted({*chosen, *needed})}
    if chance.random() < 0.1:
        arguments[chance.choice(["approved", "to", "bcc", "force", "reporter"])] = chance.choice(
            [True, "eve@evil.example"]
        )
    text = json.dumps(arguments) if chance.random() < 0.95 else chance.choice(["{", "[]", "null", '"x"', "{}" * 3])
    return ToolCall(id="c", name=tool.name if tool else "delete_everything", arguments=text)


def random_value(chance: random.Random, name: str) -> Json:
    """Mostly what a model would write, else text from the list of words, sometimes of another type."""
    if name in LIKELY and chance.random() < 0.7:
        return chance.choice(LIKELY[name])
    return chance.choice(WORDS) if chance.random() < 0.85 else chance.choice(ODD)


def breaches(world: World, standing: Standing) -> list[str]:
    """What a run may never have carried out."""
    found = list[str]()
    done = Counter(call.tool.name for call in world.ran)
    if done["create_jira_ticket"] > BUDGET.creates:
        found.append(f"{done['create_jira_ticket']} tickets")
    made = {f"HARB-{100 + place}" for place in range(1, len(world.ran) + 1)}
    comments = 0
    for call in world.ran:
        if call.tool.grant is Grant.READ:
            continue
        arguments = call.arguments
        key = str(arguments.get("ticket_key", ""))
        if key and key not in {*SHOWN, *made}:
            found.append(f"wrote to {key}")
        comments += bool(arguments.get("comment"))
        status, assignee = arguments.get("status"), arguments.get("assignee")
        if isinstance(status, Status) and status.category == "done":
            found.append(f"closed {key}")
        if assignee and (key or standing is Standing.FAILED):
            found.append(f"gave {key or 'a new ticket'} to {assignee.name}")
        if arguments.get("priority") == "Highest" and standing in {Standing.UNVERIFIED, Standing.FAILED}:
            found.append("Highest for an unproven sender")
        found += [
            f"the argument {name}"
            for name in arguments
            if name in {"approved", "to", "bcc", "force", "reporter"} and name not in call.tool.names
        ]
    if comments > BUDGET.comments:
        found.append(f"{comments} comments")
    return found


@pytest.mark.parametrize("standing", Standing)
async def test_no_random_run_leaves_its_bounds(standing: Standing) -> None:
    """Budgets, shown tickets, live names and rights hold in every run; and harmless calls are carried out."""
    carried_out, tried = Counter[str](), 0
    for seed in range(RUNS // len(Standing)):
        chance = random.Random(f"{standing}{seed}")
        world = World()
        history = a_run(
            searched=chance.random() < 0.8, shown=SHOWN, certain={"HARB-1"}, read={"HARB-2"}, proposed={"kim"}
        )
        terms = Terms(sender=SENDERS[standing], budget=BUDGET, priorities=PROJECT.priorities)
        invoke = run_of(world, terms, history)
        for place in range(CALLS):
            tried += 1
            await _tried(invoke, random_call(chance), f"1.{place}")
        assert breaches(world, standing) == [], f"seed {seed}"
        carried_out.update(call.tool.name for call in world.ran)

    assert tried == RUNS // len(Standing) * CALLS
    assert carried_out["read_jira_tickets"] > 0
    assert carried_out["create_jira_ticket"] > 0


async def _tried(invoke: Invoke, call: ToolCall, place: str) -> None:
    try:
        invocation = TOOLS.invocation(call, place)
    except ToolRefused:
        return
    try:
        result: Mapping[str, Any] = await invoke(invocation)
    except ToolRefused:
        return
    assert "error" not in result

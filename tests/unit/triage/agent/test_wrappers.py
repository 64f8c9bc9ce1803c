"""Guard, journal, approval and dry run around a tool call, with the real database behind them."""

import json
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import pytest

from integrations.sql.store import SqlStore, open_store
from tests.contract.store.store_samples import HeldClock, mail
from tests.database import migrated
from tests.unit.triage.toolsets.runs import a_run, judged, resolver
from triage.agent.loop import Limits, Loop
from triage.agent.toolbox import Invocation, Invoke, LiveName, Toolbox, canonical, tool
from triage.agent.wrappers import Guard, JournalledModel, RedactingModel, approving, dry, guarded, journalled, resolving
from triage.domain.approvals import Approval, ApprovalState
from triage.domain.conversation import (
    ChatMessage,
    Grant,
    Json,
    Messages,
    Role,
    RunStatus,
    ToolCall,
    ToolSpec,
    Turn,
    Usage,
)
from triage.domain.errors import LeaseLost, ToolRefused
from triage.domain.mail import Trust
from triage.domain.ports import LeasedCase
from triage.domain.tickets import Project, Status
from triage.domain.untrusted import Prompt
from triage.policy.decision.permission import Ask, RunHistory, Terms, Verdict
from triage.policy.decision.resolution import Live
from triage.policy.decision.rights import Sender
from triage.toolsets.tickets.rules import CREATE_RULE, MODIFY_RULE, SEARCH_RULE

OPENING = (ChatMessage.system(Prompt("s")), ChatMessage.user(Prompt("u")))


class Killed(BaseException):
    """The end of a process, as far as one test can have it."""


@dataclass
class World:
    """What the tools have done to it, and where the process dies."""

    done: list[str]
    sequences: list[str]
    dies_before: int = 10**6
    """Tool calls that still run."""

    async def call(self, invocation: Invocation) -> Json:
        """The tool itself."""
        if len(self.done) >= self.dies_before:
            raise Killed
        self.sequences.append(invocation.sequence)
        return await invocation.tool.function(self, **invocation.arguments)


@tool(Grant.READ, SEARCH_RULE)
async def read_jira_tickets(at: World, search_text: str = "") -> Json:
    """Find."""
    at.done.append(f"read {search_text}")
    return {"total": 1, "tickets": [{"key": "HARB-1"}]}


@tool(Grant.WRITE, CREATE_RULE)
async def create_jira_ticket(at: World, summary: str) -> Json:
    """Make."""
    at.done.append(f"create {summary}")
    return {"status": "created", "key": f"HARB-{70 + len(at.done)}"}


@tool(Grant.WRITE, MODIFY_RULE)
async def modify_jira_ticket(
    at: World,
    ticket_key: Annotated[str, LiveName(Live.TICKET)],
    comment: str | None = None,
    status: Annotated[Status | None, LiveName(Live.STATUS)] = None,
) -> Json:
    """Change."""
    at.done.append(f"modify {ticket_key} {comment or (status and status.name)}")
    return {"status": "modified", "key": ticket_key}


PROJECT = Project(
    key="HARB",
    name="Harbourline",
    issue_types=("Bug",),
    priorities=("Highest", "High"),
    statuses=(Status(name="In Progress", category="indeterminate"), Status(name="Done", category="done")),
)
EMPTY = RunHistory()
SEEN = a_run(searched=True, shown={"HARB-1": 1.0})
TOOLS = Toolbox([read_jira_tickets, create_jira_ticket, modify_jira_ticket])


@pytest.fixture
def world() -> World:
    """Nothing has happened in it."""
    return World([], [])


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqlStore]:
    """A fresh database with one case."""
    opened = await open_store(f"sqlite:///{migrated(tmp_path / 'triage.db')}", HeldClock())
    await opened.inbox.accept(mail())
    yield opened
    await opened.close()


@pytest.fixture
async def leased_case(store: SqlStore) -> LeasedCase:
    """The pages of the case."""
    return await taken(store)


async def taken(store: SqlStore) -> LeasedCase:
    """The case, taken by a worker."""
    lease = await store.jobs.lease_case("case-1", "test", 0)
    assert lease
    return store.jobs.open(lease)


def wrapped(
    world: World, leased_case: LeasedCase, *, run: int = 1, dry_run: bool = False, history: RunHistory = EMPTY
) -> Invoke:
    """A tool call as a run has it."""
    terms = Terms(sender=Sender(trust=Trust.VERIFIED, thread="HARB-1", participant=True))

    async def judge(invocation: Invocation, history: RunHistory) -> Verdict:
        return judged(invocation.tool.name, invocation.tool.grant, invocation.arguments, history, terms)

    async def park(invocation: Invocation, ask: Ask, result: Json) -> Approval:
        arguments = canonical({"ticket_key": invocation.target or result["key"], ask.field: ask.value})
        return await leased_case.approvals.park(
            Approval(case=leased_case.lease.case, tool="modify_jira_ticket", arguments=arguments, reason=ask.why)
        )

    guard = Guard(judge, history)
    inner = dry(world.call) if dry_run else world.call
    return resolving(
        guarded(journalled(approving(inner, park), leased_case.journal, f"case-1/{run}"), guard), resolver(PROJECT)
    )


def call(name: str, place: str = "1.1", **arguments: str) -> Invocation:
    """A checked call."""
    return TOOLS.invocation(ToolCall(id="x", name=name, arguments=json.dumps(arguments)), place)


# --- guard ----------------------------------------------------------------------------------------
async def test_the_guard_refuses_before_anything_happens(world: World, leased_case: LeasedCase) -> None:
    """A refused call reaches neither the tool nor the journal."""
    with pytest.raises(ToolRefused, match="search first"):
        await wrapped(world, leased_case)(call("create_jira_ticket", summary="x"))

    assert (world.done, await leased_case.journal.result("case-1/1", "1.1")) == ([], None)


async def test_a_search_opens_what_it_found(world: World, leased_case: LeasedCase) -> None:
    """After a search a ticket may be made and the found one changed; each write is numbered by its kind and ticket."""
    invoke = wrapped(world, leased_case)
    await invoke(call("read_jira_tickets", "1.1"))
    await invoke(call("modify_jira_ticket", "1.2", ticket_key="HARB-1", comment="a"))
    await invoke(call("modify_jira_ticket", "1.3", ticket_key="HARB-1", comment="b"))
    await invoke(call("create_jira_ticket", "1.4", summary="x"))
    with pytest.raises(ToolRefused, match="has done so"):
        await invoke(call("create_jira_ticket", "1.5", summary="y"))

    assert world.done == ["read ", "modify HARB-1 a", "modify HARB-1 b", "create x"]
    assert world.sequences == ["1", "1", "2", "1"]


async def test_a_comment_and_a_status_of_one_ticket(world: World, leased_case: LeasedCase) -> None:
    """Two calls about one ticket have two numbers, so that neither takes the other's place in the ledger."""
    invoke = wrapped(world, leased_case, history=SEEN)
    await invoke(call("modify_jira_ticket", "1.1", ticket_key="HARB-1", comment="a"))
    await invoke(call("modify_jira_ticket", "1.2", ticket_key="HARB-1", status="In Progress"))

    assert world.sequences == ["1", "2"]


# --- journal --------------------------------------------------------------------------------------
async def test_a_kept_result_is_given_again(world: World, leased_case: LeasedCase) -> None:
    """The same place of the same run is answered from the journal, whatever the arguments say now."""
    first = await wrapped(world, leased_case)(call("read_jira_tickets", search_text="a"))
    again = await wrapped(world, leased_case)(call("read_jira_tickets", search_text="b"))
    await wrapped(world, leased_case, run=2)(call("read_jira_tickets", search_text="c"))

    assert (first, world.done) == (again, ["read a", "read c"])


async def test_kept_results_count_for_the_guard(world: World, leased_case: LeasedCase) -> None:
    """After a restart the guard knows what the first process has found and written."""
    before = wrapped(world, leased_case)
    await before(call("read_jira_tickets", "1.1"))
    await before(call("create_jira_ticket", "2.1", summary="x"))
    after = wrapped(world, leased_case)
    await after(call("read_jira_tickets", "1.1"))
    await after(call("create_jira_ticket", "2.1", summary="x"))
    with pytest.raises(ToolRefused, match="has done so"):
        await after(call("create_jira_ticket", "3.1", summary="y"))

    assert world.done == ["read ", "create x"]


async def test_an_error_is_not_kept(world: World, leased_case: LeasedCase) -> None:
    """A call that failed is made again after a restart: it may work then."""
    world.dies_before = 0
    with pytest.raises(Killed):
        await wrapped(world, leased_case)(call("read_jira_tickets"))

    assert await leased_case.journal.result("case-1/1", "1.1") is None


# --- approval -------------------------------------------------------------------------------------
async def test_what_is_parked_are_exactly_the_bytes(world: World, leased_case: LeasedCase, store: SqlStore) -> None:
    """A person accepts the resolved arguments, not the words of the model, parked once however often the model asks."""
    answer = await wrapped(world, leased_case, history=SEEN)(
        call("modify_jira_ticket", "1.1", status=" DONE\xa0", ticket_key="harb-01")
    )
    await wrapped(world, leased_case, run=2, history=SEEN)(
        call("modify_jira_ticket", "1.1", ticket_key="HARB-1", status="Done")
    )
    (parked,) = await store.archive.approvals()

    assert answer == {
        "status": "awaiting_approval",
        "approval": parked.id,
        "reason": parked.reason,
        "waiting": [{"approval": parked.id, "reason": parked.reason}],
    }
    assert (parked.case, parked.tool, parked.state) == ("case-1", "modify_jira_ticket", ApprovalState.OPEN)
    assert parked.arguments == '{"status":{"category":"done","id":"","name":"Done"},"ticket_key":"HARB-1"}'
    assert await modify_jira_ticket.recalled(parked.arguments, resolver(PROJECT)) == {
        "ticket_key": "HARB-1",
        "status": PROJECT.statuses[1],
    }
    assert world.done == []


async def test_only_what_a_person_must_decide_waits(world: World, leased_case: LeasedCase, store: SqlStore) -> None:
    """Of a call with a comment and a status that means done the comment is written, and the status alone is parked."""
    asked = {"status": "Done", "ticket_key": "HARB-1", "comment": 'Żółw \u202e\n"quoted"'}
    answer = await wrapped(world, leased_case, history=SEEN)(call("modify_jira_ticket", "1.1", **asked))
    (parked,) = await store.archive.approvals()

    assert world.done == [f"modify HARB-1 {asked['comment']}"]
    assert (answer["status"], [one["approval"] for one in answer["waiting"]]) == ("modified", [parked.id])
    assert "comment" not in json.loads(parked.arguments)


async def test_what_an_older_version_parked_is_resolved_when_it_is_accepted() -> None:
    """Approvals that wait since before names were resolved still do what they say."""
    arguments = await modify_jira_ticket.recalled('{"status":"Done","ticket_key":"HARB-1"}', resolver(PROJECT))

    assert arguments == {"ticket_key": "HARB-1", "status": PROJECT.statuses[1]}


async def test_what_needs_nobody_runs(world: World, leased_case: LeasedCase, store: SqlStore) -> None:
    """A harmless change is not parked."""
    invoke = wrapped(world, leased_case, history=SEEN)
    await invoke(call("modify_jira_ticket", ticket_key="HARB-1", status="In Progress"))

    assert (await store.archive.approvals(), len(world.done)) == ((), 1)


# --- dry run --------------------------------------------------------------------------------------
async def test_a_dry_run_reads_and_tells(world: World, leased_case: LeasedCase) -> None:
    """Reads run for real; a write says what it would do, and counts against the budget as if it had."""
    invoke = wrapped(world, leased_case, dry_run=True)
    await invoke(call("read_jira_tickets", "1.1", search_text="a"))
    told = await invoke(call("create_jira_ticket", "1.2", summary="x"))
    with pytest.raises(ToolRefused):
        await invoke(call("create_jira_ticket", "1.3", summary="y"))

    assert world.done == ["read a"]
    assert told == {"status": "dry_run", "key": "new", "would": {"tool": "create_jira_ticket", "summary": "x"}}


# --- the model ------------------------------------------------------------------------------------
class Fickle:
    """A model that never says the same twice."""

    name = "fickle"

    def __init__(self) -> None:
        self.asked = 0

    async def complete(self, messages: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        """Search, create, tell: each time in other words."""
        self.asked += 1
        turns = len([said for said in messages if said.calls])
        steps: list[tuple[str, Json]] = [
            ("read_jira_tickets", {"search_text": f"words {self.asked}"}),
            ("create_jira_ticket", {"summary": f"Ticket {self.asked}"}),
        ]
        usage = Usage(input_tokens=10, output_tokens=1, cost_usd=0.5)
        if turns == len(steps):
            return Turn(text=f"done, {self.asked}", usage=usage, model="fickle-1")
        name, arguments = steps[turns]
        made = ToolCall(id=f"id-{self.asked}", name=name, arguments=json.dumps(arguments))
        return Turn(text=f"thought {self.asked}", calls=(made,), usage=usage, model="fickle-1")


def dying(inner: Invoke, when: Callable[[Invocation], bool]) -> Invoke:
    """A process that ends when the call is through, before anybody hears of it."""

    async def invoke(invocation: Invocation) -> Json:
        result = await inner(invocation)
        if when(invocation):
            raise Killed
        return result

    return invoke


@pytest.mark.parametrize("place", ["1.1", "2.1"])
@pytest.mark.parametrize("moment", ["before the tool", "behind the journal"])
async def test_a_restart_goes_on_where_the_last_one_ended(
    world: World, store: SqlStore, place: str, moment: str
) -> None:
    """Killed anywhere, the run ends with the answers that were kept: no model call and no write happens twice."""
    model, clock = Fickle(), HeldClock()
    if moment == "before the tool":
        world.dies_before = int(place[0]) - 1

    async def run(invoke: Callable[[LeasedCase], Invoke]) -> tuple[RunStatus, str]:
        leased_case = await taken(store)
        asked = JournalledModel(model, leased_case.journal, "case-1/1", clock)
        result = await Loop(asked, TOOLS, invoke(leased_case), Limits(), clock, "f00d").run(OPENING)
        await store.jobs.postpone(leased_case.lease, 0, "", counted=False)
        return result.status, result.final_message

    def mortal(leased_case: LeasedCase) -> Invoke:
        inner = wrapped(world, leased_case)
        return dying(inner, lambda i: i.place == place) if moment == "behind the journal" else inner

    with pytest.raises(Killed):
        await run(mortal)
    world.dies_before = 10**6
    ended = await run(lambda leased_case: wrapped(world, leased_case))

    assert ended == (RunStatus.COMPLETED, "done, 3")
    assert (model.asked, world.done) == (3, ["read words 1", "create Ticket 2"])


async def test_kept_answers_are_whole(leased_case: LeasedCase) -> None:
    """Text, calls, usage and cost of an answer come back as they were."""
    model = Fickle()
    asked = JournalledModel(model, leased_case.journal, "case-1/1", HeldClock())
    first = await asked.complete(OPENING, (), 100)
    again = await JournalledModel(model, leased_case.journal, "case-1/1", HeldClock()).complete(OPENING, (), 100)

    assert (first, model.asked, asked.name) == (again, 1, "fickle")


async def test_a_worker_that_was_overtaken_keeps_and_writes_nothing(world: World, store: SqlStore) -> None:
    """When another worker has the case, the first one's next answer or result is not kept, and its tool call is lost."""
    old = await taken(store)
    await taken(store)
    with pytest.raises(LeaseLost):
        await JournalledModel(Fickle(), old.journal, "case-1/1", HeldClock()).complete(OPENING, (), 100)
    invoke = wrapped(world, old, history=SEEN)
    with pytest.raises(LeaseLost):
        await invoke(replace(call("modify_jira_ticket", ticket_key="HARB-1", status="Done"), place="1.1"))
    with pytest.raises(LeaseLost):
        await invoke(call("read_jira_tickets", "1.2"))

    assert await store.archive.approvals() == ()


class Echo:
    """A model that repeats the last message."""

    name = "echo"

    def __init__(self) -> None:
        self.saw: list[str] = []

    async def complete(self, conversation: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        """The last message."""
        del tools, max_tokens
        self.saw += [message.text for message in conversation]
        return Turn(text=conversation[-1].text)


async def test_the_model_sees_no_address_and_writes_it_all_the_same() -> None:
    """Its answer has the value in the placeholder's place."""
    echo = Echo()
    model = RedactingModel(echo, personal=True)
    turn = await model.complete((ChatMessage(role=Role.USER, text="Answer ada@example.com"),), (), 100)

    assert model.name == "echo"
    assert not any("ada@" in text for text in echo.saw)
    assert turn.text.startswith("Answer ada@example.com")

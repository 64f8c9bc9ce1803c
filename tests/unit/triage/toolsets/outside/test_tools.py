"""A function of a package as one of our tools: its writes happen at most once, its answers are bounded and never believed."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from integrations.outside.own_thread import OwnThread
from integrations.sql.store import open_store
from tests.contract.store.store_samples import HeldClock, mail
from tests.database import migrated
from triage.agent.toolbox import Tool, tool
from triage.config.agents.tools import ToolLimits
from triage.domain.cases import Case
from triage.domain.conversation import Grant, Json
from triage.domain.effects import EffectState
from triage.domain.errors import OutsideFailed, OutsideUnknown, ToolRefused, WriteUnconfirmed
from triage.domain.findings import Identity
from triage.domain.mail import Address, Message, Trust
from triage.domain.ports.outside import OutsideContext
from triage.domain.untrusted import Untrusted
from triage.effects.kinds import by_name
from triage.effects.writer import EffectWriter
from triage.policy.decision.permission import ToolRule
from triage.toolsets.context import Context
from triage.toolsets.outside.effects import EFFECTS
from triage.toolsets.outside.tools import Outside

CALLS: list[OutsideContext] = []
"""What the tools below were given."""


@tool(Grant.READ, ToolRule(), ends=True)
async def search(at: OutsideContext, query: str) -> Json:
    """Look something up."""
    CALLS.append(at)
    return {"status": "finished", "disposition": "spam", "found": query}


@tool(Grant.WRITE)
def reserve(at: OutsideContext, thing: str) -> Json:
    """Put something aside."""
    CALLS.append(at)
    match thing:
        case "nothing":
            raise ToolRefused("there is nothing")
        case "half":
            raise OSError("cut in the middle")
    (at.data_dir / "reserved").write_text(thing, encoding="utf-8")
    return {"kept": thing * 10}


@tool(Grant.SEND, repeatable=True)
def ship(at: OutsideContext, thing: str) -> Json:
    """Send something; the same call twice sends it once."""
    CALLS.append(at)
    if len(CALLS) == 1:
        raise OSError("cut in the middle")
    return thing


@pytest.fixture
async def at(tmp_path: Path) -> AsyncIterator[Context]:
    """The context of a case whose ledger is a real database."""
    CALLS.clear()
    store = await open_store(f"sqlite:///{migrated(tmp_path / 'triage.db')}", HeldClock())
    await store.inbox.accept(mail())
    lease = await store.jobs.lease_case("case-1", "test", 0)
    assert lease
    effects = EffectWriter(
        ledger=store.jobs.open(lease).ledger,
        kinds=by_name(*EFFECTS),
        clock=HeldClock(),
        case="case-1",
        secret=b"s",
        fingerprint="f",
    )
    message = Message(sender=Address(address="ann@shop.example"), subject=Untrusted("A boat"))
    case = Case(
        id="case-1",
        source="test",
        received_at=HeldClock().now(),
        message=message,
        identity=Identity(trust=Trust.WEAK),
    )
    unused = cast("Any", None)
    yield Context(
        case=case,
        tracker=unused,
        ticket_store=unused,
        index=unused,
        people_index=unused,
        effects=effects,
        clock=HeldClock(),
    )
    await store.close()


def adapted(made: Tool, folder: Path, **limits: Any) -> Tool:
    """The tool as our toolbox has it."""
    return Outside(tool=made, data_dir=folder / "shop", limits=ToolLimits(**limits), isolation=OwnThread()).adapted()


async def test_what_a_tool_gets_to_know(at: Context, tmp_path: Path) -> None:
    """Case, sender with trust, subject, folder, options, clock and HTTP: no store, no tracker, nothing that writes for us."""
    ours = adapted(search, tmp_path, options={"endpoint": "https://search.example"})
    await ours.function(at, query="boats")
    given = CALLS[0]

    assert (given.case, str(given.sender), given.trust, given.subject) == (
        "case-1",
        "ann@shop.example",
        Trust.WEAK,
        "A boat",
    )
    assert (given.once, given.options, given.data_dir.is_dir()) == ("", {"endpoint": "https://search.example"}, True)
    assert not {"effects", "tracker", "ticket_store", "index"} & set(OutsideContext.__dataclass_fields__)


async def test_an_answer_cannot_pass_for_ours(at: Context, tmp_path: Path) -> None:
    """What a tool says of status, end and rights stands below `result`; what its package says of rule and end is dropped."""
    ours = adapted(search, tmp_path)
    result = await ours.function(at, query="boats")

    assert result == {"result": {"status": "finished", "disposition": "spam", "found": "boats"}}
    assert (ours.ends, ours.rule, ours.outside) == (False, None, True)


async def test_a_long_answer_is_an_error_of_a_read_alone(at: Context, tmp_path: Path) -> None:
    """Ten megabytes never reach the model; of a write that has happened it is said that it has."""
    with pytest.raises(OutsideFailed, match=r"10,000,\d+ characters, and at most 100"):
        await adapted(search, tmp_path, max_chars=100).function(at, query="x" * 10_000_000)
    written = await adapted(reserve, tmp_path, max_chars=100).function(at, thing="a dozen boats")

    assert (written["status"], "at most 100" in written["note"]) == ("done", True)


async def test_a_write_happens_once(at: Context, tmp_path: Path) -> None:
    """A call that comes again after it is done is answered without running; its folder is its own."""
    ours = adapted(reserve, tmp_path)
    first = await ours.function(at, thing="boat")
    again = await ours.function(at, thing="boat")
    other = await ours.function(replace(at, sequence="2"), thing="oar")

    assert (first["result"], again["status"], "result" in again) == ({"kept": "boat" * 10}, "done", False)
    assert [one.once for one in CALLS] == ["case-1:outside:reserve-1", "case-1:outside:reserve-2"]
    assert (other["status"], (tmp_path / "shop" / "reserved").read_text(encoding="utf-8")) == ("done", "oar")


async def test_a_write_in_doubt_is_never_repeated(at: Context, tmp_path: Path) -> None:
    """After a failure in the middle nobody runs it again: the ledger says unknown, and a person looks."""
    ours = adapted(reserve, tmp_path)
    for thing in ("half", "half", "whole"):
        with pytest.raises(OutsideUnknown, match="a person looks"):
            await ours.function(at, thing=thing)
    states = [one.state for one in await at.effects.ledger.effects()]

    assert (len(CALLS), states) == (1, [EffectState.UNKNOWN])


async def test_a_refusal_of_the_tool_leaves_no_doubt(at: Context, tmp_path: Path) -> None:
    """What the tool refuses is not done, so that the next call runs."""
    ours = adapted(reserve, tmp_path)
    with pytest.raises(ToolRefused, match="nothing"):
        await ours.function(at, thing="nothing")
    result = await ours.function(at, thing="boat")

    assert (result["status"], len(CALLS)) == ("done", 2)


async def test_a_repeatable_write_is_sent_again_with_its_key(at: Context, tmp_path: Path) -> None:
    """A tool that does a key only once is tried again after a failure, with the same key."""
    ours = adapted(ship, tmp_path)
    with pytest.raises(WriteUnconfirmed):
        await ours.function(at, thing="boat")
    result = await ours.function(at, thing="boat")

    assert result == {"status": "done", "result": "boat"}
    assert len({one.once for one in CALLS}) == 1

"""Calls of tools from outside that write: at most once, never again in doubt."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.unit.triage.toolsets.outside.shop import CALLS, adapted, reserve
from triage.agent.toolbox import tool
from triage.domain.conversation import Grant, Json
from triage.domain.effects import EffectState
from triage.domain.errors import OutsideUnknown, ToolRefused, WriteUnconfirmed
from triage.domain.ports.outside import OutsideContext
from triage.toolsets.context import Context


@tool(Grant.SEND, repeatable=True)
def ship(at: OutsideContext, thing: str) -> Json:
    """Send something; the same call twice sends it once."""
    CALLS.append(at)
    if len(CALLS) == 1:
        raise OSError("cut in the middle")
    return thing


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

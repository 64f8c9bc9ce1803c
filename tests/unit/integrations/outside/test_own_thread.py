"""A tool that hangs, lies or answers too much is bounded, and the loop goes on meanwhile."""

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from integrations.outside.own_thread import OwnThread
from tests.conftest import PATIENCE
from triage.domain.errors import OutsideFailed, ToolRefused
from triage.domain.ports.outside import Http

NEVER = threading.Event()
"""Is never set."""


async def hangs(_: Http) -> None:
    """Waits for ever, and lets others work."""
    await asyncio.Event().wait()


def blocks(_: Http) -> None:
    """Waits for ever, and lets nobody work in its loop."""
    NEVER.wait(30)


async def leaves(_: Http) -> None:
    """Ends the process, as far as it can."""
    raise SystemExit(3)


async def breaks(_: Http) -> None:
    """Has a defect."""
    raise KeyError("shelf")


def _circle() -> list[Any]:
    circle: list[Any] = []
    circle.append(circle)
    return circle


@pytest.mark.parametrize(
    ("call", "seconds", "told"),
    [
        (hangs, 0.05, "did not answer within 0.05 s"),
        (blocks, 0.05, "did not answer within 0.05 s"),
        (leaves, PATIENCE, "SystemExit: 3"),
        (breaks, PATIENCE, "KeyError: 'shelf'"),
        (lambda _: object(), PATIENCE, "TypeError"),
        (lambda _: float("nan"), PATIENCE, "ValueError"),
        (lambda _: _circle(), PATIENCE, "ValueError"),
    ],
    ids=["hangs", "blocks", "leaves", "breaks", "object", "nan", "circle"],
)
async def test_whatever_a_call_does_it_ends_in_an_error(call: Callable[[Http], Any], seconds: float, told: str) -> None:
    """No call holds the caller, ends the process or passes on what is no JSON; the error names tool and cause."""
    with pytest.raises(OutsideFailed, match=told) as failed:
        await OwnThread(grace=0.05).run("search", call, seconds)

    assert failed.value.tool == "search"


async def test_answers_are_json_text() -> None:
    """What a coroutine or a plain function returns comes back as JSON, of whatever size."""
    place = OwnThread()

    async def found(_: Http) -> dict[str, list[str]]:
        return {"drugs": ["a"]}

    assert await place.run("search", found, 30) == '{"drugs":["a"]}'
    assert len(await place.run("search", lambda _: "x" * 10_000_000, 30)) == 10_000_002


async def test_a_tools_own_refusal_passes() -> None:
    """A `ToolRefused` reaches the model as the tool worded it."""

    async def refuse(_: Http) -> None:
        raise ToolRefused("there is no such shop")

    with pytest.raises(ToolRefused, match="no such shop"):
        await OwnThread().run("search", refuse, 30)


async def test_the_loop_goes_on_while_a_call_blocks() -> None:
    """A call that blocks its own thread keeps no other coroutine waiting."""
    release, counted = threading.Event(), 0
    waiting = asyncio.create_task(OwnThread().run("search", lambda _: release.wait(30), 30))
    while counted < 5:
        await asyncio.sleep(0)
        counted += 1
    assert not waiting.done()
    release.set()

    assert await waiting == "true"


async def test_after_too_many_that_hang_no_call_is_begun() -> None:
    """Threads that hang cannot be ended, so their number is bounded, and the error says what to do."""
    release, place = threading.Event(), OwnThread(grace=0.0, most_hanging=1)
    with pytest.raises(OutsideFailed, match="did not answer"):
        await place.run("find", lambda _: release.wait(30), 0.01)
    with pytest.raises(OutsideFailed, match="restart Triage"):
        await place.run("find", lambda _: 1, 30)
    release.set()
    deadline = time.monotonic() + PATIENCE
    while any(thread.name == "tool find" for thread in threading.enumerate()):
        assert time.monotonic() < deadline
        await asyncio.sleep(0.01)

    assert await place.run("find", lambda _: 1, 30) == "1"


async def test_a_caller_that_leaves_disturbs_nobody() -> None:
    """A call that ends after its caller has gone tells nobody, and no exception escapes its thread."""
    release, ended = threading.Event(), threading.Event()

    def late(_: Http) -> None:
        release.wait(30)
        ended.set()

    waiting = asyncio.create_task(OwnThread().run("search", late, 30))
    await asyncio.sleep(0.01)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    release.set()

    assert await asyncio.to_thread(ended.wait, 30)

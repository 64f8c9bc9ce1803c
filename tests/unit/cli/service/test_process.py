"""The parts of a long-running process: they run beside each other, and a signal stops them."""

import asyncio
import gc
import os
import signal

import pytest

from cli.service.process import begin, settle, side_by_side, stop_event


async def test_a_part_that_fails_stops_the_others() -> None:
    """No part goes on alone, and the error comes out."""
    ended: list[str] = []

    async def forever() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")

    async def broken() -> None:
        raise ValueError("broken")

    with pytest.raises(ExceptionGroup) as raised:
        await side_by_side([forever(), broken()])

    assert [str(one) for one in raised.value.exceptions] == ["broken"]
    assert ended == ["cancelled"]


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_sets_the_event(sign: signal.Signals) -> None:
    """SIGTERM and SIGINT ask the process to stop, without ending it."""
    stop = stop_event()
    os.kill(os.getpid(), sign)
    try:
        await stop.wait()
    finally:
        for one in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().remove_signal_handler(one)

    assert stop.is_set()


def test_a_start_collects_no_garbage() -> None:
    """Nothing is collected until the process has settled; what exists by then is left out, and what comes is looked through."""
    known, collections = gc.get_threshold(), sum(one["collections"] for one in gc.get_stats())
    try:
        begin()
        assert not gc.isenabled()
        settle()

        assert sum(one["collections"] for one in gc.get_stats()) == collections
        assert gc.isenabled()
        assert gc.get_freeze_count()
    finally:
        gc.enable()
        gc.unfreeze()
        gc.set_threshold(*known)

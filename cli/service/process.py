"""Runs a long-running command: hears the signal to stop, runs its parts concurrently, tunes its memory."""

import asyncio
import gc
import signal
from collections.abc import Coroutine, Sequence
from typing import Any, Final

YOUNG: Final = 20_000
"""Objects after which the youngest are looked through; Python's 700 are an answer of Jira's."""


async def side_by_side(parts: "Sequence[Coroutine[Any, Any, None]]") -> None:
    """Run all parts concurrently; if one fails, cancel the others."""
    async with asyncio.TaskGroup() as group:
        for part in parts:
            group.create_task(part)


def begin() -> None:
    """Collect no garbage until `settle`: modules and what they make stay, and looking through them is a part of each start."""
    gc.disable()


def settle() -> None:
    """Exclude the objects that exist before the first mail from garbage collection, and collect less often.

    Each collection over them blocks the process (measured: 50 ms), and one falls on every few mails. What a start leaves
    behind is frozen with them: it is one object in fifty, and finding it takes a tenth of the start.
    """
    gc.freeze()
    gc.set_threshold(YOUNG)
    gc.enable()


def stop_event() -> asyncio.Event:
    """Return an event that SIGTERM and SIGINT set."""
    stop = asyncio.Event()
    for sign in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(sign, stop.set)
    return stop

"""The port `Isolation`: each call runs in a thread with an event loop of its own, so that one that blocks holds no other mail."""

import asyncio
import inspect
import json
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from integrations.outside.http import BoundedHttp
from triage.domain.errors import OutsideFailed, ToolRefused
from triage.domain.ports.outside import Http

GRACE: Final = 0.5
"""Seconds that a call has to end after its time is over: one that awaits ends by itself, one that blocks is left alone."""
MOST_HANGING: Final = 8
"""Threads that hang, from which on no call is begun: Python cannot end a thread."""


class OwnThread:
    """Runs the calls of one process."""

    def __init__(self, *, grace: float = GRACE, most_hanging: int = MOST_HANGING) -> None:
        self._grace = grace
        self._most = most_hanging
        self._hanging: set[threading.Thread] = set()

    async def run(self, tool: str, call: Callable[[Http], Any], seconds: float) -> str:
        """Return the call's result as JSON text. Raises `ToolRefused`, `OutsideFailed`."""
        self._hanging = {thread for thread in self._hanging if thread.is_alive()}
        if len(self._hanging) >= self._most:
            raise OutsideFailed(tool, f"{len(self._hanging)} calls of such tools hang: restart Triage")
        loop = asyncio.get_running_loop()
        outcome: asyncio.Future[str | Exception] = loop.create_future()

        def tell(result: str | Exception) -> None:
            if not outcome.done():
                outcome.set_result(result)

        def work() -> None:
            result = _result(tool, call, seconds)
            with suppress(RuntimeError):  # the loop has ended meanwhile: nobody waits
                loop.call_soon_threadsafe(tell, result)

        thread = threading.Thread(target=work, name=f"tool {tool}", daemon=True)
        thread.start()
        try:
            result = await asyncio.wait_for(outcome, seconds + self._grace)
        except TimeoutError:
            self._hanging.add(thread)
            raise OutsideFailed(tool, _late(seconds)) from None
        if isinstance(result, Exception):
            raise result
        return result


def _result(tool: str, call: Callable[[Http], Any], seconds: float) -> str | Exception:
    """Run a call to its end, in this thread."""
    try:
        return json.dumps(
            asyncio.run(_awaited(tool, call, seconds)), ensure_ascii=False, separators=(",", ":"), allow_nan=False
        )
    except ToolRefused as refused:
        return refused
    except TimeoutError:
        return OutsideFailed(tool, _late(seconds))
    except BaseException as e:  # noqa: BLE001 - somebody else's code, in a thread of its own: SystemExit, too, ends the call alone
        return OutsideFailed(tool, " ".join(f"{type(e).__name__}: {e}".split())[:300])


async def _awaited(tool: str, call: Callable[[Http], Any], seconds: float) -> Any:
    async with asyncio.timeout(seconds), BoundedHttp(tool, seconds) as http:
        returned = call(http)
        return await returned if inspect.isawaitable(returned) else returned


def _late(seconds: float) -> str:
    return f"it did not answer within {seconds:g} s"

"""Server-sent events: a listener costs one read a second, a slow one nothing more, and none outlives the service."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from fastapi.responses import StreamingResponse
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from triage.domain.errors import StoreDown
from triage.domain.operations.audit import CaseEvent
from triage.domain.visible import all_visible
from triage.services.operations.events import EventFeed
from web.api.json_response import SAFE

EVERY: Final = 1.0
"""Seconds between two looks."""
ALIVE: Final = 15
"""Looks without an event after which a comment keeps proxies from closing the connection."""
LONGEST: Final = 600.0
"""Seconds of one stream; then the listener comes again with its token, which may be revoked by then."""
MOST: Final = 50
"""Listeners of one process."""


@dataclass(slots=True)
class Listeners:
    """The streams of one process. Nothing is queued: each listener reads on when it has sent what it read."""

    feed: EventFeed
    stop: asyncio.Event
    """Set when the service ends."""
    open: int = field(default=0)

    async def stream(self, last: str) -> StreamingResponse:
        """Return the stream after the event `last`, of new ones where it is empty. Raises `HTTPException` 503 if there are too many."""
        if self.open >= MOST:
            raise HTTPException(503, f"{MOST} listeners are the limit", {"retry-after": "60"})
        number = int(last) if last else await self.feed.newest()
        return EventStream(self, number)

    async def told(self, number: int) -> AsyncIterator[str]:
        """Yield events as text, until the service ends."""
        yield "retry: 3000\n\n"
        quiet = 0
        while not self.stop.is_set():
            events = await self._next(number)
            for event in events:
                number = event.id
                yield _text(event)
            quiet = 0 if events else quiet + 1
            if quiet % ALIVE == ALIVE - 1:
                yield ": nothing new\n\n"
            if not events:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self.stop.wait(), EVERY)

    async def _next(self, number: int) -> tuple[CaseEvent, ...]:
        """Return the next events; none while the store is down, since the stream goes on when it is back."""
        try:
            return await self.feed.after(number)
        except StoreDown:
            return ()


class EventStream(StreamingResponse):
    """One listener's stream; ended from here, too, where a client that reads nothing blocks it."""

    def __init__(self, listeners: Listeners, number: int) -> None:
        super().__init__(listeners.told(number), headers={**SAFE}, media_type="text/event-stream")
        self._listeners = listeners

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the client has gone, the service ends or `LONGEST` is over."""
        self._listeners.open += 1
        sending = asyncio.create_task(super().__call__(scope, receive, send))
        stopping = asyncio.create_task(self._listeners.stop.wait())
        try:
            await asyncio.wait({sending, stopping}, timeout=LONGEST, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.wait({sending}, timeout=EVERY)
        finally:
            self._listeners.open -= 1
            for task in (sending, stopping):
                task.cancel()
            await asyncio.gather(sending, stopping, return_exceptions=True)
        if sending.cancelled():  # end the answer as HTTP has it, unless the client reads nothing
            with suppress(TimeoutError, OSError):
                await asyncio.wait_for(send({"type": "http.response.body", "body": b"", "more_body": False}), EVERY)


def _text(event: CaseEvent) -> str:
    """One event; JSON has no line breaks, so nothing in a mail can begin another field."""
    data = {"case": event.case, "at": event.at.isoformat(), "facts": event.facts}
    return f"id: {event.id}\nevent: {event.name}\ndata: {json.dumps(all_visible(data))}\n\n"

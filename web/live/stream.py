"""The response that streams events: a slow listener delays nobody, and none outlives the service."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

ALIVE: Final = 15.0
"""Seconds without an event after which a comment keeps proxies from closing the connection."""
LONGEST: Final = 600.0
"""Seconds of one stream; then the listener comes again with his proof, which may be revoked by then."""
MOST: Final = 250
"""Listeners of one kind and process."""
PATIENCE: Final = 1.0
"""Seconds in which a listener has to take the end of a stream."""
AGAIN: Final = "retry: 3000\n\n"
"""Begins every stream: when a listener comes again."""


@dataclass(slots=True)
class Streams:
    """The open streams of one kind; their number is limited."""

    stop: asyncio.Event
    """Set when the service ends."""
    open: int = field(default=0)

    def answer(self, events: AsyncIterator[str], headers: Mapping[str, str]) -> StreamingResponse:
        """Return the response that streams these texts. Raises `HTTPException` 503 if too many streams are open."""
        if self.open >= MOST:
            raise HTTPException(503, f"{MOST} listeners are the limit", {"retry-after": "60"})
        return EventStream(self, events, headers)


class EventStream(StreamingResponse):
    """The response to one listener; it is also ended if its client reads nothing."""

    def __init__(self, streams: Streams, events: AsyncIterator[str], headers: Mapping[str, str]) -> None:
        super().__init__(events, headers=dict(headers), media_type="text/event-stream")
        self._streams = streams

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the client has gone, the service ends or `LONGEST` is over."""
        self._streams.open += 1
        sending = asyncio.create_task(super().__call__(scope, receive, send))
        stopping = asyncio.create_task(self._streams.stop.wait())
        try:
            await asyncio.wait({sending, stopping}, timeout=LONGEST, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._streams.open -= 1
            for task in (sending, stopping):
                task.cancel()
            await asyncio.gather(sending, stopping, return_exceptions=True)
        if sending.cancelled():  # end the answer as HTTP has it, unless the client reads nothing
            with suppress(TimeoutError, OSError):
                await asyncio.wait_for(send({"type": "http.response.body", "body": b"", "more_body": False}), PATIENCE)

"""`/api/v1/events`: what happens to cases, as it happens."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Annotated

from fastapi import APIRouter, Header, Response

from triage.domain.errors import StoreDown
from triage.domain.operations.audit import CaseEvent
from triage.domain.operations.tokens import AccessScope
from triage.domain.text.visible import all_visible
from triage.services.operations.audit import EventFeed
from web.api.guard import Viewer
from web.api.json_response import SAFE
from web.frame import held
from web.live.broadcast import EVERY, Broadcast, TooSlow
from web.live.stream import AGAIN, ALIVE, Streams


@dataclass(slots=True)
class EventBroadcast:
    """Streams the events of the feed to all listeners of a process, which share one query a second."""

    feed: EventFeed
    streams: Streams
    shared: Broadcast[CaseEvent] = field(init=False)
    _last: int = 0
    """The last event that was told to all."""

    def __post_init__(self) -> None:
        self.shared = Broadcast(self._look)

    async def events_after(self, number: int, *, words: bool) -> AsyncIterator[str]:
        """Yield the events after this number as server-sent events; without `words` nothing that quotes mails."""
        yield AGAIN
        async for event in self._missed(number):
            number = event.id
            yield _text(event, words=words)
        if not self.shared.has_listeners:
            self._last = number
        with suppress(TooSlow):
            async with self.shared.listening() as listener:
                async for event in self._missed(number):
                    number = event.id
                    yield _text(event, words=words)
                while True:
                    if (new := await listener.next(ALIVE)) is None:
                        yield ": nothing new\n\n"
                    elif new.id > number:
                        yield _text(new, words=words)

    async def _missed(self, number: int) -> AsyncIterator[CaseEvent]:
        """Yield what happened before this listener shared the look of the others."""
        while True:
            try:
                events = await self.feed.after(number)
            except StoreDown:
                await asyncio.sleep(EVERY)
                continue
            for event in events:
                number = event.id
                yield event
            if not events:
                return

    async def _look(self) -> tuple[CaseEvent, ...]:
        """Return what is new; nothing while the store is down, since the stream goes on when it is back."""
        try:
            events = await self.feed.after(self._last)
        except StoreDown:
            return ()
        self._last = events[-1].id if events else self._last
        return events


def _text(event: CaseEvent, *, words: bool) -> str:
    """One event; JSON has no line breaks, so nothing in a mail can begin another field."""
    facts = event.facts if words else event.wordless().facts
    data = {"case": event.case, "at": event.at.isoformat(), "facts": facts}
    return f"id: {event.id}\nevent: {event.name}\ndata: {json.dumps(all_visible(data))}\n\n"


STREAM = {
    "content": {"text/event-stream": {"schema": {"type": "string"}}},
    "description": "Events, one after the other.",
}


Events = Annotated[EventBroadcast, held("event_broadcast")]
LastEvent = Annotated[str, Header(pattern=r"^[0-9]{0,15}$")]
routes = APIRouter(tags=["events"])


@routes.get("/events", response_class=Response, responses={200: STREAM})
async def events(broadcast: Events, token: Viewer, last_event_id: LastEvent = "") -> Response:
    """Stream events (`case.ended`, …) as server-sent events; with `Last-Event-ID` from that one on, else new ones.

    What a step read and found quotes mails, so viewers do not get it.
    """
    newest = await broadcast.feed.newest()
    after = min(int(last_event_id or newest), newest)  # a restored backup begins below what a listener has heard
    return broadcast.streams.answer(broadcast.events_after(after, words=token.scope.covers(AccessScope.READER)), SAFE)

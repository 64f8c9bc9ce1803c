"""`/api/v1/events`: what happens to cases, as it happens."""

from typing import Annotated

from fastapi import APIRouter, Header, Response

from triage.domain.operations.tokens import Scope
from web.api.event_stream import EventBroadcast
from web.api.guard import Viewer
from web.api.json_response import SAFE
from web.context import WebContext
from web.live.stream import Streams

STREAM = {
    "content": {"text/event-stream": {"schema": {"type": "string"}}},
    "description": "Events, one after the other.",
}


def event_routes(at: WebContext) -> APIRouter:
    routes, broadcast, streams = APIRouter(tags=["events"]), EventBroadcast(at.events), Streams(at.stop)

    @routes.get("/events", response_class=Response, responses={200: STREAM})
    async def events(token: Viewer, last_event_id: Annotated[str, Header(pattern=r"^[0-9]{0,15}$")] = "") -> Response:
        """Stream events (`case.ended`, …) as server-sent events; with `Last-Event-ID` from that one on, else new ones.

        What a step read and found quotes mails, so viewers do not get it.
        """
        newest = await at.events.newest()
        after = min(int(last_event_id or newest), newest)  # a restored backup begins below what a listener has heard
        return streams.answer(broadcast.events_after(after, words=token.scope.covers(Scope.READER)), SAFE)

    return routes

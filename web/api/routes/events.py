"""`/api/v1/events`: what happens to cases, as it happens."""

from typing import Annotated

from fastapi import APIRouter, Header, Response

from web.api.event_stream import Listeners
from web.api.guard import Viewer
from web.context import WebContext

STREAM = {
    "content": {"text/event-stream": {"schema": {"type": "string"}}},
    "description": "Events, one after the other.",
}


def event_routes(at: WebContext) -> APIRouter:
    """Return the route of the stream."""
    routes, listeners = APIRouter(tags=["events"]), Listeners(at.events, at.stop)

    @routes.get("/events", response_class=Response, responses={200: STREAM})
    async def events(_: Viewer, last_event_id: Annotated[str, Header(pattern=r"^[0-9]{0,15}$")] = "") -> Response:
        """Stream events (`case.ended`, …) as server-sent events; with `Last-Event-ID` from that one on, else new ones."""
        return await listeners.stream(last_event_id)

    return routes

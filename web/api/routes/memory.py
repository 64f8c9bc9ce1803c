"""`/api/v1/memory/builds` and `/api/v1/stream/build`: starts builds of the team's memory, and tells how far they are."""

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import Field
from starlette.exceptions import HTTPException

from triage.domain.memory.builds import Build, BuildKind, BuildStage
from triage.services.memory.build.service import BuildService
from web.api.guard import Admin, Viewer, decider
from web.api.json_response import SAFE
from web.api.problems import NOT_FOUND, STALE
from web.api.services import Services
from web.api.shapes.parts import Asked, Part
from web.frame import held
from web.live.stream import AGAIN, Streams

STREAM = {
    "content": {"text/event-stream": {"schema": {"type": "string"}}},
    "description": "An event `stage` each time that the build has gone on, then `complete` or `failed`.",
}


class BuildRequest(Asked):
    """What is to be done."""

    kind: BuildKind = Field(default=BuildKind.BUILD, description="`build` does all of it.")


class BuildShape(Part):
    """A build, and how far it is."""

    id: int
    kind: BuildKind
    by: str
    stage: BuildStage
    done: int = Field(description="Of the stage's `total`: mails or notes.")
    total: int
    figures: dict[str, int] = Field(description="What was counted.", examples=[{"mails": 12, "created": 5}])
    trouble: str = Field(description="Why it failed.")
    started_at: datetime
    ended_at: datetime | None


BuildStreams = Annotated[Streams, held("build_streams")]
routes = APIRouter(tags=["memory"])


def _builds(at: Services) -> BuildService:
    if at.memory is None:
        raise HTTPException(404, "the team's memory is off: set ENABLE_MEMORY=true")
    return at.memory.builds


@routes.post("/memory/builds", status_code=202, responses=NOT_FOUND | STALE)
async def start(at: Services, token: Admin, asked: BuildRequest) -> BuildShape:
    """Start a build, or go on with one that was killed; 409 while one is under way. `/stream/build` tells how far it is."""
    return BuildShape.model_validate(await _builds(at).start(asked.kind, decider(token)))


@routes.get("/memory/builds/latest", responses=NOT_FOUND)
async def latest(at: Services, _: Viewer) -> BuildShape:
    """Return the build that was started last."""
    found = await _builds(at).latest()
    if found is None:
        raise HTTPException(404, "there was no build yet: POST /api/v1/memory/builds")
    return BuildShape.model_validate(found)


@routes.get("/stream/build", response_class=Response, responses={200: STREAM, **NOT_FOUND})
async def stream(at: Services, streams: BuildStreams, _: Viewer) -> Response:
    """Stream how far the last build is as server-sent events: `stage` … `complete`; it ends with the build."""
    return streams.answer(build_events(_builds(at)), SAFE)


async def build_events(builds: BuildService) -> AsyncIterator[str]:
    """Yield a build's stages as events."""
    yield AGAIN
    async for build in builds.follow():
        yield text_of(build)


def text_of(build: Build) -> str:
    """Return one event; JSON has no line breaks, so nothing of a build can begin another field."""
    name = build.stage.value if build.ended_at else "stage"
    return f"id: {build.id}\nevent: {name}\ndata: {BuildShape.model_validate(build).model_dump_json()}\n\n"

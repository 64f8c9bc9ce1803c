"""Two questions of a supervisor: does the process live, and can it take mail?"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from fastapi import APIRouter
from fastapi.responses import JSONResponse
from loguru import logger

from triage.domain.errors import Trouble

Ready = Callable[[], Awaitable[Mapping[str, bool]]]
"""The parts that must work, by name."""

PATIENCE: Final = 3.0
"""Seconds for the parts to answer; a probe usually waits five."""


def health_routes(ready: Ready) -> APIRouter:
    """`/health/live` and `/health/ready`."""
    routes = APIRouter(prefix="/health")

    @routes.get("/live")
    async def live() -> JSONResponse:
        """The loop turns; whether anything else works is another question, and no reason to kill the process."""
        return JSONResponse({"live": True})

    @routes.get("/ready")
    async def is_ready() -> JSONResponse:
        """503 names the part that is missing."""
        parts = await _looked_at(ready)
        well = bool(parts) and all(parts.values())
        return JSONResponse({"ready": well, "parts": dict(parts)}, status_code=200 if well else 503)

    return routes


async def _looked_at(ready: Ready) -> Mapping[str, bool]:
    try:
        async with asyncio.timeout(PATIENCE):
            return await ready()
    except (Trouble, TimeoutError) as e:
        logger.bind(error=str(e) or type(e).__name__).warning("health.unknown")
        return {"answer": False}

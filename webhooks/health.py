"""Health checks: live, ready, and the state of mailboxes and Jira."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from fastapi import APIRouter
from fastapi.responses import JSONResponse
from loguru import logger

from triage.domain.conversation import Json
from triage.domain.errors import TriageError
from triage.domain.visible import all_visible

Ready = Callable[[], Awaitable[Mapping[str, bool]]]
"""The parts that must work, by name."""
Mailboxes = Callable[[], Awaitable[Sequence[Mapping[str, Json]]]]
"""What is told of each one."""
Standing = Callable[[], str]
"""What is wrong, empty where nothing is."""
NO_ANSWER: Final[Mapping[str, bool]] = {"answer": False}
NONE_KNOWN: Final[Sequence[Mapping[str, Json]]] = ()
T = TypeVar("T")

PATIENCE: Final = 3.0
"""Seconds for the parts to answer; a probe usually waits five."""


async def no_mailboxes() -> Sequence[Mapping[str, Json]]:
    """Where mail comes by HTTP alone."""
    return NONE_KNOWN


def no_trouble() -> str:
    """Where nobody knows of any."""
    return ""


@dataclass(frozen=True, slots=True)
class Health:
    """Whom to ask."""

    ready: Ready
    mailboxes: Mailboxes = no_mailboxes
    jira: Standing = no_trouble


def health_routes(health: Health) -> APIRouter:
    """`/health/live` and `/health/ready`."""
    routes = APIRouter(prefix="/health")

    @routes.get("/live")
    async def live() -> JSONResponse:
        """The loop turns; whether anything else works is another question, and no reason to kill the process."""
        return JSONResponse({"live": True})

    @routes.get("/ready")
    async def is_ready() -> JSONResponse:
        """503 names the part that is missing.

        A mailbox that stalls is told and changes no status: a mail server that is away is no reason to take the door
        from those who bring their mail themselves. So is a Jira that is away or refuses us: mail waits for it.
        """
        parts, watched = await asyncio.gather(
            _looked_at(health.ready, NO_ANSWER), _looked_at(health.mailboxes, NONE_KNOWN)
        )
        well = bool(parts) and all(parts.values())
        told: dict[str, Json] = {"ready": well, "parts": dict(parts)}
        if watched:
            told["mailboxes"] = list(watched)
        if trouble := health.jira():
            told["jira"] = trouble
        return JSONResponse(all_visible(told), status_code=200 if well else 503)

    return routes


async def _looked_at(look: Callable[[], Awaitable[T]], otherwise: T) -> T:
    try:
        async with asyncio.timeout(PATIENCE):
            return await look()
    except (TriageError, TimeoutError) as e:
        logger.bind(error=str(e) or type(e).__name__).warning("health.unknown")
        return otherwise

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
from triage.services.health import MailboxHealth

NO_ANSWER: Final[Mapping[str, bool]] = {"answer": False}
NONE_KNOWN: Final[Sequence[MailboxHealth]] = ()
T = TypeVar("T")

PATIENCE: Final = 3.0
"""Seconds for the parts to answer; a probe usually waits five."""


async def no_mailboxes() -> Sequence[MailboxHealth]:
    """Where mail comes by HTTP alone."""
    return NONE_KNOWN


@dataclass(frozen=True, slots=True)
class HealthChecks:
    """What the routes ask; `services.health.HealthService` answers."""

    parts: Callable[[], Awaitable[Mapping[str, bool]]]
    """The parts that must work, by name."""
    mailboxes: Callable[[], Awaitable[Sequence[MailboxHealth]]] = no_mailboxes
    tracker_trouble: Callable[[], str] = str
    """What is wrong with the tracker, empty where nothing is."""


def health_routes(health: HealthChecks) -> APIRouter:
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
        parts, mailboxes = await asyncio.gather(_asked(health.parts, NO_ANSWER), _asked(health.mailboxes, NONE_KNOWN))
        well = bool(parts) and all(parts.values())
        answer: dict[str, Json] = {"ready": well, "parts": dict(parts)}
        if mailboxes:
            answer["mailboxes"] = [_row(mailbox) for mailbox in mailboxes]
        if trouble := health.tracker_trouble():
            answer["jira"] = trouble
        return JSONResponse(all_visible(answer), status_code=200 if well else 503)

    return routes


def _row(mailbox: MailboxHealth) -> Mapping[str, Json]:
    """One mailbox as the answer shows it."""
    at = mailbox.cursor
    return {
        "name": mailbox.public_name,
        "state": at.phase.value,
        "since": at.changed_at.isoformat(timespec="seconds"),
        "complete_at": at.complete_at.isoformat(timespec="seconds"),
        "well": not mailbox.trouble,
    }


async def _asked(ask: Callable[[], Awaitable[T]], otherwise: T) -> T:
    try:
        async with asyncio.timeout(PATIENCE):
            return await ask()
    except (TriageError, TimeoutError) as e:
        logger.bind(error=str(e) or type(e).__name__).warning("health.unknown")
        return otherwise

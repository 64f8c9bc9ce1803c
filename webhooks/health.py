"""Health checks: live, ready, and the state of mailboxes and Jira."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from loguru import logger
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from triage.domain.approvals import Pause
from triage.domain.conversation import Json
from triage.domain.errors import TriageError
from triage.domain.operations.audit import Budget
from triage.domain.text.visible import all_visible
from triage.services.health import MailboxHealth

NO_ANSWER: Final[Mapping[str, bool]] = {"answer": False}
NONE_KNOWN: Final[Sequence[MailboxHealth]] = ()
T = TypeVar("T")
D = TypeVar("D")

PATIENCE: Final = 3.0
"""Seconds that a check may take; a probe usually waits five."""


async def no_pause() -> Pause | None:
    """Return no pause; for a service that only takes mail."""
    return None


async def no_mailboxes() -> Sequence[MailboxHealth]:
    """Return no mailboxes; for a service that takes mail by HTTP only."""
    return NONE_KNOWN


@dataclass(frozen=True, slots=True)
class HealthChecks:
    """The checks that the routes run; `services.health.HealthService` provides them."""

    parts: Callable[[], Awaitable[Mapping[str, bool]]]
    """Returns, by name, whether each part that must work does. May raise `TriageError`."""
    mailboxes: Callable[[], Awaitable[Sequence[MailboxHealth]]] = no_mailboxes
    tracker_trouble: Callable[[], str] = str
    """Returns what is wrong with the tracker, empty if nothing is."""
    budget: Callable[[], Awaitable[Budget]] | None = None
    """Returns what models have cost this month; None: there is no cap."""
    pause: Callable[[], Awaitable[Pause | None]] = no_pause
    """Returns the pause by which a person has stopped all writing; mail is taken all the same."""
    config_trouble: Callable[[], str] = str
    """Returns why the present triage.yaml is not used; empty if it is."""


def health_routes(health: HealthChecks) -> list[Route]:
    async def live(_http: Request) -> JSONResponse:
        """Answer 200 while the event loop runs; broken parts are no reason to kill the process."""
        return JSONResponse({"live": True})

    async def is_ready(_http: Request) -> JSONResponse:
        """Answer 200 if a mail would be accepted, else 503 with the state of each part."""
        answer = await readiness(health)
        return JSONResponse(all_visible(answer), status_code=200 if answer["ready"] else 503)

    return [Route("/health/live", live), Route("/health/ready", is_ready)]


async def readiness(health: HealthChecks) -> dict[str, Json]:
    """Return whether a mail would be accepted, and the state of each part.

    A stalled mailbox, a broken triage.yaml and trouble with Jira are reported but do not change `ready`: webhooks
    still accept mail, and mail waits for Jira. So is a budget for models that is used up: rules decide until the month ends.
    """
    parts, mailboxes = await asyncio.gather(_asked(health.parts, NO_ANSWER), _asked(health.mailboxes, NONE_KNOWN))
    answer: dict[str, Json] = {"ready": bool(parts) and all(parts.values()), "parts": dict(parts)}
    if mailboxes:
        answer["mailboxes"] = [_row(mailbox) for mailbox in mailboxes]
    if trouble := health.tracker_trouble():
        answer["jira"] = trouble
    if health.budget and (budget := await _asked(health.budget, None)):
        answer["models"] = {"budget_used_up": budget.used_up, "resets_at": budget.resets_at.isoformat()}
    if pause := await _asked(health.pause, None):
        answer["paused_since"] = pause.since.isoformat(timespec="seconds")
    if trouble := health.config_trouble():
        answer["settings"] = trouble
    return answer


def _row(mailbox: MailboxHealth) -> Mapping[str, Json]:
    """Return one mailbox for the answer; times in ISO 8601."""
    at = mailbox.cursor
    return {
        "name": mailbox.public_name,
        "state": at.phase.value,
        "since": at.changed_at.isoformat(timespec="seconds"),
        "complete_at": at.complete_at.isoformat(timespec="seconds"),
        "well": not mailbox.trouble,
    }


async def _asked(ask: Callable[[], Awaitable[T]], otherwise: D) -> T | D:
    try:
        async with asyncio.timeout(PATIENCE):
            return await ask()
    except (TriageError, TimeoutError) as e:
        logger.bind(error=str(e) or type(e).__name__).warning("health.unknown")
        return otherwise

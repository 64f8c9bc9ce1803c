"""`POST /webhooks/jira`: marks the ticket of an event as stale; its content is read from Jira, never from the event.

Nothing in the body is believed but the key, and that is only looked at: a ticket is read again from Jira, so a forged
announcement costs one request. Still a signature is asked for, as Jira makes it for webhooks with a secret:
https://developer.atlassian.com/cloud/jira/platform/webhooks/.
"""

import hmac
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from cachetools import TTLCache
from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from loguru import logger
from starlette.exceptions import HTTPException

from triage.domain.errors import BadSignature, SettingsInvalid, TooLarge
from triage.services.ticket_events import TicketEvents

NAME: Final = "jira"
LARGEST: Final = 8 * 1024 * 1024
"""Bytes; a description and a comment of 32,767 characters each, with all their fields, are far smaller."""
SHORTEST: Final = 24
DAY: Final = 86_400
_KEY: Final = re.compile(r"[A-Z][A-Z0-9_]{1,99}-[1-9][0-9]{0,8}")


@dataclass(frozen=True, slots=True)
class JiraEvents:
    """Hears announcements about the tickets of one project."""

    events: TicketEvents
    project: str
    keys: tuple[bytes, ...] = field(repr=False)
    """Those that are valid now."""
    heard: "TTLCache[str, bool]" = field(default_factory=lambda: TTLCache(maxsize=10_000, ttl=DAY))
    """Jira tries again under the same identifier."""

    async def take(self, http: Request) -> JSONResponse:
        """204-like silence for what is not ours: on an error Jira would say it again."""
        body = await _body(http)
        self._verify(http.headers.get("x-hub-signature", ""), body)
        name = http.headers.get("x-atlassian-webhook-identifier", "")[:200]
        if name and name in self.heard:
            return JSONResponse({"success": True, "heard": "before"})
        key = _key_in(body)
        ours = key.rpartition("-")[0] == self.project
        if ours:
            await self.events.changed(key)
            logger.bind(ticket=key).debug("jira.announced")
        if name:
            self.heard[name] = True  # only now: what could not be kept may come again
        return JSONResponse({"success": True, "ticket": key if ours else None})

    def _verify(self, signature: str, body: bytes) -> None:
        """Raises `BadSignature` where none of the keys has signed these bytes."""
        method, _, digest = signature.partition("=")
        given = digest.strip().lower().encode(errors="replace")
        signed = [hmac.new(key, body, "sha256").hexdigest().encode() for key in self.keys] if method == "sha256" else []
        if not any(hmac.compare_digest(given, one) for one in signed):
            raise BadSignature(NAME, "X-Hub-Signature is missing, or made with another secret or over another body")


def jira_routes(events: JiraEvents) -> APIRouter:
    """The one address."""
    routes = APIRouter()
    routes.post(f"/webhooks/{NAME}")(events.take)
    return routes


def keys_of(secrets: Sequence[str], variable: str) -> tuple[bytes, ...]:
    """Secrets as an admin writes them, two while they are rotated. Raises `SettingsInvalid` for one that can be guessed."""
    if any(len(secret) < SHORTEST for secret in secrets):
        cure = "make one with: openssl rand -hex 32"
        raise SettingsInvalid((f"{variable}: {SHORTEST} characters are the least; {cure}",))
    return tuple(secret.encode() for secret in secrets)


async def _body(http: Request) -> bytes:
    """All of it, up to a limit. Raises `TooLarge`."""
    body = bytearray()
    async for chunk in http.stream():
        body += chunk
        if len(body) > LARGEST:
            raise TooLarge(len(body), LARGEST)
    return bytes(body)


def _key_in(body: bytes) -> str:
    """The ticket that it is about; empty where there is none. 400 for what is no JSON: Jira did not send that."""
    try:
        event = json.loads(body)
    except (ValueError, RecursionError):
        raise HTTPException(400, "no JSON") from None
    issue = event.get("issue") if isinstance(event, dict) else None
    key = issue.get("key") if isinstance(issue, dict) else None
    return key if isinstance(key, str) and _KEY.fullmatch(key) else ""

"""`POST /webhooks/jira`: marks the ticket of an event as stale; its content is read from Jira, never from the event.

Only the issue key is taken from the body, so a forged event costs one request to Jira. A signature is required all the
same, as Jira makes it for webhooks with a secret: https://developer.atlassian.com/cloud/jira/platform/webhooks/.
"""

import hmac
import json
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from cachetools import TTLCache
from loguru import logger
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from triage.domain.errors import BadSignature, SettingsInvalid, TooLarge

NAME: Final = "jira"
LARGEST: Final = 8 * 1024 * 1024
"""Bytes of a body; Jira's longest description and comment (32,767 characters each) stay far below."""
SHORTEST: Final = 24
DAY: Final = 86_400
_KEY: Final = re.compile(r"[A-Z][A-Z0-9_]{1,99}-[1-9][0-9]{0,8}")


@dataclass(frozen=True, slots=True)
class JiraEvents:
    """Handles Jira's webhook calls about the tickets of our projects."""

    mark_stale: Callable[[Sequence[str]], Awaitable[None]]
    """Has tickets read again by the next sync. Raises `StoreDown`."""
    projects: frozenset[str]
    keys: tuple[bytes, ...] = field(repr=False)
    """The secrets that are valid now; two during rotation."""
    heard: "TTLCache[str, bool]" = field(default_factory=lambda: TTLCache(maxsize=10_000, ttl=DAY))
    """Identifiers of the calls of the last day; a retry of Jira has the same one."""

    async def receive(self, http: Request) -> JSONResponse:
        """Mark the ticket as stale and answer 200, also for other projects: on an error Jira would retry.

        Raises `BadSignature`, `TooLarge`, and `HTTPException` 400 for a body that is not JSON.
        """
        body = await _body(http)
        self._verify(http.headers.get("x-hub-signature", ""), body)
        name = http.headers.get("x-atlassian-webhook-identifier", "")[:200]
        if name and name in self.heard:
            return JSONResponse({"success": True, "heard": "before"})
        key = _key_in(body)
        ours = key.rpartition("-")[0] in self.projects
        if ours:
            await self.mark_stale([key])
            logger.bind(ticket=key).debug("jira.announced")
        if name:
            self.heard[name] = True  # only after the ticket is marked, so that a retry after an error counts
        return JSONResponse({"success": True, "ticket": key if ours else None})

    def _verify(self, signature: str, body: bytes) -> None:
        """Check the HMAC-SHA256 of the body. Raises `BadSignature`."""
        method, _, digest = signature.partition("=")
        given = digest.strip().lower().encode(errors="replace")
        signed = [hmac.new(key, body, "sha256").hexdigest().encode() for key in self.keys] if method == "sha256" else []
        if not any(hmac.compare_digest(given, one) for one in signed):
            raise BadSignature(NAME, "X-Hub-Signature is missing, or made with another secret or over another body")


def jira_routes(events: JiraEvents) -> list[Route]:
    return [Route(f"/webhooks/{NAME}", events.receive, methods=["POST"])]


def keys_of(secrets: Sequence[str], variable: str) -> tuple[bytes, ...]:
    """Encode the secrets of `variable`. Raises `SettingsInvalid` for one below 24 characters."""
    if any(len(secret) < SHORTEST for secret in secrets):
        cure = "make one with: openssl rand -hex 32"
        raise SettingsInvalid((f"{variable}: {SHORTEST} characters are the least; {cure}",))
    return tuple(secret.encode() for secret in secrets)


async def _body(http: Request) -> bytes:
    """Read the body. Raises `TooLarge` above 8 MiB."""
    body = bytearray()
    async for chunk in http.stream():
        body += chunk
        if len(body) > LARGEST:
            raise TooLarge(len(body), LARGEST)
    return bytes(body)


def _key_in(body: bytes) -> str:
    """Return the issue key, empty if there is none. Raises `HTTPException` 400 if the body is not JSON."""
    try:
        event = json.loads(body)
    except (ValueError, RecursionError):
        raise HTTPException(400, "no JSON") from None
    issue = event.get("issue") if isinstance(event, dict) else None
    key = issue.get("key") if isinstance(issue, dict) else None
    return key if isinstance(key, str) and _KEY.fullmatch(key) else ""

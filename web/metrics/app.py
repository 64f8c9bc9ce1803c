"""Answers a scrape: on the public port for holders of an access token, on an address of its own for everybody there."""

from dataclasses import dataclass
from typing import Final

from fastapi.responses import PlainTextResponse, Response
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from triage.domain.errors import StoreDown
from triage.domain.operations.errors import TokenInvalid
from triage.domain.operations.tokens import Scope as TokenScope
from triage.services.telemetry.metrics import MetricsService
from web.api.guard import Guard
from web.metrics.exposition import exposition

PATH: Final = "/metrics"
WHO: Final = {"www-authenticate": 'Bearer realm="triage"'}


@dataclass(frozen=True, slots=True)
class MetricsApp:
    """An ASGI application of one path."""

    metrics: MetricsService
    guard: Guard | None
    """Checks tokens; None: whoever reaches the address may read."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (await self._answer(scope))(scope, receive, send)

    async def _answer(self, scope: Scope) -> Response:
        if scope["path"] != PATH:
            return _no(404, "not found")
        if scope["method"] not in {"GET", "HEAD"}:
            return _no(405, "method not allowed", {"allow": "GET, HEAD"})
        headers = Headers(scope=scope)
        try:
            await self._admit(headers.get("authorization", ""))
        except TokenInvalid:
            return _no(401, "an access token is needed: `triage token create prometheus`", WHO)
        except HTTPException as e:
            return _no(e.status_code, e.detail, dict(e.headers or {}))
        except StoreDown:
            return _no(503, "try again later", {"retry-after": "30"})
        text, content_type = exposition(await self.metrics.read(), headers.get("accept", ""))
        return Response(text, headers={"content-type": content_type, "cache-control": "no-store"})

    async def _admit(self, authorization: str) -> None:
        """Let the holder of a token in. Raises what `Guard.admit` raises."""
        if self.guard is not None:
            scheme, _, token = authorization.partition(" ")
            await self.guard.admit(token.strip() if scheme.lower() == "bearer" else "", TokenScope.VIEWER)


def _no(status: int, words: str, headers: dict[str, str] | None = None) -> Response:
    return PlainTextResponse(f"{words}\n", status, headers)

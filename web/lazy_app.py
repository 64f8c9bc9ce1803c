"""A mounted web application that is imported at its first request, and answers 404 while it is switched off."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from loguru import logger
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from triage.domain.errors import StoreDown

LATER: Final = {"retry-after": "30"}
WAITING: Final = """<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta http-equiv="refresh" content="10">
<title>The store does not answer · Triage</title></head><body><h1>The store does not answer</h1>
<p>Mail is not lost. This page loads again by itself in ten seconds.</p></body></html>"""
"""What a browser is shown before there is an application with pages of its own."""


@dataclass(slots=True)
class LazyApp:
    """An ASGI application that is built at its first request, once `is_on` says so; until then its modules are not imported."""

    make: Callable[[], ASGIApp]
    """Imports and builds the application; called once, in a thread."""
    is_on: Callable[[], Awaitable[bool]]
    """Asked at each request until it says yes once. May raise `StoreDown`."""
    _app: ASGIApp | None = None
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer by the application, by 404 while it is off, by 503 while nobody can tell."""
        try:
            app = self._app or await self._opened()
        except StoreDown as e:
            logger.bind(path=scope["path"], error=str(e)).warning("http.refused")
            app = _later(scope)
        await (app or JSONResponse({"success": False, "error": "not found"}, 404))(scope, receive, send)

    async def _opened(self) -> ASGIApp | None:
        async with self._turn:
            if self._app is None and await self.is_on():
                self._app = await asyncio.to_thread(self.make)
        return self._app


def _later(scope: Scope) -> Response:
    if b"text/html" in dict(scope["headers"]).get(b"accept", b""):
        return HTMLResponse(WAITING, 503, {**LATER, "content-security-policy": "default-src 'none'"})
    return JSONResponse({"success": False, "error": "try again later"}, 503, LATER)

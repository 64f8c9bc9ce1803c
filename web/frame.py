"""What console, API, MCP and set-up share: limits of a request's body, and what an application holds for its routes."""

from dataclasses import dataclass
from typing import Any, Final

from fastapi import Depends, Request
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send


def held(name: str) -> Any:
    """Return the dependency of a route on what its application holds under this name."""

    async def found(http: Request) -> Any:
        return getattr(http.app.state, name)

    return Depends(found)


CLOSE: Final = {"connection": "close"}
"""Header of an answer after which the rest of the body is not read."""


def declares_more(scope: Scope, most: int) -> bool:
    """Tell whether the head of the request declares a body of more than `most` bytes."""
    declared = dict(scope["headers"]).get(b"content-length", b"")
    return declared.isdigit() and int(declared) > most


def bounded(receive: Receive, most: int) -> Receive:
    """Return `receive` that counts the body. It raises `HTTPException` 413 when more than `most` bytes have come."""
    taken = 0

    async def counted() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > most:
            raise HTTPException(413, f"{most:,} bytes are the limit", CLOSE)
        return message

    return counted


FORM: Final = 1024 * 1024
"""Bytes of a form."""
LARGE: Final = ("/try",)
"""First parts of paths that take a mail."""


@dataclass(frozen=True, slots=True)
class FormLimit:
    """Middleware that answers 413 to a body that is too large, by its declared size or when it is reached."""

    app: ASGIApp
    mail: int
    """Bytes of a mail."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, counting its body."""
        most = 2 * self.mail if scope["path"].startswith(LARGE) else FORM
        if declares_more(scope, most):
            await PlainTextResponse("This is too large.", 413, CLOSE)(scope, receive, send)
            return
        await self.app(scope, bounded(receive, most), send)

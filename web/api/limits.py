"""Bounds on a request before anything is made of it: head, address, body."""

from dataclasses import dataclass
from typing import Final

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from web.api.problems import problem

LONGEST_ADDRESS: Final = 2_048
"""Bytes of path and query."""
LARGEST_HEAD: Final = 16 * 1024
"""Bytes of all header fields."""
LARGEST_BODY: Final = 64 * 1024
"""Bytes of a JSON body."""
CLOSE: Final = {"connection": "close"}
"""Where we do not read the rest of the body."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Middleware that refuses what is too large, by its declared size at once and by its real size when it is reached."""

    app: ASGIApp
    large: frozenset[str] = frozenset()
    """Paths that take a mail as body."""
    largest: int = LARGEST_BODY
    """Bytes of such a mail."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 414, 431 or 413, or pass the request on."""
        if scope["type"] != "http":
            return
        most = self.largest if scope["path"] in self.large else LARGEST_BODY
        if refused := _too_large(scope, most):
            await problem(*refused)(scope, receive, send)
            return
        taken = 0

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > most:
                raise HTTPException(413, f"{most:,} bytes are the limit", CLOSE)
            return message

        await self.app(scope, counted, send)


def _too_large(scope: Scope, most: int) -> tuple[int, str, str, dict[str, str]] | None:
    if len(scope["raw_path"]) + len(scope["query_string"]) > LONGEST_ADDRESS:
        return 414, f"{LONGEST_ADDRESS:,} bytes of address are the limit", "send a shorter query", CLOSE
    if sum(len(name) + len(value) for name, value in scope["headers"]) > LARGEST_HEAD:
        return 431, f"{LARGEST_HEAD:,} bytes of headers are the limit", "send fewer headers", CLOSE
    declared = dict(scope["headers"]).get(b"content-length", b"")
    if declared.isdigit() and int(declared) > most:
        return 413, f"{most:,} bytes are the limit", "send less", CLOSE
    return None

"""Bounds on a request before anything is made of it: head, address, body."""

from dataclasses import dataclass
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from web.api.problems import problem
from web.frame import CLOSE, bounded, declares_more

LONGEST_ADDRESS: Final = 2_048
"""Bytes of path and query."""
LARGEST_HEAD: Final = 16 * 1024
"""Bytes of all header fields."""
LARGEST_BODY: Final = 64 * 1024
"""Bytes of a JSON body."""


@dataclass(frozen=True, slots=True)
class SizeLimits:
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
        await self.app(scope, bounded(receive, most), send)


def _too_large(scope: Scope, most: int) -> tuple[int, str, str, dict[str, str]] | None:
    if len(scope["raw_path"]) + len(scope["query_string"]) > LONGEST_ADDRESS:
        return 414, f"{LONGEST_ADDRESS:,} bytes of address are the limit", "send a shorter query", CLOSE
    if sum(len(name) + len(value) for name, value in scope["headers"]) > LARGEST_HEAD:
        return 431, f"{LARGEST_HEAD:,} bytes of headers are the limit", "send fewer headers", CLOSE
    if declares_more(scope, most):
        return 413, f"{most:,} bytes are the limit", "send less", CLOSE
    return None

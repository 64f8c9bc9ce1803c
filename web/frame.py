"""Limits the body of a request, for console, API and MCP."""

from typing import Final

from starlette.exceptions import HTTPException
from starlette.types import Message, Receive, Scope

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

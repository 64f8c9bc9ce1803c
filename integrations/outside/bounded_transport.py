"""HTTP answers of MCP servers, bounded in bytes."""

from collections.abc import AsyncIterator
from typing import Final

import httpx2

LARGEST: Final = 10 * 1024 * 1024
"""Bytes of one answer."""


class BoundedTransport(httpx2.AsyncHTTPTransport):
    """Refuses answers that are too long, or packed so that they may become so."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Pass the request on. Raises `httpx2.ReadError` for an answer that is packed."""
        request.headers["Accept-Encoding"] = "identity"
        response = await super().handle_async_request(request)
        if response.headers.get("Content-Encoding", "identity") != "identity":
            await response.aclose()
            raise httpx2.ReadError("the answer is packed", request=request)
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _Counted(response.stream)
        return response


class _Counted(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for part in self._stream:
            size += len(part)
            if size > LARGEST:
                raise httpx2.ReadError(f"the answer has more than {LARGEST:,} bytes")
            yield part

    async def aclose(self) -> None:
        await self._stream.aclose()

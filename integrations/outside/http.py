"""The port `Http`: a client for one call of a tool, bounded in time and size."""

from collections.abc import Mapping
from types import TracebackType
from typing import Any, Final, Self

import httpx2

from triage.domain.errors import OutsideFailed
from triage.domain.ports.outside import HttpAnswer

LARGEST: Final = 2 * 1024 * 1024
"""Bytes of an answer, decompressed."""


class BoundedHttp:
    """Opens its connections at the first request, and closes them with the call."""

    def __init__(self, tool: str, seconds: float) -> None:
        self._tool = tool
        self._seconds = seconds
        self._client: httpx2.AsyncClient | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, e: BaseException | None, at: TracebackType | None
    ) -> None:
        if self._client is not None:
            await self._client.aclose()

    async def request(
        self,
        method: str,
        url: str,
        *,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        body: Any = None,
    ) -> HttpAnswer:
        self._client = self._client or httpx2.AsyncClient(timeout=self._seconds, follow_redirects=False)
        try:
            async with self._client.stream(method, url, params=params, headers=headers, json=body) as response:
                return HttpAnswer(response.status_code, await self._whole(response))
        except (httpx2.HTTPError, httpx2.InvalidURL) as e:
            raise OutsideFailed(self._tool, " ".join(f"{type(e).__name__}: {e}".split())[:200]) from e

    async def _whole(self, response: httpx2.Response) -> bytes:
        parts, size = [], 0
        async for part in response.aiter_bytes():
            parts.append(part)
            size += len(part)
            if size > LARGEST:
                raise OutsideFailed(self._tool, f"{response.url.host} answers more than {LARGEST:,} bytes")
        return b"".join(parts)

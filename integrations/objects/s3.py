"""The port `ObjectStore` in a bucket that speaks S3: Amazon's, MinIO, Ceph, and most providers' own."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Final
from urllib.parse import quote, urlsplit

import httpx2

from integrations.objects.signature import S3Account, signed
from triage.domain.operations.errors import ArchiveDenied, ArchivedMailLost, ArchiveDown

PATIENCE: Final = 60.0
"""Seconds without a byte of a request or its answer."""
_CODE: Final = re.compile(rb"<Code>([A-Za-z0-9]{1,80})</Code>")
_BUSY: Final = frozenset({"SlowDown", "RequestTimeout", "InternalError", "ServiceUnavailable"})


class S3Objects:
    """An object for each key, below a prefix; the bucket's name stands in the path, which every server understands."""

    def __init__(
        self,
        endpoint: str,
        bucket: str,
        prefix: str,
        account: S3Account,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._base = "/".join(part for part in (endpoint.rstrip("/"), quote(bucket), quote(prefix.strip("/"))) if part)
        self._account = account
        self._now = now
        self._opened: httpx2.AsyncClient | None = None

    async def put(self, key: str, content: bytes) -> None:
        """Store the object; the server compares it with its hash, which is signed."""
        await self._ask("PUT", key, content)

    async def get(self, key: str) -> bytes:
        answer = await self._ask("GET", key)
        if answer is None:
            raise ArchivedMailLost(key)
        return answer

    async def delete(self, key: str) -> None:
        """Remove the object; older versions stay where the bucket keeps them."""
        await self._ask("DELETE", key)

    async def close(self) -> None:
        if self._opened is not None:
            await self._opened.aclose()

    @property
    def _client(self) -> httpx2.AsyncClient:
        """Opened by the first request: it reads all certificates, and most commands ask for nothing."""
        if self._opened is None:
            self._opened = httpx2.AsyncClient(timeout=PATIENCE, follow_redirects=False)
        return self._opened

    async def _ask(self, method: str, key: str, content: bytes = b"") -> bytes | None:
        """Return the answer; None if there is no such object. Raises `ArchiveDown`, `ArchiveDenied`."""
        url = f"{self._base}/{quote(key)}"
        headers = signed(method, urlsplit(url), {}, content, self._account, self._now())
        try:
            answer = await self._client.request(method, url, headers=headers, content=content or None)
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as e:
            raise ArchiveDown(str(e)[:200] or type(e).__name__) from e
        if answer.is_success:
            return answer.content
        found = _CODE.search(answer.content)
        code = found[1].decode() if found else ""
        if answer.status_code == HTTPStatus.NOT_FOUND and code != "NoSuchBucket":
            return None
        status = f"{answer.status_code} {code}".strip()
        if answer.is_server_error or answer.status_code == HTTPStatus.TOO_MANY_REQUESTS or code in _BUSY:
            raise ArchiveDown(status)
        raise ArchiveDenied(status)

"""The port `ObjectStore` in a bucket that speaks S3: Amazon's, MinIO, Ceph, and most providers' own; requests carry AWS Signature Version 4."""

import hashlib
import hmac
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import reduce
from http import HTTPStatus
from typing import Final
from urllib.parse import SplitResult, quote, urlsplit

import httpx2

from triage.domain.operations.errors import ArchiveDenied, ArchivedMailLost, ArchiveDown

ALGORITHM: Final = "AWS4-HMAC-SHA256"


@dataclass(frozen=True, slots=True, kw_only=True)
class S3Account:
    """Whose requests they are, and in which region."""

    key_id: str
    secret: str = field(repr=False)
    region: str


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


def signed(
    method: str, url: SplitResult, headers: Mapping[str, str], content: bytes, account: S3Account, now: datetime
) -> dict[str, str]:
    """Return all headers to send: the given ones, which are signed too, and those of the signature.

    The path must be in the form in which it is sent; a query's parts are in order and have a `=` each.
    """
    moment, hashed = f"{now:%Y%m%dT%H%M%SZ}", hashlib.sha256(content).hexdigest()
    every = {name.lower(): value.strip() for name, value in headers.items()}
    every |= {"host": url.netloc.rpartition("@")[2], "x-amz-content-sha256": hashed, "x-amz-date": moment}
    names = ";".join(sorted(every))
    lines = "".join(f"{name}:{every[name]}\n" for name in sorted(every))
    request = "\n".join((method, url.path or "/", url.query, lines, names, hashed))
    scope = f"{now:%Y%m%d}/{account.region}/s3/aws4_request"
    text = "\n".join((ALGORITHM, moment, scope, hashlib.sha256(request.encode()).hexdigest()))
    key = reduce(_mac, scope.split("/"), f"AWS4{account.secret}".encode())
    proof = f"{ALGORITHM} Credential={account.key_id}/{scope},SignedHeaders={names},Signature={_mac(key, text).hex()}"
    return {**every, "authorization": proof}


def _mac(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(), "sha256")

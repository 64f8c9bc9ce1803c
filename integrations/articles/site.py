"""Asks a web site of articles for JSON and takes values out of it: bounded answers, one host, errors converted to ours."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

import httpx2

from triage.domain.support.errors import ArticlesDown

LARGEST: Final = 64 * 1024 * 1024
"""Bytes of one answer."""
SECONDS: Final = 30.0
CURES: Final[Mapping[int, str]] = {
    HTTPStatus.UNAUTHORIZED: "it does not accept our account; check user and password_file",
    HTTPStatus.FORBIDDEN: "our account may not read there; check its rights",
    HTTPStatus.NOT_FOUND: "it has nothing there; check the address",
    HTTPStatus.TOO_MANY_REQUESTS: "it asks us to slow down; what was read is kept, the next reading goes on",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleSite:
    """One site and our login there: user and password, a token alone, or none."""

    source: str
    """Its name in triage.yaml, for errors."""
    url: str
    user: str = ""
    password: str = field(default="", repr=False)

    @asynccontextmanager
    async def opened(self) -> "AsyncIterator[OpenSite]":
        """Open connections for one reading."""
        auth = httpx2.BasicAuth(self.user, self.password) if self.user else None
        headers = {"Authorization": f"Bearer {self.password}"} if self.password and not self.user else {}
        headers["Accept"] = "application/json"
        async with httpx2.AsyncClient(auth=auth, headers=headers, timeout=SECONDS, follow_redirects=False) as client:
            yield OpenSite(self, client)


@dataclass(frozen=True, slots=True)
class OpenSite:
    """Answers as JSON objects."""

    site: ArticleSite
    client: httpx2.AsyncClient

    async def object_at(self, path: str, **params: str) -> Mapping[str, Any] | None:
        """Return the JSON object at a path below the site's address, or at a whole link; None where it is not found.

        Raises `ArticlesDown`.
        """
        url = self._address(path)
        try:
            async with self.client.stream("GET", url, params=params or None) as answer:
                if answer.status_code == HTTPStatus.NOT_FOUND:
                    return None
                return _parsed(self.site.source, await self._taken(answer))
        except (httpx2.HTTPError, httpx2.InvalidURL) as e:
            raise ArticlesDown(self.site.source, f"{urlsplit(url).hostname}: {str(e) or type(e).__name__}") from e

    async def wanted(self, path: str, **params: str) -> Mapping[str, Any]:
        """Return the object, which must be there. Raises `ArticlesDown`."""
        found = await self.object_at(path, **params)
        if found is None:
            raise self._refused(self._address(path), HTTPStatus.NOT_FOUND)
        return found

    def _address(self, path: str) -> str:
        """Return where a path leads. Raises `ArticlesDown` for another host, which must not see our password."""
        if path.startswith("/"):
            root = urlsplit(self.site.url)
            return f"{root.scheme}://{root.netloc}{path}"
        url = urljoin(f"{self.site.url}/", path)
        if urlsplit(url)[:2] != urlsplit(self.site.url)[:2]:
            raise ArticlesDown(self.site.source, f"leads to another site, {urlsplit(url).netloc}")
        return url

    async def _taken(self, answer: httpx2.Response) -> bytes:
        if answer.status_code != HTTPStatus.OK:
            raise self._refused(str(answer.url), answer.status_code)
        taken = bytearray()
        async for chunk in answer.aiter_bytes():
            taken += chunk
            if len(taken) > LARGEST:
                raise ArticlesDown(self.site.source, f"answers with more than {LARGEST:,} bytes")
        return bytes(taken)

    def _refused(self, url: str, status: int) -> ArticlesDown:
        parts = urlsplit(url)
        cure = CURES.get(status, "")
        return ArticlesDown(
            self.site.source, f"{parts.hostname}{parts.path} answers {status}{f': {cure}' if cure else ''}"
        )


def _parsed(source: str, raw: bytes) -> Mapping[str, Any]:
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError) as e:
        raise ArticlesDown(source, "answers no JSON; check the address") from e
    if not isinstance(found, dict):
        raise ArticlesDown(source, "answers no JSON object; check the address")
    return found


def text_at(shape: Any, *keys: str) -> str:
    """Return the text or number below these keys; empty if there is none."""
    for key in keys:
        shape = shape.get(key) if isinstance(shape, Mapping) else None
    return str(shape) if isinstance(shape, str | int) and not isinstance(shape, bool) else ""


def rows_in(shape: Mapping[str, Any], key: str) -> Sequence[Mapping[str, Any]]:
    """Return the objects of a list; what is none is left out."""
    found = shape.get(key)
    return [row for row in found if isinstance(row, Mapping)] if isinstance(found, list) else []


def names_in(labels: Any) -> tuple[str, ...]:
    found = rows_in(labels, "results") if isinstance(labels, Mapping) else []
    return tuple(filter(None, (text_at(row, "name") for row in found)))


def time_in(text: str) -> datetime | None:
    """Return an ISO 8601 time with its zone; None for anything else."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else None

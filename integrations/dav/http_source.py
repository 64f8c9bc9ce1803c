"""HTTP for calendars and directories: bounded answers, no redirects to other hosts, errors converted to ours."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

import httpx2
from lxml import etree

from triage.domain.errors import SourceDown

LARGEST: Final = 16 * 1024 * 1024
"""Bytes of one answer."""
REDIRECTS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpSource:
    """One address of the configuration, and how we log in there."""

    name: str
    """For error messages; an address may hold a secret."""
    url: str
    user: str = ""
    password: str = field(default="", repr=False)
    seconds: float = 15.0

    async def ask(
        self, method: str, *, body: str = "", headers: dict[str, str] | None = None
    ) -> tuple[HTTPStatus, bytes, str]:
        """Return status, body and ETag of a request. Raises `SourceDown`; 304 is an answer."""
        login = httpx2.BasicAuth(self.user, self.password) if self.user else None
        try:
            async with httpx2.AsyncClient(auth=login, timeout=self.seconds) as client:
                url = self.url
                for _ in range(REDIRECTS + 1):
                    async with client.stream(method, url, content=body.encode(), headers=headers) as answer:
                        if answer.is_redirect and (further := self._further(url, answer.headers["location"])):
                            url = further
                            continue
                        return await self._taken(answer)
        except (httpx2.HTTPError, httpx2.InvalidURL) as e:
            raise SourceDown(self.name, str(e) or type(e).__name__) from e
        raise SourceDown(self.name, f"redirects more than {REDIRECTS} times")

    def _further(self, url: str, location: str) -> str:
        """Return where a redirect leads. Raises `SourceDown` for another host, which must not see our password."""
        further = httpx2.URL(url).join(location)
        if further.host != urlsplit(self.url).hostname or further.scheme not in {urlsplit(url).scheme, "https"}:
            raise SourceDown(self.name, f"redirects to {further.host}; enter that address if it is yours")
        return str(further)

    async def _taken(self, answer: httpx2.Response) -> tuple[HTTPStatus, bytes, str]:
        taken = bytearray()
        async for chunk in answer.aiter_bytes():
            taken += chunk
            if len(taken) > LARGEST:
                raise SourceDown(self.name, f"answers with more than {LARGEST} bytes")
        status = HTTPStatus(answer.status_code)
        if status >= HTTPStatus.MULTIPLE_CHOICES and status is not HTTPStatus.NOT_MODIFIED:
            raise SourceDown(self.name, f"answers {status} {status.phrase}")
        return status, bytes(taken), answer.headers.get("etag", "")


def texts_in(name: str, body: bytes, tag: str) -> Iterator[bytes]:
    """Yield the texts of this element in an answer. Raises `SourceDown` for what is no XML."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(body, parser)
    except etree.XMLSyntaxError as e:
        raise SourceDown(name, f"does not answer as a DAV server: {e}") from e
    for element in root.iter(tag):
        if text := str(element.text or "").strip():
            yield text.encode()

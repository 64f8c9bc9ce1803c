"""The port `WebhookPost` over HTTP: only to addresses of the public internet, unless an admin names the host."""

import asyncio
import ipaddress
import socket
from collections.abc import Callable, Collection, Mapping
from typing import Final
from urllib.parse import urlsplit, urlunsplit

import httpx2

from triage.domain.operations.errors import WebhookFailed

PATIENCE: Final = 15.0
"""Seconds for a whole delivery; Standard Webhooks recommends 15 to 30."""
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class HttpWebhooks:
    """The port `WebhookPost`: asks DNS once and connects to exactly the address that was checked, so that a second answer cannot lead elsewhere.

    Redirects are not followed, and answers are not read.
    """

    def __init__(self, allowed: Collection[str], reachable: Callable[[Address], bool]) -> None:
        self._allowed = frozenset(allowed)
        self._reachable = reachable
        self._opened: httpx2.AsyncClient | None = None

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> int:
        """Send one request and return the status. Raises `WebhookFailed`."""
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._posted(url, headers, body)
        except (TimeoutError, OSError, httpx2.HTTPError, httpx2.InvalidURL) as e:
            raise WebhookFailed(str(e)[:200] or type(e).__name__) from None

    async def close(self) -> None:
        if self._opened is not None:
            await self._opened.aclose()

    @property
    def _client(self) -> httpx2.AsyncClient:
        """Opened by the first delivery: it reads all certificates, and most commands deliver nothing."""
        if self._opened is None:
            # The environment's proxies would connect wherever the name leads them.
            self._opened = httpx2.AsyncClient(timeout=PATIENCE, follow_redirects=False, trust_env=False)
        return self._opened

    async def _posted(self, url: str, headers: Mapping[str, str], body: bytes) -> int:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
        address = await self._address(host, port)
        place = f"[{address}]" if address.version == 6 else str(address)  # noqa: PLR2004 - IPv6
        pinned = urlunsplit((parts.scheme, f"{place}:{port}", parts.path or "/", parts.query, ""))
        name = host if parts.port is None else f"{host}:{port}"
        request = self._client.build_request(
            "POST",
            pinned,
            content=body,
            headers={**headers, "host": name, "content-type": "application/json", "user-agent": "Triage"},
            extensions={"sni_hostname": host},
        )
        answer = await self._client.send(request, stream=True)
        await answer.aclose()
        return answer.status_code

    async def _address(self, host: str, port: int) -> Address:
        """Return an address of the host. Raises `WebhookFailed` if one of them is not reachable for webhooks."""
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        addresses = [ipaddress.ip_address(one[4][0]) for one in found]
        if host.casefold() not in self._allowed and not all(map(self._reachable, addresses)):
            raise WebhookFailed(f"{host} is not in the public internet; name it in WEBHOOK_HOSTS if it may be told")
        return addresses[0]

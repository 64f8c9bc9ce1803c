"""HTTP to an OpenID Connect provider: bounded JSON, no redirects, our errors."""

import json
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

import httpx2

from triage.domain.operations.errors import IdentityProviderDown

LARGEST: Final = 1024 * 1024
"""Bytes of one answer."""
SECONDS: Final = 15.0


class ProviderHttp:
    """One client for all requests to the provider."""

    def __init__(self) -> None:
        self._client = httpx2.AsyncClient(timeout=SECONDS, follow_redirects=False)

    async def get(self, url: str, headers: dict[str, str] | None = None) -> dict[str, Any]:
        """Return a JSON object. Raises `IdentityProviderDown`."""
        status, answer = await self._asked(self._client.build_request("GET", url, headers=headers))
        if status != httpx2.codes.OK:
            raise IdentityProviderDown(f"{url} answers {status}")
        return answer

    async def post(self, url: str, form: dict[str, str], login: tuple[str, str] | None) -> tuple[int, dict[str, Any]]:
        """Send a form; return status and JSON object. Raises `IdentityProviderDown` for trouble of the provider."""
        request = self._client.build_request("POST", url, data=form, headers={"accept": "application/json"})
        if login:
            request = next(httpx2.BasicAuth(*login).auth_flow(request))
        return await self._asked(request)

    async def close(self) -> None:
        await self._client.aclose()

    async def _asked(self, request: httpx2.Request) -> tuple[int, dict[str, Any]]:
        place = f"{request.url.scheme}://{request.url.netloc.decode()}{request.url.path}"
        try:
            answer = await self._client.send(request, stream=True)
            taken = await _body_of(answer, place)
            data = json.loads(taken) if taken else {}
        except (httpx2.HTTPError, httpx2.InvalidURL) as e:
            raise IdentityProviderDown(f"{place}: {str(e) or type(e).__name__}") from None
        except ValueError:
            raise IdentityProviderDown(f"{place} answers {answer.status_code} without JSON") from None
        if not isinstance(data, dict) or answer.is_redirect or answer.is_server_error:
            raise IdentityProviderDown(f"{place} answers {answer.status_code}")
        return answer.status_code, data


def endpoint_in(metadata: Mapping[str, Any], name: str, issuer: str) -> str:
    """Return an address of the provider's metadata: https, unless the provider itself is on this machine. Raises `IdentityProviderDown`."""
    url = str(metadata.get(name, ""))
    if not url.startswith("https://") and not (issuer.startswith("http://") and url.startswith("http://")):
        raise IdentityProviderDown(f"its metadata at {issuer} has no https {name}")
    return url


def page_of(endpoint: str, asked: Mapping[str, str]) -> str:
    """Return the address that a browser opens; the endpoint may have a query of its own."""
    return f"{endpoint}{'&' if urlsplit(endpoint).query else '?'}{urlencode(asked)}"


async def _body_of(answer: httpx2.Response, place: str) -> bytes:
    taken = bytearray()
    try:
        async for chunk in answer.aiter_bytes():
            taken += chunk
            if len(taken) > LARGEST:
                raise IdentityProviderDown(f"{place} answers with more than {LARGEST:,} bytes")
    finally:
        await answer.aclose()
    return bytes(taken)

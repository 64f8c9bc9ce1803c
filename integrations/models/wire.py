"""Shared HTTP handling of model providers: one client, bounded answers, our errors."""

import asyncio
import json
import math
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

import httpx2

from triage.domain.conversation import Json
from triage.domain.errors import ContextTooLong, ModelDenied, ModelDown, TriageError

MEBIBYTE: Final = 1024 * 1024
LARGEST_ANSWER: Final = 8 * MEBIBYTE
"""Far above any real completion; a server that goes mad costs this much memory at most."""

LONGEST_WAIT: Final = 120.0
"""Seconds a `Retry-After` may keep a worker; beyond it the queue waits instead.

The openai SDK draws the same line by itself, the anthropic SDK would sleep for days.
"""

_OVERFLOW: Final = re.compile(
    r"context[ _-]?(length|window|size)|prompt is too long|too many (input )?tokens|maximum (input|prompt) length",
    re.IGNORECASE,
)
"""How OpenAI, Azure, vLLM, llama.cpp and Anthropic say it; only the first two also have a code for it."""

_SHORTEST_SECRET: Final = 8
"""Shorter keys are placeholders of local servers, and part of ordinary words."""

_LATER: Final = {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.CONFLICT, HTTPStatus.TOO_MANY_REQUESTS}


class ModelClient(Protocol):
    """What we use of an SDK: its retries, timeouts and headers, without its models of the answer."""

    async def post(self, path: str, *, cast_to: type[httpx2.Response], content: bytes) -> httpx2.Response:
        """One call with the SDK's retries; a serialised body skips the walk over it that is half of its cost."""

    async def close(self) -> None:
        """Let connections go."""


@dataclass(frozen=True, slots=True)
class Sdk:
    """A client and the errors it raises."""

    client: ModelClient
    refused: type[Exception]
    """An answer with a status of 300 and more; has the `response`."""
    unreachable: type[Exception]
    """No answer."""
    owned: bool = True
    """The HTTP connections are ours to close."""


class ModelWire:
    """Posts JSON to one model; the SDK is imported and its client built with the first call, then kept."""

    def __init__(self, model: str, base_url: str, secret: str, build: Callable[[], Sdk]) -> None:
        self._model = model
        self._base_url = base_url
        self._secret = secret
        self._build = build
        self._sdk: Sdk | None = None

    async def post(self, path: str, body: bytes) -> dict[str, Json]:
        """The answer as a JSON object. Raises `ModelDown`, `ModelDenied`, `ContextTooLong`."""
        sdk = self._sdk = self._sdk or self._built()
        try:
            response = await sdk.client.post(path, cast_to=httpx2.Response, content=body)
        except sdk.refused as e:
            raise self._refusal(getattr(e, "response", None), e) from e
        except sdk.unreachable as e:
            raise self.down(f"{e} {e.__cause__ or ''}") from e
        return self._object(response)

    async def close(self) -> None:
        """Let connections go; a later call opens new ones."""
        sdk, self._sdk = self._sdk, None
        if sdk is not None and sdk.owned:
            await sdk.client.close()

    def down(self, detail: str) -> ModelDown:
        """No answer, or one that makes no sense."""
        return ModelDown(self._model, self._line(detail))

    def _built(self) -> Sdk:
        # Both would only show as a connection that fails, again and again.
        if not (self._secret.isascii() and self._secret.isprintable()):
            raise ModelDenied(self._model, "the API key holds characters that no key has: copy it again")
        if not _is_address(self._base_url):
            raise ModelDenied(self._model, self._line(f"the base URL is no http address: {self._base_url}"))
        try:
            return self._build()
        except ImportError as e:
            raise ModelDenied(self._model, f"the package {e.name} is missing: install Triage with that extra") from e

    def _object(self, response: httpx2.Response) -> dict[str, Json]:
        """The body where it is a JSON object without an error in it."""
        answer = _json_of(response)
        if not isinstance(answer, dict):
            raise self.down(f"{_kind_of(response)} instead of an answer: is the base URL right?")
        # OpenRouter and other gateways answer 200 and put the real status inside.
        error = answer.get("error")
        if error:
            status = error.get("code") if isinstance(error, dict) else None
            raise self._verdict(status if isinstance(status, int) else HTTPStatus.BAD_GATEWAY, error, None)
        return answer

    def _refusal(self, response: httpx2.Response | None, e: Exception) -> TriageError:
        if response is None:
            return self.down(str(e))
        if response.has_redirect_location:
            return ModelDenied(self._model, self._line(f"the base URL redirects to {response.headers['location']}"))
        answer = _json_of(response)
        error = (answer.get("error") or answer) if isinstance(answer, dict) else _kind_of(response)
        return self._verdict(response.status_code, error, seconds_asked(response.headers))

    def _verdict(self, status: int, error: Json, wait: float | None) -> TriageError:
        """The error that tells who acts: a shorter prompt, the queue, or a person."""
        code, message = _said(error)
        broken = status in _LATER or status >= HTTPStatus.INTERNAL_SERVER_ERROR
        if not broken and _is_overflow(status, code, message):
            return ContextTooLong(self._model)
        detail = self._line(f"{status} {code} {message}")
        return ModelDown(self._model, detail, wait) if broken else ModelDenied(self._model, detail)

    def _line(self, words: str) -> str:
        """One short line; a server that repeats our key does not get it into the report."""
        if len(self._secret) >= _SHORTEST_SECRET:
            words = words.replace(self._secret, "***")
        return " ".join(words.split())[:300]


class BoundedClient(httpx2.AsyncClient):
    """An HTTP client whose every attempt ends: after so many seconds in all, after so many bytes unpacked.

    The library's own timeouts start anew with each byte that drips in, and nothing else counts bytes.
    """

    def __init__(self, seconds: float) -> None:
        # The library keeps 20 idle connections; 64 mails at a time would open and close the others for each call.
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=100)
        super().__init__(timeout=httpx2.Timeout(seconds, connect=min(5.0, seconds)), limits=limits)
        self._seconds = seconds

    async def send(self, request: httpx2.Request, *, stream: bool = False, **more: Any) -> httpx2.Response:
        """The whole answer; there is no streaming."""
        del stream
        try:
            async with asyncio.timeout(self._seconds):
                return await _whole(await super().send(request, stream=True, **more), request)
        except TimeoutError as e:
            raise httpx2.ReadTimeout(f"no complete answer within {self._seconds:g} s", request=request) from e


async def _whole(response: httpx2.Response, request: httpx2.Request) -> httpx2.Response:
    """The same answer with its body read; one that is too long becomes an error that no SDK retries."""
    parts, size = [], 0
    try:
        async for part in response.aiter_bytes():
            parts.append(part)
            size += len(part)
            if size > LARGEST_ANSWER:
                detail = f"the answer is longer than {LARGEST_ANSWER // MEBIBYTE} MB"
                return httpx2.Response(
                    502, headers={"x-should-retry": "false"}, json={"error": detail}, request=request
                )
    finally:
        await response.aclose()
    headers = response.headers
    for name in ("content-encoding", "content-length", "transfer-encoding"):
        headers.pop(name, None)
    if (seconds_asked(headers) or 0) > LONGEST_WAIT:
        headers["x-should-retry"] = "false"
    return httpx2.Response(response.status_code, headers=headers, content=b"".join(parts), request=request)


def seconds_asked(headers: Mapping[str, str]) -> float | None:
    """What `Retry-After` (RFC 9110: seconds or a date) or OpenAI's `retry-after-ms` asks for."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) / unit
        except ValueError:
            continue
        return max(0.0, seconds) if math.isfinite(seconds) else None
    try:
        return max(0.0, parsedate_to_datetime(headers.get("retry-after", "")).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _is_overflow(status: int, code: str, message: str) -> bool:
    too_large = status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE or code == "context_length_exceeded"
    return too_large or bool(_OVERFLOW.search(message))


def _json_of(response: httpx2.Response) -> Json:
    """The body as JSON, None for anything else; nesting without end is one way to be something else."""
    try:
        return json.loads(response.content)
    except (ValueError, RecursionError):
        return None


def _kind_of(response: httpx2.Response) -> str:
    """What came instead of JSON, in a few words."""
    start = response.text[:200].strip()
    return "an HTML page" if start.startswith("<") else f"no JSON object but {start[:80]!r}"


def _said(error: Json) -> tuple[str, str]:
    """Code and message of an error, in the shapes that servers give it."""
    if not isinstance(error, dict):
        return "", error if isinstance(error, str) else json.dumps(error)
    message = error.get("message") or error.get("detail") or ""
    code = error.get("code") or error.get("type") or ""
    return str(code), message if isinstance(message, str) else json.dumps(message)

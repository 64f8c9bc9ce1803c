"""HTTP for all model providers: one client per model, bounded answers, errors converted to ours."""

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
from triage.domain.extras import missing

MEBIBYTE: Final = 1024 * 1024
LARGEST_ANSWER: Final = 8 * MEBIBYTE
"""Bytes; far above any real completion, and a bound on the memory that a broken server can use."""

LONGEST_WAIT: Final = 120.0
"""Longest `Retry-After` in seconds to wait in the worker; for longer ones the job is postponed.

The openai SDK has the same limit, the anthropic SDK has none.
"""

_OVERFLOW: Final = re.compile(
    r"context[ _-]?(length|window|size)|(prompt|input) is too long|too many (input )?tokens"
    r"|maximum (input|prompt) length|exceeds? the maximum number of tokens",
    re.IGNORECASE,
)
"""Messages of OpenAI, Azure, vLLM, llama.cpp, Ollama, Anthropic, Gemini and Bedrock; only the first two also send a code."""

_SHORTEST_SECRET: Final = 8
"""Shorter keys are not masked: they are placeholders for local servers and occur in ordinary words."""

_NO_RETRY: Final = {"x-should-retry": "false"}
"""What the SDKs understand."""
_LATER: Final = {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.CONFLICT, HTTPStatus.TOO_MANY_REQUESTS}


class ModelClient(Protocol):
    """The part of an SDK that we use: retries, timeouts and headers, but not its answer classes."""

    async def post(self, path: str, *, cast_to: type[httpx2.Response], content: bytes) -> httpx2.Response:
        """Send one call with the SDK's retries; a serialised `content` saves the SDK's own conversion, half the cost."""

    async def close(self) -> None:
        """Close the connections."""


@dataclass(frozen=True, slots=True)
class Sdk:
    """An SDK's client and the errors it raises."""

    client: ModelClient
    refused: type[Exception]
    """Raised for a status of 300 and more; has the attribute `response`."""
    unreachable: type[Exception]
    """Raised if no answer comes."""
    owned: bool = True
    """`close` closes the HTTP connections; False for a client that the caller gave."""


class ModelWire:
    """Posts JSON to one model; imports the SDK and builds its client at the first call."""

    def __init__(self, model: str, base_url: str, secret: str, build: Callable[[], Sdk]) -> None:
        self._model = model
        self._base_url = base_url
        self._secret = secret
        self._build = build
        self._sdk: Sdk | None = None

    async def post(self, path: str, body: bytes) -> dict[str, Json]:
        """Return the answer as a JSON object. Raises `ModelDown`, `ModelDenied`, `ContextTooLong`."""
        sdk = self._sdk = self._sdk or self._built()
        try:
            response = await sdk.client.post(path, cast_to=httpx2.Response, content=body)
        except sdk.refused as e:
            raise self._refusal(getattr(e, "response", None), e) from e
        except sdk.unreachable as e:
            raise self.down(f"{e} {e.__cause__ or ''}") from e
        return self._object(response)

    async def close(self) -> None:
        """Close the connections; a later call opens new ones."""
        sdk, self._sdk = self._sdk, None
        if sdk is not None and sdk.owned:
            await sdk.client.close()

    def down(self, detail: str) -> ModelDown:
        """Return the error for a missing or unusable answer."""
        return ModelDown(self._model, self._line(detail))

    def _built(self) -> Sdk:
        # Without these checks both mistakes look like a failing connection and are retried for ever.
        if not (self._secret.isascii() and self._secret.isprintable()):
            raise ModelDenied(self._model, "the API key holds characters that no key has: copy it again")
        if not _is_address(self._base_url):
            raise ModelDenied(self._model, self._line(f"the base URL is no http address: {self._base_url}"))
        try:
            return self._build()
        except ImportError as e:
            raise ModelDenied(self._model, missing(str(e.name))) from e

    def _object(self, response: httpx2.Response) -> dict[str, Json]:
        """Return the body if it is a JSON object without an `error`; else raise."""
        answer = _json_of(response)
        if not isinstance(answer, dict):
            raise self.down(f"{_kind_of(response)} instead of an answer: is the base URL right?")
        # OpenRouter and other gateways answer 200 with the real status in the body.
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
        if isinstance(answer, list) and answer:
            answer = answer[0]  # Gemini's OpenAI-compatible endpoint sends its error in a list
        error = (answer.get("error") or answer) if isinstance(answer, dict) else _kind_of(response)
        return self._verdict(response.status_code, error, seconds_asked(response.headers))

    def _verdict(self, status: int, error: Json, wait: float | None) -> TriageError:
        """Choose the error by who must act: `ContextTooLong` (shorten), `ModelDown` (retry later), `ModelDenied` (a person)."""
        code, message = _error_fields(error)
        broken = status in _LATER or status >= HTTPStatus.INTERNAL_SERVER_ERROR
        if not broken and _is_overflow(status, code, message):
            return ContextTooLong(self._model)
        detail = self._line(f"{status} {code} {message}")
        return ModelDown(self._model, detail, retry_after=wait) if broken else ModelDenied(self._model, detail)

    def _line(self, words: str) -> str:
        """Return one line of at most 300 characters, with our key masked in case the server repeats it."""
        if len(self._secret) >= _SHORTEST_SECRET:
            words = words.replace(self._secret, "***")
        return " ".join(words.split())[:300]


class BoundedClient(httpx2.AsyncClient):
    """An HTTP client that limits each attempt to `seconds` in all and to `LARGEST_ANSWER` decompressed bytes.

    The library's own timeouts restart with each byte received, and it limits no sizes.
    """

    def __init__(self, seconds: float, transport: httpx2.AsyncBaseTransport | None = None) -> None:
        # The default keeps 20 idle connections; 64 concurrent mails would reconnect for most calls.
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=100)
        timeout = httpx2.Timeout(seconds, connect=min(5.0, seconds))
        super().__init__(timeout=timeout, limits=limits, transport=transport)
        self._seconds = seconds

    async def send(self, request: httpx2.Request, *, stream: bool = False, **more: Any) -> httpx2.Response:
        """Return the whole answer; `stream` is ignored. Raises `ReadTimeout` after `seconds`."""
        del stream
        try:
            async with asyncio.timeout(self._seconds):
                return await _whole(await super().send(request, stream=True, **more), request)
        except TimeoutError as e:
            raise httpx2.ReadTimeout(f"no complete answer within {self._seconds:g} s", request=request) from e


async def _whole(response: httpx2.Response, request: httpx2.Request) -> httpx2.Response:
    """Read the body; an answer that is too long becomes a 502 that no SDK retries."""
    parts, size = [], 0
    try:
        async for part in response.aiter_bytes():
            parts.append(part)
            size += len(part)
            if size > LARGEST_ANSWER:
                detail = f"the answer is longer than {LARGEST_ANSWER // MEBIBYTE} MB"
                return httpx2.Response(502, headers=_NO_RETRY, json={"error": detail}, request=request)
    finally:
        await response.aclose()
    headers = response.headers
    for name in ("content-encoding", "content-length", "transfer-encoding"):
        headers.pop(name, None)
    if (seconds_asked(headers) or 0) > LONGEST_WAIT:
        headers.update(_NO_RETRY)
    return httpx2.Response(response.status_code, headers=headers, content=b"".join(parts), request=request)


def seconds_asked(headers: Mapping[str, str]) -> float | None:
    """Return the seconds asked for by OpenAI's `retry-after-ms` or by `Retry-After` (RFC 9110: seconds or a date)."""
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
    """Return the body as JSON; None if it is none or nested too deeply."""
    try:
        return json.loads(response.content)
    except (ValueError, RecursionError):
        return None


def _kind_of(response: httpx2.Response) -> str:
    """Describe an unexpected body in a few words."""
    start = response.text[:200].strip()
    return "an HTML page" if start.startswith("<") else f"no JSON object but {start[:80]!r}"


def _error_fields(error: Json) -> tuple[str, str]:
    """Return code and message of an error, which servers send in several shapes."""
    if not isinstance(error, dict):
        return "", error if isinstance(error, str) else json.dumps(error)
    message = error.get("message") or error.get("detail") or ""
    code = error.get("code") or error.get("type") or ""
    return str(code), message if isinstance(message, str) else json.dumps(message)

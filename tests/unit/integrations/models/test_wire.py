"""The wire under the model adapters: what Retry-After says, what an error means, and attempts that end."""

import asyncio
import time
from email.utils import formatdate
from typing import Any

import httpx2
import pytest

from integrations.models.wire import BoundedClient, ModelWire, Sdk, seconds_asked
from tests.conftest import PATIENCE
from triage.domain.errors import ContextTooLong, ModelDenied, ModelDown, TriageError
from triage_sandbox.server import Served


class RefusedError(Exception):
    """How the SDK below says no."""

    def __init__(self, response: httpx2.Response | None) -> None:
        super().__init__("no")
        self.response = response


class Stubborn:
    """An SDK that always gets the same answer."""

    def __init__(self, response: httpx2.Response | None) -> None:
        self.response = response

    async def post(self, path: str, *, cast_to: type[httpx2.Response], content: bytes) -> httpx2.Response:
        """That answer."""
        if self.response is None or self.response.status_code >= 300:
            raise RefusedError(self.response)
        return self.response

    async def close(self) -> None:
        """Nothing is open."""


async def trouble_of(status: int, **answer: Any) -> TriageError:
    """What becomes of an answer."""
    sdk = Sdk(Stubborn(httpx2.Response(status, **answer)), RefusedError, ConnectionError)
    with pytest.raises(TriageError) as caught:
        await ModelWire("m", "http://127.0.0.1", "", lambda: sdk).post("/x", b"{}")
    return caught.value


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "7"}, 7.0),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "tomorrow"}, None),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:10 GMT"}, 0.0),
        ({"retry-after": "Thu, 99 Jan 1970 00:00:10 GMT"}, None),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    """Seconds, milliseconds and dates are read; anything else asks for nothing."""
    assert seconds_asked(httpx2.Headers(headers)) == seconds


def test_retry_after_a_date_to_come() -> None:
    """A date counts from now."""
    asked = seconds_asked({"retry-after": formatdate(time.time() + 9000, usegmt=True)})

    assert asked == pytest.approx(9000, abs=PATIENCE)


@pytest.mark.parametrize(
    "error",
    [
        {"code": "context_length_exceeded", "message": "too long"},
        {"message": "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens"},
        {"message": "the request exceeds the available context size", "type": "exceed_context_size_error"},
        {"message": "prompt is too long: 210000 tokens > 200000 maximum", "type": "invalid_request_error"},
        "Input exceeds the context window of this model",
        {"message": "The input token count (120) exceeds the maximum number of tokens allowed (100)."},
        {"message": "Input is too long for requested model."},
        {"message": "the input length exceeds the context length"},
    ],
)
async def test_overflow_in_many_words(error: Any) -> None:
    """A conversation that is too long is known by OpenAI's code and by the words of others."""
    assert isinstance(await trouble_of(400, json={"error": error}), ContextTooLong)


async def test_overflow_by_size() -> None:
    """413 says the same without words."""
    assert isinstance(await trouble_of(413, text="Payload Too Large"), ContextTooLong)


async def test_a_busy_server_that_talks_about_context() -> None:
    """A server that fails is down, whatever words its page holds."""
    assert isinstance(await trouble_of(503, json={"error": "cannot allocate context window"}), ModelDown)


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "model gone", "code": "model_not_found"}},
        {"error": "model gone"},
        {"message": "model gone", "object": "error"},
        {"detail": "model gone"},
        {"error": {"message": {"detail": "model gone"}}},
        ["model gone"],
    ],
)
async def test_what_the_server_said_is_told(body: Any) -> None:
    """Whatever shape the error has, its words reach the person who has to act."""
    error = await trouble_of(404, json=body)

    assert (type(error), "model gone" in str(error)) == (ModelDenied, True)


async def test_details_are_one_short_line() -> None:
    """An error of a megabyte does not become a report of a megabyte."""
    error = await trouble_of(400, json={"error": {"message": "bad\n\tvalue " * 100_000}})

    assert isinstance(error, ModelDenied)
    assert (len(error.detail), "\n" in error.detail) == (300, False)


async def test_wait_is_kept_with_a_date() -> None:
    """The time that a busy server asks for reaches the queue."""
    error = await trouble_of(503, headers={"retry-after-ms": "1500"}, json={})

    assert isinstance(error, ModelDown)
    assert error.retry_after == 1.5


async def test_a_refusal_without_an_answer() -> None:
    """An SDK that says no by itself is believed."""
    sdk = Sdk(Stubborn(None), RefusedError, ConnectionError)
    with pytest.raises(ModelDown, match="no"):
        await ModelWire("m", "http://127.0.0.1", "", lambda: sdk).post("/x", b"{}")


async def test_a_missing_package_says_which() -> None:
    """An extra that is not installed is named."""

    def build() -> Sdk:
        raise ModuleNotFoundError(name="anthropic")

    with pytest.raises(ModelDenied, match="extra `anthropic` is not installed"):
        await ModelWire("m", "http://127.0.0.1", "key", build).post("/x", b"{}")


async def test_built_once() -> None:
    """However many calls, one client."""
    built = []

    def build() -> Sdk:
        built.append(Sdk(Stubborn(httpx2.Response(200, json={"ok": True})), RefusedError, ConnectionError))
        return built[-1]

    wire = ModelWire("m", "http://127.0.0.1", "key", build)
    for _ in range(10):
        await wire.post("/x", b"{}")

    assert len(built) == 1


async def test_dripping_answer() -> None:
    """A server that sends a byte now and then is given up when the time is over."""

    async def drip(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(400):
            await send({"type": "http.response.body", "body": b" ", "more_body": True})
            await asyncio.sleep(0.05)

    async with Served(drip, lifespan="off") as served, BoundedClient(0.4) as client:
        with pytest.raises(httpx2.ReadTimeout, match=r"0\.4 s"):
            await client.get(served.url)


async def test_connections_are_used_again() -> None:
    """An answer that was read to its end leaves its connection open for the next."""
    peers = set()

    async def plain(scope: Any, receive: Any, send: Any) -> None:
        peers.add(scope["client"])
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"{}"})

    async with Served(plain, lifespan="off") as served, BoundedClient(PATIENCE) as client:
        for _ in range(4):
            await client.get(served.url)

    assert len(peers) == 1

"""What every model must do, spoken over real HTTP; each adapter runs all of it."""

import gzip
import json
import time
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, Protocol

import pytest

from tests.conftest import PATIENCE
from triage.domain.conversation import ChatMessage, Role, ToolCall, ToolSpec, Turn, Usage
from triage.domain.errors import ContextTooLong, ModelDenied, ModelDown
from triage.domain.ports import Model
from triage.domain.untrusted import Prompt
from triage_sandbox.openai_app import Asked, Reply, Script
from triage_sandbox.server import Served

KEY = "sk-test-0123456789"
SEARCH = ToolSpec(
    name="search_tickets",
    description="Find tickets.",
    parameters={"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
)
TOOLS = (SEARCH, replace(SEARCH, name="create_ticket", description="Write one."))
OPENING = (ChatMessage.system(Prompt("You file tickets.")), ChatMessage.user(Prompt("Der Drucker brennt. 🔥")))
CALL = ToolCall(id="call_a", name="search_tickets", arguments='{"text":"printer"}')
AT_ONCE = {"retry-after": "0.01"}


class ClosableModel(Model, Protocol):
    """A model that holds connections."""

    async def close(self) -> None:
        """Let them go."""


class Stage:
    """One server for many tests; each test brings the app it wants to talk to."""

    app: Any = None
    url = ""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Whatever stands here now."""
        await self.app(scope, receive, send)


class ModelContract:
    """Adapters give `app` and `make`; the rest is the same for all of them."""

    server: Served

    @pytest.fixture(scope="class", autouse=True)
    @classmethod
    def served(cls) -> Iterator[None]:
        """The server, started once: starting and stopping takes longer than most of these tests."""
        with Served(Stage(), lifespan="off") as cls.server:
            yield

    def app(self, script: Script, journal: deque[Asked]) -> Any:
        """The provider's server, which answers by the script."""
        raise NotImplementedError

    def make(self, url: str, **options: Any) -> ClosableModel:
        """The adapter, named `the-model`, against a server at this address."""
        raise NotImplementedError

    @asynccontextmanager
    async def talking(self, *entries: Any, **options: Any) -> AsyncIterator[tuple[Model, deque[Asked]]]:
        """A model whose server answers so, and the server's journal."""
        journal: deque[Asked] = deque()
        self.server.app.app = self.app(Script(*entries), journal)
        model = self.make(self.server.url, **{"retries": 1, "timeout": PATIENCE} | options)
        try:
            yield model, journal
        finally:
            await model.close()

    async def trouble(self, *entries: Any, **options: Any) -> tuple[Exception, int]:
        """What `complete` raises when the server answers so, and how often it asked."""
        async with self.talking(*entries, **options) as (model, journal):
            with pytest.raises((ModelDown, ModelDenied, ContextTooLong)) as caught:
                await model.complete(OPENING, TOOLS, 100)
        return caught.value, len(journal)

    async def test_plain_text(self) -> None:
        """A text answer comes back as text, finished, with the name of the model that gave it."""
        async with self.talking(Turn(text="Grüße, 完了", model="the-model-2026")) as (model, _):
            turn = await model.complete(OPENING, TOOLS, 100)

        assert model.name == "the-model"
        assert (turn.text, turn.calls, turn.finish, turn.model) == ("Grüße, 完了", (), "stop", "the-model-2026")

    async def test_without_tools(self) -> None:
        """A conversation without tools is a conversation."""
        async with self.talking(Turn(text="yes")) as (model, _):
            turn = await model.complete(OPENING, (), 100)

        assert turn.text == "yes"

    async def test_tool_calls_and_their_results(self) -> None:
        """A call comes back as it was made; with its result in the history the model goes on."""
        async with self.talking(Turn(text="Looking.", calls=(CALL,)), Turn(text="Nothing found.")) as (model, _):
            first = await model.complete(OPENING, TOOLS, 100)
            history = (*OPENING, first.message, ChatMessage.tool("call_a", '{"tickets":[]}'))
            second = await model.complete(history, TOOLS, 100)

        assert (first.text, first.calls, first.finish) == ("Looking.", (CALL,), "tool_calls")
        assert second.text == "Nothing found."

    async def test_several_calls_in_one_turn(self) -> None:
        """Calls keep their order, and all their results go back."""
        calls = (CALL, replace(CALL, id="call_b", arguments='{"text":"fire"}'))
        results = (ChatMessage.tool("call_a", "[]"), ChatMessage.tool("call_b", '["OPS-1"]'))
        async with self.talking(Turn(text="", calls=calls), Turn(text="done")) as (model, _):
            first = await model.complete(OPENING, TOOLS, 100)
            second = await model.complete((*OPENING, first.message, *results), TOOLS, 100)

        assert (calls, "done") == (first.calls, second.text)

    async def test_usage_and_cost(self) -> None:
        """Tokens are counted, cached ones inside the read ones, and priced per million."""
        counted = Usage(input_tokens=2000, output_tokens=300, cached_tokens=1200)
        async with self.talking(Turn(text="ok", usage=counted), prices=(2.5, 10.0)) as (model, _):
            turn = await model.complete(OPENING, TOOLS, 100)

        assert turn.usage == replace(counted, cost_usd=0.008)

    async def test_no_price_no_cost(self) -> None:
        """A model whose price nobody told costs an unknown sum, not nothing."""
        async with self.talking(Turn(text="ok")) as (model, _):
            turn = await model.complete(OPENING, TOOLS, 100)

        assert turn.usage.cost_usd is None

    @pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 422])
    async def test_denied(self, status: int) -> None:
        """A refusal that no retry changes is for a person, is asked once and says what the server said."""
        error, asked = await self.trouble(Reply(status=status, body=b'{"error":{"message":"No such model."}}'))

        assert isinstance(error, ModelDenied)
        assert (error.model, "No such model." in error.detail, asked) == ("the-model", True, 1)

    async def test_key_stays_secret(self) -> None:
        """A server that repeats our key in its refusal does not get it into our error."""
        body = json.dumps({"error": {"message": f"Incorrect key: {KEY}."}}).encode()
        error, _ = await self.trouble(Reply(status=401, body=body))

        assert ("***" in str(error), KEY in str(error)) == (True, False)

    @pytest.mark.parametrize("status", [408, 409, 429, 500, 503, 529])
    async def test_down(self, status: int) -> None:
        """What may pass is tried again by the SDK, then left to the queue."""
        error, asked = await self.trouble(Reply(status=status, body=b"{}", headers=AT_ONCE))

        assert (ModelDown, 2) == (type(error), asked)

    async def test_retry_helps(self) -> None:
        """An answer after one refusal is an answer."""
        busy = Reply(status=429, body=b"{}", headers=AT_ONCE)
        async with self.talking([busy, Turn(text="now")]) as (model, journal):
            turn = await model.complete(OPENING, TOOLS, 100)

        assert (turn.text, len(journal)) == ("now", 2)

    async def test_waits_as_asked(self) -> None:
        """A short Retry-After is waited for."""
        busy = Reply(status=429, body=b"{}", headers={"retry-after": "0.4"})
        async with self.talking([busy, Turn(text="now")]) as (model, _):
            before = time.monotonic()
            await model.complete(OPENING, TOOLS, 100)

        assert time.monotonic() - before >= 0.4

    async def test_long_wait_is_left_to_the_queue(self) -> None:
        """A Retry-After of minutes does not keep a worker: it comes back at once, with the time."""
        error, asked = await self.trouble(Reply(status=429, body=b"{}", headers={"retry-after": "300"}))

        assert isinstance(error, ModelDown)
        assert (error.retry_after, asked) == (300.0, 1)

    async def test_too_long_a_conversation(self) -> None:
        """A prompt that the model cannot read is neither down nor denied."""
        body = b'{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}}'
        error, asked = await self.trouble(Reply(status=400, body=body))

        assert (ContextTooLong, 1) == (type(error), asked)

    async def test_hang(self) -> None:
        """A server that says nothing is given up after the timeout."""
        error, asked = await self.trouble(Reply(turn=Turn(text="late"), delay=3600.0), timeout=2.0, retries=0)

        assert (ModelDown, 1) == (type(error), asked)

    @pytest.mark.parametrize(
        "body",
        [
            b"",
            b"null",
            b"[]",
            b'"yes"',
            b"{}",
            b'{"choices":[]}',
            b'{"choices":[{}],"content":7}',
            b"[" * 100000,
            b'{"choices":[{"message":{"content":"half',
            b"<!doctype html><h1>Welcome</h1>",
            b"\xff\xfe\x00",
        ],
    )
    async def test_nonsense(self, body: bytes) -> None:
        """An answer that is none is no answer, and is not asked for again."""
        error, asked = await self.trouble(Reply(body=body))

        assert (ModelDown, 1) == (type(error), asked)

    async def test_error_inside_an_answer(self) -> None:
        """A gateway that hides a refusal in a 200 is understood."""
        error, _ = await self.trouble(Reply(body=b'{"error":{"message":"Insufficient credits","code":402}}'))

        assert (ModelDenied, True) == (type(error), "Insufficient credits" in str(error))

    @pytest.mark.parametrize("status", [404, 502])
    async def test_html(self, status: int) -> None:
        """A proxy's error page is told as one."""
        page = Reply(status=status, body=b"<html><h1>nginx</h1>", headers={"content-type": "text/html"} | AT_ONCE)
        error, _ = await self.trouble(page, retries=0)

        assert (f"{status} an HTML page", "nginx" in str(error)) == (getattr(error, "detail", "").strip(), False)

    async def test_cut_connection(self) -> None:
        """A connection that dies inside an answer is tried again, then down."""
        error, asked = await self.trouble(Reply(turn=Turn(text="x" * 500), cut=100))

        assert (ModelDown, 2) == (type(error), asked)

    async def test_connection_refused(self) -> None:
        """Nobody there is down."""
        async with Served(self.app(Script(Turn(text="")), deque())) as served:
            url = served.url
        model = self.make(url, retries=0, timeout=PATIENCE)
        with pytest.raises(ModelDown) as caught:
            await model.complete(OPENING, TOOLS, 100)
        await model.close()

        assert caught.value.model == "the-model"

    @pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
    async def test_endless_answer(self, packed: bool) -> None:  # noqa: FBT001 - a parameter of the test
        """A body without measure is read to a bound, not into memory, packed or not, and not asked for again."""
        body = b" " * 20 * 1024 * 1024
        reply = Reply(body=gzip.compress(body, 1), headers={"content-encoding": "gzip"}) if packed else Reply(body=body)
        error, asked = await self.trouble(reply)

        assert (ModelDown, 1, True) == (type(error), asked, "8 MB" in str(error))

    async def test_packed_answer(self) -> None:
        """An error that a proxy sends packed is read, not taken for noise."""
        body = gzip.compress(b'{"error":{"message":"No such model."}}')
        error, _ = await self.trouble(Reply(status=404, body=body, headers={"content-encoding": "gzip"}))

        assert "No such model." in str(error)

    async def test_redirect(self) -> None:
        """A base URL that moved is for a person: our key follows no redirect."""
        moved = Reply(status=308, headers={"location": "https://elsewhere.example/v2"})
        error, asked = await self.trouble(moved)

        assert (ModelDenied, 1, True) == (type(error), asked, "https://elsewhere.example/v2" in str(error))

    async def test_half_written_arguments_are_passed_on(self) -> None:
        """A call that the token limit cut in half keeps its broken JSON, and the next request is accepted with it."""
        cut = Turn(text="", calls=(replace(CALL, arguments='{"text":"prin'),), finish="length")
        async with self.talking(cut, Turn(text="again")) as (model, _):
            first = await model.complete(OPENING, TOOLS, 100)
            history = (*OPENING, first.message, ChatMessage.tool("call_a", '{"error":"not JSON"}'))
            second = await model.complete(history, TOOLS, 100)

        assert first.finish == "length"
        with pytest.raises(ValueError, match="line 1"):
            json.loads(first.calls[0].arguments)
        assert second.text == "again"

    async def test_text_that_is_no_unicode(self) -> None:
        """Half-decoded mail with lone surrogates reaches the model."""
        mail = (*OPENING, ChatMessage(role=Role.USER, text="caf\udce9"))
        async with self.talking(Turn(text="ok")) as (model, _):
            turn = await model.complete(mail, TOOLS, 100)

        assert turn.text == "ok"

    async def test_one_client_for_all_calls(self) -> None:
        """Calls in a row share one connection: no client is built per mail."""
        async with self.talking(Turn(text="ok")) as (model, journal):
            for _ in range(5):
                await model.complete(OPENING, TOOLS, 100)

        assert (len(journal), len({asked.peer for asked in journal})) == (5, 1)

    @pytest.mark.parametrize("key", ["schlüssel", "two\nlines"])
    async def test_impossible_key(self, key: str) -> None:
        """A key that no header can carry is named as the problem before anything is sent."""
        model = self.make("http://127.0.0.1:9", api_key=key, timeout=1.0, retries=0)
        with pytest.raises(ModelDenied, match="API key"):
            await model.complete(OPENING, TOOLS, 100)

    @pytest.mark.parametrize("url", ["http://[half", "models.example", "ftp://models.example", "https://"])
    async def test_impossible_address(self, url: str) -> None:
        """A base URL that is none is named as the problem before anything is looked up."""
        model = self.make(url, timeout=1.0, retries=0)
        with pytest.raises(ModelDenied, match="base URL"):
            await model.complete(OPENING, TOOLS, 100)

"""The sandbox's OpenAI: as strict as the real one, deterministic, and broken on demand."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import openai
import pytest

from triage.domain.conversation import ChatMessage, Messages, Role, ToolCall, ToolSpec, Turn
from triage.domain.errors import ContextTooLong, ModelDenied, ModelDown, TriageError
from triage_sandbox.openai_app import Reply, Script, openai_app
from triage_sandbox.server import Served

ASK = {"model": "any", "messages": [{"role": "user", "content": "hi"}]}
FUNCTION = {"name": "search", "description": "Find.", "parameters": {"type": "object"}}
USE = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": "{}"}}


class Echo:
    """A model that remembers what it was asked."""

    name = "echo"

    def __init__(self, trouble: TriageError | None = None) -> None:
        self.trouble = trouble
        self.heard: list[tuple[Messages, Sequence[ToolSpec], int]] = []

    async def complete(self, conversation: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        """Say how long the conversation is."""
        self.heard.append((conversation, tools, max_tokens))
        if self.trouble is not None:
            raise self.trouble
        return Turn(text=f"{len(conversation)} messages", model="echo")


@asynccontextmanager
async def serving(answer: Any, **options: Any) -> AsyncIterator[httpx2.AsyncClient]:
    """A plain HTTP client of the app."""
    app = openai_app(answer, **options)
    transport = httpx2.ASGITransport(app=app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://sandbox/v1") as client:
        yield client


async def post(answer: Any, body: Any, **options: Any) -> httpx2.Response:
    """One request."""
    async with serving(answer, **options) as client:
        return await client.post("/chat/completions", json=body)


async def test_the_real_client_understands_it() -> None:
    """The documented use of the SDK works against it, tools and models included."""
    script = Script(Turn(text="", calls=(ToolCall(id="", name="search", arguments="{}"),)))
    tools: Any = [{"type": "function", "function": FUNCTION}]
    messages: Any = ASK["messages"]
    async with (
        Served(openai_app(script, api_key="k", models=["m"])) as served,
        openai.AsyncOpenAI(api_key="k", base_url=f"{served.url}/v1", max_retries=0) as client,
    ):
        answer = await client.chat.completions.create(model="m", messages=messages, tools=tools)
        models = [model.id async for model in client.models.list()]
        one = await client.models.retrieve("m")

    calls: Any = answer.choices[0].message.tool_calls
    assert (answer.id[:9], answer.choices[0].finish_reason, calls[0].function.name) == (
        "chatcmpl-",
        "tool_calls",
        "search",
    )
    assert calls[0].id.startswith("call_")
    assert (models, one.id) == (["m"], "m")


async def test_a_model_behind_it_hears_our_words() -> None:
    """JSON messages and tools become a conversation again, whatever shape their text has."""
    echo = Echo()
    messages = [
        {"role": "developer", "content": "rules"},
        {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
        {"role": "assistant", "content": None, "tool_calls": [USE]},
        {"role": "tool", "tool_call_id": "c1", "content": "[]"},
    ]
    tools = [{"type": "function", "function": FUNCTION}]
    body = {"model": "any", "messages": messages, "tools": tools, "max_completion_tokens": 77}
    answer = (await post(echo, body)).json()

    assert echo.heard == [
        (
            (
                ChatMessage(role=Role.SYSTEM, text="rules"),
                ChatMessage(role=Role.USER, text="ab"),
                ChatMessage(role=Role.ASSISTANT, text="", calls=(ToolCall(id="c1", name="search", arguments="{}"),)),
                ChatMessage.tool("c1", "[]"),
            ),
            (ToolSpec(name="search", description="Find.", parameters={"type": "object"}),),
            77,
        )
    ]
    assert answer["choices"][0]["message"]["content"] == "4 messages"


@pytest.mark.parametrize(
    ("trouble", "status", "code"),
    [
        (ModelDown("m", "tired", retry_after=9.0), 503, "server_error"),
        (ModelDenied("m", "no"), 403, "permission_denied"),
        (ContextTooLong("m"), 400, "context_length_exceeded"),
    ],
)
async def test_errors_of_the_model_behind_it(trouble: TriageError, status: int, code: str) -> None:
    """Each of our errors has its HTTP form."""
    response = await post(Echo(trouble), ASK)

    assert (response.status_code, response.json()["error"]["code"]) == (status, code)
    assert response.headers.get("retry-after") == ("9" if status == 503 else None)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"model": None}, "model"),
        ({"messages": []}, "too short"),
        ({"tools": []}, "too short"),
        ({"temprature": 1}, "Unrecognized request argument supplied: temprature"),
        ({"stream": True}, "Unrecognized"),
        ({"max_completion_tokens": 0}, "minimum"),
        ({"messages": ["hi"]}, "role"),
        ({"messages": [{"role": "robot", "content": "hi"}]}, "role"),
        ({"messages": [{"role": "tool", "tool_call_id": "c1", "content": ""}]}, "preceding message"),
        ({"messages": [{"role": "assistant", "tool_calls": [USE]}]}, "did not have response messages: c1"),
        ({"messages": [{"role": "assistant", "tool_calls": [USE]}, {"role": "user", "content": ""}]}, "did not have"),
        ({"messages": [{"role": "assistant", "tool_calls": [USE, USE]}]}, "duplicate"),
    ],
)
async def test_as_strict_as_the_real_one(change: dict[str, Any], words: str) -> None:
    """What OpenAI answers 400 to fails here too, so it cannot hide until the first real key."""
    response = await post(Script(Turn(text="ok")), ASK | change)

    assert (response.status_code, words in response.json()["error"]["message"]) == (400, True)


async def test_no_json() -> None:
    """A body that is none is refused, not a crash."""
    async with serving(Script(Turn(text="ok"))) as client:
        response = await client.post("/chat/completions", content=b"{half")

    assert response.status_code == 400


async def test_key_model_and_context() -> None:
    """A wrong key, an unknown model and a prompt that is too long are refused in OpenAI's words."""
    script = Script(Turn(text="ok"))
    codes = [
        (await post(script, ASK, api_key="k")).json()["error"]["code"],
        (await post(script, ASK, models=["other"])).json()["error"]["code"],
        (await post(script, ASK, context=3)).json()["error"]["code"],
    ]

    assert codes == ["invalid_api_key", "model_not_found", "context_length_exceeded"]


@pytest.mark.parametrize("path", ["/models", "/models/m"])
async def test_models_want_the_key_too(path: str) -> None:
    """No list for strangers."""
    async with serving(Script(Turn(text="ok")), api_key="k") as client:
        response = await client.get(path)

    assert response.status_code == 401


async def test_unknown_model_is_not_shown() -> None:
    """A name that is not on the list is 404."""
    async with serving(Script(Turn(text="ok")), models=["org/m"]) as client:
        found = [(await client.get(f"/models/{name}")).status_code for name in ("org/m", "gone")]

    assert found == [200, 404]


async def test_same_request_same_answer() -> None:
    """Ids follow from the request alone; usage is estimated at four characters a token."""
    answers = [(await post(Script(Turn(text="x" * 40)), ASK)).json() for _ in range(2)]

    assert answers[0] == answers[1]
    assert answers[0]["usage"]["completion_tokens"] == 10
    assert answers[0]["usage"]["prompt_tokens"] > 10


async def test_script_goes_by_turns_of_the_conversation() -> None:
    """Two conversations in parallel each get their own next line, and the last line for ever."""
    said = [{"role": "assistant", "content": "…"}]
    bodies = [ASK | {"messages": [*ASK["messages"], *said * n]} for n in (0, 1, 0, 2, 7)]
    async with serving(Script(Turn(text="one"), Turn(text="two"), Turn(text="three"))) as client:
        answers = [(await client.post("/chat/completions", json=body)).json() for body in bodies]

    assert [a["choices"][0]["message"]["content"] for a in answers] == ["one", "two", "one", "three", "three"]


async def test_script_of_tries() -> None:
    """A list holds what the first, second, … try of the same messages gets; other messages start anew."""
    script = Script([Reply(status=500), Reply(status=429), Turn(text="ok")])
    other = ASK | {"messages": [{"role": "user", "content": "other"}]}
    async with serving(script) as client:
        codes = [(await client.post("/chat/completions", json=b)).status_code for b in (ASK, ASK, other, ASK, ASK)]

    assert codes == [500, 429, 500, 200, 200]


async def test_a_delayed_answer_comes() -> None:
    """A slow server answers in the end."""
    before = asyncio.get_running_loop().time()
    answer = await post(Script(Reply(turn=Turn(text="late"), delay=0.1)), ASK)

    assert asyncio.get_running_loop().time() - before >= 0.1
    assert answer.json()["choices"][0]["message"]["content"] == "late"


def test_tries_are_bounded() -> None:
    """A script forgets the oldest conversations, not the latest."""
    script = Script([Turn(text="first"), Turn(text="second")])
    asked = [[{"role": "user", "content": str(number)}] for number in range(1500)]
    first = {script.reply(messages).turn for messages in asked}
    latest, oldest = script.reply(asked[-1]).turn, script.reply(asked[0]).turn

    assert first == {Turn(text="first")}
    assert (latest, oldest) == (Turn(text="second"), Turn(text="first"))


async def test_journal_is_bounded() -> None:
    """The latest thousand requests are kept, not every one of a long run."""
    app = openai_app(Script(Turn(text="ok")))
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://sandbox") as client:
        for number in range(1005):
            await client.post("/v1/chat/completions", json=ASK | {"user": str(number)})

    journal = app.state.journal
    assert (len(journal), journal[0].body["user"], journal[-1].body["user"]) == (1000, "5", "1004")


async def test_a_delay_ends_with_its_client() -> None:
    """A hanging answer does not outlive the client that waited for it."""
    app = openai_app(Script(Reply(turn=Turn(text="late"), delay=3600.0)))
    async with Served(app) as served, httpx2.AsyncClient(timeout=httpx2.Timeout(30, read=0.2)) as client:
        with pytest.raises(httpx2.ReadTimeout):
            await client.post(f"{served.url}/v1/chat/completions", json=ASK)

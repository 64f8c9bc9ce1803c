"""What only the OpenAI adapter has to get right: the many servers that nearly speak OpenAI."""

import json
import subprocess
import sys
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import httpx2
import pytest

from integrations.models.openai_model import OpenAIModel
from tests.conftest import PATIENCE
from tests.contract.model.model_contract import Stage
from triage.domain.conversation import ChatMessage, Role, ToolCall, ToolSpec, Turn
from triage.domain.errors import ModelDenied
from triage.domain.untrusted import Prompt
from triage_sandbox.openai_app import Asked, Reply, Script, openai_app
from triage_sandbox.server import Served

OPENING = (ChatMessage.system(Prompt("You file tickets.")), ChatMessage.user(Prompt("It burns.")))
TOOL = ToolSpec(name="search", description="Find.", parameters={"type": "object", "properties": {}})
CALL = ToolCall(id="call_a", name="search", arguments="{}")


STAGE = Stage()


@pytest.fixture(scope="module", autouse=True)
def server() -> Iterator[None]:
    """One server for this file, where each test puts its own app."""
    with Served(STAGE, lifespan="off") as served:
        STAGE.url = served.url
        yield


@asynccontextmanager
async def talking(*entries: Any, **options: Any) -> AsyncIterator[tuple[OpenAIModel, deque[Asked]]]:
    """A model and its scripted server's journal."""
    app = STAGE.app = openai_app(Script(*entries))
    url = f"{STAGE.url}/v1"
    model = OpenAIModel(api_key="k", base_url=url, model="m", timeout=PATIENCE, retries=0, **options)
    try:
        yield model, app.state.journal
    finally:
        await model.close()


def completion(message: Any, finish: Any = "stop", **more: Any) -> Reply:
    """A raw answer, shaped by hand."""
    return Reply(body=json.dumps({"choices": [{"message": message, "finish_reason": finish}], **more}).encode())


def called(*calls: Any) -> Reply:
    """A raw answer with these tool calls."""
    return completion({"content": None, "tool_calls": list(calls)}, "tool_calls")


async def turn_after(reply: Reply, *history: ChatMessage) -> Turn:
    """What the model makes of an answer."""
    async with talking(reply) as (model, _):
        return await model.complete((*OPENING, *history), [TOOL], 50)


async def test_request_holds_what_was_asked_and_no_more() -> None:
    """Model, limit, messages and tools are sent; no temperature where none is set."""
    async with talking(Turn(text="ok")) as (model, journal):
        await model.complete(OPENING, [TOOL], 50)

    function = {"name": "search", "description": "Find.", "parameters": TOOL.parameters}
    assert journal[0].body == {
        "model": "m",
        "max_completion_tokens": 50,
        "messages": [
            {"role": "system", "content": "You file tickets."},
            {"role": "user", "content": "It burns."},
        ],
        "tools": [{"type": "function", "function": function}],
    }


async def test_temperature_where_one_is_set() -> None:
    """A temperature that the admin chose goes along."""
    async with talking(Turn(text="ok"), temperature=0.0) as (model, journal):
        await model.complete(OPENING, [], 50)

    assert journal[0].body["temperature"] == 0.0


async def test_history_goes_back_as_it_was() -> None:
    """Calls and results of earlier rounds stand in the request as the model wrote them."""
    history = (ChatMessage(role=Role.ASSISTANT, text="", calls=(CALL,)), ChatMessage.tool("call_a", "[]"))
    async with talking(Turn(text="ok")) as (model, journal):
        await model.complete((*OPENING, *history), [TOOL], 50)

    function = {"name": "search", "arguments": "{}"}
    assert journal[0].body["messages"][2:] == [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "call_a", "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": "call_a", "content": "[]"},
    ]


@pytest.mark.parametrize("arguments", ['{"text": "half', "[1]", '"x"', "", "[" * 100_000])
async def test_broken_arguments_go_back_as_an_object(arguments: str) -> None:
    """Servers that parse the history (vLLM, SGLang, llama.cpp) must not refuse it for ever after."""
    history = (
        ChatMessage(role=Role.ASSISTANT, text="", calls=(replace(CALL, arguments=arguments),)),
        ChatMessage.tool("call_a", "{}"),
    )
    async with talking(Turn(text="ok")) as (model, journal):
        await model.complete((*OPENING, *history), [TOOL], 50)

    sent = json.loads(journal[0].body["messages"][2]["tool_calls"][0]["function"]["arguments"])
    assert list(sent) == ["malformed_arguments"]


async def test_line_breaks_in_texts_go_back_escaped() -> None:
    """Arguments that a model wrote with bare line breaks are read, and sent back as strict JSON."""
    call = replace(CALL, arguments='{"text": "one\ntwo"}')
    history = (ChatMessage(role=Role.ASSISTANT, text="", calls=(call,)), ChatMessage.tool("call_a", "{}"))
    async with talking(Turn(text="ok")) as (model, journal):
        await model.complete((*OPENING, *history), [TOOL], 50)

    sent = json.loads(journal[0].body["messages"][2]["tool_calls"][0]["function"]["arguments"])
    assert sent == {"text": "one\ntwo"}


async def test_tools_are_those_of_the_call() -> None:
    """What is kept of one set of tools is not sent for another one."""
    other = replace(TOOL, name="create")
    async with talking(Turn(text="ok")) as (model, journal):
        for tools in ([TOOL], [other], [TOOL, other], [], [replace(TOOL, name="third")], [TOOL]):
            await model.complete(OPENING, tools, 50)

    names = [[tool["function"]["name"] for tool in asked.body.get("tools", [])] for asked in journal]
    assert names == [["search"], ["create"], ["search", "create"], [], ["third"], ["search"]]


def test_many_sets_of_tools() -> None:
    """What is kept does not grow for ever."""
    model = OpenAIModel(api_key="k", model="m", timeout=1.0)
    tails = [model._tail((replace(TOOL, name=f"tool_{number}"),)) for number in range(200)]

    assert b"tool_199" in tails[-1]
    assert len(model._tails) < 65


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (422, {"detail": [{"type": "extra_forbidden", "loc": ["body", "max_completion_tokens"]}]}),
        (400, "Unrecognized request argument supplied: max_completion_tokens"),
    ],
)
async def test_servers_that_know_max_tokens_only(status: int, message: Any) -> None:
    """The older name of the limit is used once the newer one was refused, and from then on."""
    refused = Reply(status=status, body=json.dumps({"error": {"message": message}}).encode())
    async with talking([refused, Turn(text="?")], Turn(text="ok")) as (model, journal):
        await model.complete(OPENING, [], 50)
        await model.complete((*OPENING, ChatMessage(role=Role.ASSISTANT, text="?"), *OPENING[1:]), [], 50)

    assert [asked.body.get("max_tokens") for asked in journal] == [None, 50, 50]


async def test_servers_that_know_neither() -> None:
    """A server that refuses both names is asked once more, not for ever."""
    refused = Reply(status=400, body=b'{"error":{"message":"unknown fields: max_completion_tokens, max_tokens"}}')
    async with talking(refused) as (model, journal):
        for _ in range(2):
            with pytest.raises(ModelDenied, match="unknown fields"):
                await model.complete(OPENING, [], 50)

    assert [sorted(asked.body) for asked in journal][1:] == [["max_tokens", "messages", "model"]] * 2


async def test_a_limit_too_high_is_refused_as_such() -> None:
    """A server that knows the field and dislikes its value is not asked in the older words."""
    refused = Reply(status=400, body=b'{"error":{"message":"max_completion_tokens is too large: 50"}}')
    async with talking(refused) as (model, journal):
        with pytest.raises(ModelDenied, match="too large"):
            await model.complete(OPENING, [], 50)

    assert len(journal) == 1


async def test_missing_ids_are_made_up_the_same_way() -> None:
    """A call without an id gets one that says turn and place, so a repeated answer gets the same."""
    function = {"name": "search", "arguments": "{}"}
    turn = await turn_after(
        called({"function": function}, {"id": None, "function": function}, {"id": "", "function": function})
    )

    assert [call.id for call in turn.calls] == ["call_1_1", "call_1_2", "call_1_3"]


async def test_ids_are_unique_in_the_whole_conversation() -> None:
    """Servers that count from zero in each answer do not mix up results."""
    earlier = (ChatMessage(role=Role.ASSISTANT, text="", calls=(CALL, replace(CALL, id="call_2_2"))),)
    results = (ChatMessage.tool("call_a", "[]"), ChatMessage.tool("call_2_2", "[]"))
    function = {"name": "search", "arguments": "{}"}
    again = called(*[{"id": "call_a", "function": function}] * 2, {"id": "call_b", "function": function})
    turn = await turn_after(again, *earlier, *results)

    assert [call.id for call in turn.calls] == ["call_2_1", "call_2_2x", "call_b"]


@pytest.mark.parametrize(
    ("written", "finish", "read"),
    [
        ('{"a":1}', "tool_calls", '{"a":1}'),
        ('{"a":', "tool_calls", '{"a":'),
        ("", "tool_calls", "{}"),
        (None, "stop", "{}"),
        ("", "length", ""),
        ({"a": "ä"}, "tool_calls", '{"a":"ä"}'),
    ],
)
async def test_arguments(written: Any, finish: str, read: str) -> None:
    """As the model wrote them; none at all is an empty object, unless the answer was cut off."""
    reply = completion({"tool_calls": [{"id": "x", "function": {"name": "search", "arguments": written}}]}, finish)
    turn = await turn_after(reply)

    assert turn.calls[0].arguments == read


@pytest.mark.parametrize("calls", [None, {}, "search", [None], [7], [{"function": None}], [{"id": "x"}]])
async def test_calls_without_shape(calls: Any) -> None:
    """What is no call has no name: the loop answers it as an unknown tool instead of dying of it."""
    turn = await turn_after(completion({"content": "hm", "tool_calls": calls}))

    assert {call.name for call in turn.calls} <= {""}


@pytest.mark.parametrize(
    ("finish", "ours"),
    [
        ("stop", "stop"),
        ("length", "length"),
        ("content_filter", "content_filter"),
        ("eos", "stop"),
        (None, "stop"),
        (7, "stop"),
    ],
)
async def test_finish(finish: Any, ours: str) -> None:
    """A reason we do not know is a plain end."""
    turn = await turn_after(completion({"content": "hm"}, finish))

    assert turn.finish == ours


async def test_calls_win_over_stop() -> None:
    """Servers that say `stop` although they call a tool are understood."""
    turn = await turn_after(completion({"tool_calls": [{"id": "x", "function": {"name": "search"}}]}, "stop"))

    assert turn.finish == "tool_calls"


async def test_refusal_is_text() -> None:
    """What a model says instead of an answer is what it says."""
    turn = await turn_after(completion({"content": None, "refusal": "I cannot help with that."}))

    assert turn.text == "I cannot help with that."


async def test_text_in_parts() -> None:
    """Content that comes as a list (Mistral's thinking models) is the text of its text parts."""
    parts = [
        {"type": "thinking", "thinking": [{"text": "hm"}]},
        {"type": "text", "text": "Fer"},
        {"type": "text", "text": "tig"},
    ]
    turn = await turn_after(completion({"content": parts}))

    assert turn.text == "Fertig"


@pytest.mark.parametrize("usage", [None, [], {"prompt_tokens": "many"}, {"prompt_tokens": -5}])
async def test_usage_without_shape(usage: Any) -> None:
    """Tokens that the server does not tell are none."""
    turn = await turn_after(completion({"content": "ok"}, usage=usage))

    assert (turn.usage.input_tokens, turn.usage.output_tokens, turn.model) == (0, 0, "m")


async def test_a_given_client_is_used_and_left_open() -> None:
    """Who brings the HTTP client closes it."""
    async with httpx2.AsyncClient() as http, talking(Turn(text="ok"), http_client=http) as (model, _):
        await model.complete(OPENING, [], 50)
        await model.close()

        assert not http.is_closed


def test_the_sdk_is_loaded_by_the_first_call_only() -> None:
    """Importing and making the adapter costs no import of the SDK."""
    code = (
        "import sys, integrations.models.openai_model as o;"
        "o.OpenAIModel(api_key='k', model='m', timeout=1.0);"
        "print('openai' in sys.modules, 'anthropic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["False", "False"]

"""What only the Anthropic adapter has to get right: another shape of history, calls and usage."""

import json
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from integrations.models.anthropic_model import AnthropicModel
from tests.conftest import PATIENCE
from tests.contract.model.model_contract import Stage
from tests.servers.anthropic import anthropic_app
from triage.domain.conversation import ChatMessage, Role, ToolCall, ToolSpec, Turn
from triage.domain.errors import ModelDown
from triage.domain.untrusted import Prompt
from triage_sandbox.openai_app import Asked, Reply, Script
from triage_sandbox.server import Served

KEY = "sk-ant-0123456789"
OPENING = (ChatMessage.system(Prompt("You file tickets.")), ChatMessage.user(Prompt("It burns.")))
TOOL = ToolSpec(name="search", description="Find.", parameters={"type": "object", "properties": {}})
CALL = ToolCall(id="call_a", name="search", arguments='{"text":"fire"}')
STAGE = Stage()


@pytest.fixture(scope="module", autouse=True)
def server() -> Iterator[None]:
    """One server for this file, where each test puts its own app."""
    with Served(STAGE, lifespan="off") as served:
        STAGE.url = served.url
        yield


@asynccontextmanager
async def talking(*entries: Any) -> AsyncIterator[tuple[AnthropicModel, deque[Asked]]]:
    """A model and its scripted server's journal."""
    journal: deque[Asked] = deque()
    STAGE.app = anthropic_app(Script(*entries), journal, api_key=KEY)
    model = AnthropicModel(
        api_key=KEY, base_url=STAGE.url, model="claude", timeout=PATIENCE, retries=0, prices=(1.0, 2.0)
    )
    try:
        yield model, journal
    finally:
        await model.close()


async def request_of(*history: ChatMessage) -> Any:
    """What is sent for a conversation."""
    async with talking(Turn(text="ok")) as (model, journal):
        await model.complete(history, [TOOL], 50)
    return journal[0].body


async def turn_after(**answer: Any) -> Turn:
    """What the model makes of an answer."""
    async with talking(Reply(body=json.dumps(answer).encode())) as (model, _):
        return await model.complete(OPENING, [TOOL], 50)


async def test_request() -> None:
    """The system prompt stands apart and is marked for caching; nothing is sent that newer models refuse."""
    body = await request_of(*OPENING)

    assert body == {
        "model": "claude",
        "max_tokens": 50,
        "system": [{"type": "text", "text": "You file tickets.", "cache_control": {"type": "ephemeral"}}],
        "messages": [{"role": "user", "content": [{"type": "text", "text": "It burns."}]}],
        "tools": [{"name": "search", "description": "Find.", "input_schema": TOOL.parameters}],
    }


async def test_no_system_prompt() -> None:
    """A conversation that begins with the user has no system field."""
    body = await request_of(OPENING[1])

    assert "system" not in body


async def test_results_and_what_follows_are_one_user_turn() -> None:
    """Roles alternate: all results of a turn go first, our next words into the same message."""
    calls = (CALL, replace(CALL, id="call_b", arguments="{}"))
    body = await request_of(
        *OPENING,
        ChatMessage(role=Role.ASSISTANT, text="Looking.", calls=calls),
        ChatMessage.tool("call_a", "[]"),
        ChatMessage.tool("call_b", "[1]"),
        ChatMessage.user(Prompt("Go on.")),
    )

    assert body["messages"][1:] == [
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "Looking."},
                {"type": "tool_use", "id": "call_a", "name": "search", "input": {"text": "fire"}},
                {"type": "tool_use", "id": "call_b", "name": "search", "input": {}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "call_a", "content": "[]"},
                {"type": "tool_result", "tool_use_id": "call_b", "content": "[1]"},
                {"type": "text", "text": "Go on."},
            ],
        },
    ]


async def test_blank_text_is_left_out() -> None:
    """The API refuses blank blocks, and a turn that would have none."""
    body = await request_of(*OPENING, ChatMessage(role=Role.ASSISTANT, text=" \n"), ChatMessage.user(Prompt("And?")))

    assert [m["role"] for m in body["messages"]] == ["user"]
    assert [block["text"] for block in body["messages"][0]["content"]] == ["It burns.", "And?"]


@pytest.mark.parametrize("call_id", ["functions.search:0", "aufruf ä", "call_a"])
async def test_ids_of_other_providers(call_id: str) -> None:
    """A conversation that another model began can be continued, its ids still matching."""
    made = ChatMessage(role=Role.ASSISTANT, text="", calls=(replace(CALL, id=call_id),))
    body = await request_of(*OPENING, made, ChatMessage.tool(call_id, "[]"))

    used, answered = body["messages"][1]["content"][0], body["messages"][2]["content"][0]
    assert used["id"] == answered["tool_use_id"]


async def test_usage_counts_cached_tokens_once() -> None:
    """Anthropic tells cached tokens apart from the others; we count all that were read, and those within."""
    usage = {
        "input_tokens": 100,
        "cache_creation_input_tokens": 20,
        "cache_read_input_tokens": 1000,
        "output_tokens": 50,
    }
    turn = await turn_after(content=[{"type": "text", "text": "ok"}], usage=usage, stop_reason="end_turn")

    assert (turn.usage.input_tokens, turn.usage.cached_tokens, turn.usage.output_tokens) == (1120, 1000, 50)
    assert turn.usage.cost_usd == (1120 * 1.0 + 50 * 2.0) / 1_000_000


@pytest.mark.parametrize(
    ("reason", "ours"),
    [
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("refusal", "content_filter"),
        ("pause_turn", "stop"),
        ("something_new", "stop"),
        (None, "stop"),
    ],
)
async def test_stop_reasons(reason: str | None, ours: str) -> None:
    """Every reason has one of our four words."""
    turn = await turn_after(content=[], stop_reason=reason)

    assert turn.finish == ours


async def test_only_text_is_text() -> None:
    """Thoughts and blocks that we do not know are not what the model says."""
    content = [
        {"type": "thinking", "thinking": "hm", "text": "hm"},
        {"type": "text", "text": "Fer"},
        {"type": "x"},
        None,
    ]
    turn = await turn_after(content=[*content, {"type": "text", "text": "tig"}])

    assert turn.text == "Fertig"


async def test_a_cut_call_does_not_look_complete() -> None:
    """The call that max_tokens cut is malformed for the loop; those before it are whole."""
    uses = [{"type": "tool_use", "id": name, "name": "search", "input": {"text": name}} for name in ("a", "b")]
    turn = await turn_after(content=uses, stop_reason="max_tokens")

    assert [call.arguments for call in turn.calls] == ['{"text":"a"}', '{"text":"b"']


async def test_no_content_is_no_answer() -> None:
    """A message without content is nonsense."""
    with pytest.raises(ModelDown, match="without content"):
        await turn_after(type="message", stop_reason="end_turn")

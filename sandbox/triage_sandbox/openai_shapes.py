"""Parses chat-completion requests as OpenAI's server does, and formats answers and errors in its shape."""

import hashlib
from collections.abc import Mapping
from typing import Final

from triage.domain.conversation import ChatMessage, Json, Messages, Role, ToolCall, ToolSpec, Turn

_KNOWN: Final = {
    "max_completion_tokens", "max_tokens", "messages", "metadata", "model", "n", "parallel_tool_calls",
    "prompt_cache_key", "reasoning_effort", "response_format", "seed", "service_tier", "stop", "store",
    "temperature", "tool_choice", "tools", "top_p", "user", "verbosity",
}  # fmt: skip
_ROLES: Final = {
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "tool": Role.TOOL,
}


def problem_of(body: Mapping[str, Json]) -> str | None:
    """Return the message of OpenAI's error 400 for a request; None if the request is valid."""
    unknown = sorted(body.keys() - _KNOWN)
    if unknown:
        return f"Unrecognized request argument supplied: {unknown[0]}"
    if not isinstance(body.get("model"), str) or not body["model"]:
        return "you must provide a model parameter"
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        return "[] is too short - 'messages'"
    if body.get("tools") == []:
        return "[] is too short - 'tools'"
    limit = body.get("max_completion_tokens", 1)
    if not isinstance(limit, int) or limit < 1:
        return "Invalid 'max_completion_tokens': integer below minimum value."
    return _history_problem(messages)


def _history_problem(messages: list[Json]) -> str | None:
    """Every call wants its answer before anything else is said, and no answer comes without a call."""
    open_calls: set[str] = set()
    for index, message in enumerate(messages):
        role = message.get("role") if isinstance(message, dict) else None
        if role not in _ROLES:
            return f"Invalid value: 'messages[{index}].role'."
        if role == "tool":
            if message.get("tool_call_id") not in open_calls:
                return f"messages[{index}]: role 'tool' must be a response to a preceding message with 'tool_calls'."
            open_calls.remove(message["tool_call_id"])
            continue
        if open_calls:
            break
        calls = message.get("tool_calls") or []
        open_calls = {call["id"] for call in calls}
        if len(open_calls) < len(calls):
            return f"messages[{index}]: duplicate tool call id."
    if open_calls:
        return f"tool_call_ids did not have response messages: {', '.join(sorted(open_calls))}"
    return None


def conversation_of(body: Mapping[str, Json]) -> Messages:
    """Convert the request's messages to ours."""
    return tuple(
        ChatMessage(
            role=_ROLES[message["role"]],
            text=_text(message.get("content")),
            calls=tuple(_call(call) for call in message.get("tool_calls") or ()),
            answers=message.get("tool_call_id", ""),
        )
        for message in body["messages"]
    )


def tools_of(body: Mapping[str, Json]) -> tuple[ToolSpec, ...]:
    """Convert the request's tools to ours."""
    functions = [tool["function"] for tool in body.get("tools", ())]
    return tuple(
        ToolSpec(name=f["name"], description=f.get("description", ""), parameters=f.get("parameters", {}))
        for f in functions
    )


def answer_of(turn: Turn, body: Mapping[str, Json], raw: bytes) -> Json:
    """The turn as a chat completion; the same request always gets the same ids."""
    mark = hashlib.sha256(raw).hexdigest()[:24]
    message: dict[str, Json] = {"role": "assistant", "content": turn.text or None, "refusal": None}
    if turn.calls:
        message["tool_calls"] = [
            {
                "id": call.id or f"call_{mark}{index}",
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for index, call in enumerate(turn.calls)
        ]
    finish = "tool_calls" if turn.calls and turn.finish == "stop" else turn.finish
    return {
        "id": f"chatcmpl-{mark}",
        "object": "chat.completion",
        "created": 0,
        "model": turn.model or body["model"],
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": finish}],
        "usage": _usage(turn, len(raw), len(turn.text) + sum(len(c.name) + len(c.arguments) for c in turn.calls)),
    }


def _usage(turn: Turn, read: int, written: int) -> Json:
    """As the turn tells, else estimated: four characters make a token."""
    tokens_in = turn.usage.input_tokens or read // 4
    tokens_out = turn.usage.output_tokens or written // 4
    return {
        "prompt_tokens": tokens_in,
        "completion_tokens": tokens_out,
        "total_tokens": tokens_in + tokens_out,
        "prompt_tokens_details": {"cached_tokens": turn.usage.cached_tokens},
    }


def _call(call: Mapping[str, Json]) -> ToolCall:
    function = call["function"]
    return ToolCall(id=call["id"], name=function["name"], arguments=function["arguments"])


def _text(content: Json) -> str:
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content)
    return content or ""

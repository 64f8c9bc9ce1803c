"""Parts of model answers that all providers share: tool calls, arguments, tokens, prices."""

import json
from collections.abc import Iterable

from triage.domain.conversation import Json, Messages, Role, ToolCall, Usage


def serialised(value: Json) -> bytes:
    """Return compact JSON; a lone surrogate from badly decoded mail becomes `?`, since UTF-8 cannot encode it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def calls_of(wanted: Iterable[tuple[str, str, str]], messages: Messages) -> tuple[ToolCall, ...]:
    """Build calls from (id, name, arguments), with ids unique in the conversation, since results are stored by id.

    Some servers send no ids, or count from zero in every answer.
    """
    taken = {call.id for message in messages for call in message.calls}
    turn = sum(message.role is Role.ASSISTANT for message in messages) + 1
    calls = []
    for index, (given, name, arguments) in enumerate(wanted, start=1):
        call_id = _free(given, f"call_{turn}_{index}", taken)
        taken.add(call_id)
        calls.append(ToolCall(id=call_id, name=name, arguments=arguments))
    return tuple(calls)


def _free(given: str, ours: str, taken: set[str]) -> str:
    """Return the given id if it is free, else one of ours; deterministic, so that a replay gives the same ids."""
    if given and given not in taken:
        return given
    while ours in taken:
        ours += "x"
    return ours


def arguments_object(text: str) -> dict[str, Json]:
    """Return the arguments of an earlier call as an object, wrapped in one if they are malformed.

    vLLM, SGLang and llama.cpp parse the history and refuse malformed arguments with 400; Anthropic takes objects only.
    """
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return {"malformed_arguments": text}
    return value if isinstance(value, dict) else {"malformed_arguments": value}


def usage_of(read: Json, written: Json, cached: Json, prices: tuple[float, float] | None) -> Usage:
    """Return token counts and the cost in USD, an upper bound: cached tokens count at the full price."""
    tokens_in, tokens_out = count(read), count(written)
    cost = (tokens_in * prices[0] + tokens_out * prices[1]) / 1_000_000 if prices else None
    return Usage(input_tokens=tokens_in, output_tokens=tokens_out, cached_tokens=count(cached), cost_usd=cost)


def count(value: Json) -> int:
    """Return a number of tokens; 0 for anything but a positive integer."""
    return value if isinstance(value, int) and value > 0 else 0


def text(value: Json) -> str:
    """Return a text or a list of text parts as one string; empty for anything else."""
    if isinstance(value, list):
        return "".join(text(mapping(part).get("text")) for part in value)
    return value if isinstance(value, str) else ""


def mapping(value: Json) -> dict[str, Json]:
    """Return the value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}

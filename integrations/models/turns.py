"""Shared parts of model answers: tool calls, arguments, tokens, prices."""

import json
from collections.abc import Iterable

from triage.domain.conversation import Json, Messages, Role, ToolCall, Usage


def serialised(value: Json) -> bytes:
    """Compact JSON. A lone surrogate, which half-decoded mail carries, becomes `?`: UTF-8 has no place for it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def calls_of(wanted: Iterable[tuple[str, str, str]], messages: Messages) -> tuple[ToolCall, ...]:
    """Calls made of (id, name, arguments), their ids unique in the whole conversation: results are kept by them.

    Servers without ids of their own send none, or count from zero again in every answer.
    """
    taken = {call.id for said in messages for call in said.calls}
    turn = sum(said.role is Role.ASSISTANT for said in messages) + 1
    calls = []
    for index, (given, name, arguments) in enumerate(wanted, start=1):
        call_id = _free(given, f"call_{turn}_{index}", taken)
        taken.add(call_id)
        calls.append(ToolCall(id=call_id, name=name, arguments=arguments))
    return tuple(calls)


def _free(given: str, ours: str, taken: set[str]) -> str:
    """The id as given where nobody has it, else ours; the same conversation always gives the same one."""
    if given and given not in taken:
        return given
    while ours in taken:
        ours += "x"
    return ours


def arguments_object(text: str) -> dict[str, Json]:
    """The arguments of an earlier call as an object, because the whole conversation dies where they are none.

    vLLM, SGLang and llama.cpp parse the history and refuse it with 400; Anthropic takes objects only.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {"malformed_arguments": text}
    return value if isinstance(value, dict) else {"malformed_arguments": value}


def usage_of(read: Json, written: Json, cached: Json, prices: tuple[float, float] | None) -> Usage:
    """Tokens as far as the server tells, and their price in USD; cached ones at the full one, so it is a ceiling."""
    tokens_in, tokens_out = count(read), count(written)
    cost = (tokens_in * prices[0] + tokens_out * prices[1]) / 1_000_000 if prices else None
    return Usage(input_tokens=tokens_in, output_tokens=tokens_out, cached_tokens=count(cached), cost_usd=cost)


def count(value: Json) -> int:
    """A number of tokens; 0 for what is none."""
    return value if isinstance(value, int) and value > 0 else 0


def text(value: Json) -> str:
    """Text, also where it comes as a list of parts; nothing for anything else."""
    if isinstance(value, list):
        return "".join(text(mapping(part).get("text")) for part in value)
    return value if isinstance(value, str) else ""


def mapping(value: Json) -> dict[str, Json]:
    """An object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}

"""The port `Model` for Anthropic's Messages API; needs the extra `anthropic`."""

from collections.abc import Mapping, Sequence
from typing import Final

import httpx2

from integrations.models.turns import arguments_object, calls_of, count, mapping, serialised, text, usage_of
from integrations.models.wire import BoundedClient, ModelWire, Sdk
from triage.domain.conversation import ChatMessage, Json, Messages, Role, ToolCall, ToolSpec, Turn, Usage

ANTHROPIC: Final = "https://api.anthropic.com"
_FINISHES: Final = {
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "content_filter",
}
"""Every other `stop_reason` counts as `stop`."""


class AnthropicModel:
    """One Claude model. The SDK does retries, backoff and Retry-After.

    `thinking` is not sent: each model's default is then off or adaptive, and both accept a history without thinking
    blocks, which our conversation cannot hold.
    """

    def __init__(
        self,
        *,
        api_key: str,
        base_url: str = "",
        model: str,
        timeout: float,
        prices: tuple[float, float] | None = None,
        retries: int = 3,
        http_client: httpx2.AsyncClient | None = None,
    ) -> None:
        """`prices` are USD per million tokens (input, output); a given `http_client` keeps its limits and is not closed."""
        base_url = base_url or ANTHROPIC

        def build() -> Sdk:
            # An optional extra whose import takes more than a second.
            import anthropic  # noqa: PLC0415

            client = anthropic.AsyncAnthropic(
                api_key=api_key,
                base_url=base_url,
                timeout=timeout,
                max_retries=retries,
                http_client=http_client or BoundedClient(timeout),
            )
            return Sdk(client, anthropic.APIStatusError, anthropic.APIConnectionError, owned=http_client is None)

        self._wire = ModelWire(model, base_url, api_key, build)
        self._model = model
        self._prices = prices

    @property
    def name(self) -> str:
        return self._model

    async def complete(self, conversation: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        """Return the next turn. Raises `ModelDown`, `ModelDenied`, `ContextTooLong`."""
        body: dict[str, Json] = {"model": self._model, "max_tokens": max_tokens, "messages": _messages(conversation)}
        system = "\n\n".join(message.text for message in conversation if message.role is Role.SYSTEM)
        if system:
            # Tools and system prompt are the same for every mail: this caches both for the next one.
            body["system"] = [{"type": "text", "text": system, "cache_control": {"type": "ephemeral"}}]
        if tools:
            body["tools"] = [_tool(spec) for spec in tools]
        return self._turn(await self._wire.post("/v1/messages", serialised(body)), conversation)

    async def close(self) -> None:
        await self._wire.close()

    def _usage(self, usage: Mapping[str, Json]) -> Usage:
        """Count tokens as OpenAI does, whose `prompt_tokens` include cached ones; Anthropic's `input_tokens` exclude them."""
        cached = count(usage.get("cache_read_input_tokens"))
        read = count(usage.get("input_tokens")) + count(usage.get("cache_creation_input_tokens")) + cached
        return usage_of(read, usage.get("output_tokens"), cached, self._prices)

    def _turn(self, answer: dict[str, Json], conversation: Messages) -> Turn:
        """Convert text and calls. Raises `ModelDown` if the answer has no content."""
        content = answer.get("content")
        if not isinstance(content, list):
            raise self._wire.down("an answer without content")
        blocks = [mapping(block) for block in content]
        finish = _FINISHES.get(text(answer.get("stop_reason")), "stop")
        wanted = _wanted(blocks, cut=finish == "length")
        return Turn(
            text=text([b for b in blocks if b.get("type") == "text"]),
            calls=calls_of(wanted, conversation),
            usage=self._usage(mapping(answer.get("usage"))),
            model=text(answer.get("model")) or self._model,
            finish="tool_calls" if wanted and finish == "stop" else finish,
        )


def _wanted(blocks: list[dict[str, Json]], *, cut: bool) -> list[tuple[str, str, str]]:
    """Return (id, name, arguments) of each call."""
    wanted = []
    for block in blocks:
        if block.get("type") == "tool_use":
            arguments = serialised(block.get("input")).decode()
            # Anthropic closes the brackets of a call that max_tokens cut off; reopen them so that it does not look complete.
            half = cut and block is blocks[-1]
            wanted.append((text(block.get("id")), text(block.get("name")), arguments[:-1] if half else arguments))
    return wanted


def _tool(spec: ToolSpec) -> Json:
    return {"name": spec.name, "description": spec.description, "input_schema": spec.parameters}


def _messages(conversation: Messages) -> list[Json]:
    """Alternate user and assistant, as the API demands: merge neighbours of one role, such as all results of a turn."""
    messages: list[Json] = []
    for message in conversation:
        blocks = [] if message.role is Role.SYSTEM else _blocks(message)
        role = "assistant" if message.role is Role.ASSISTANT else "user"
        if not blocks:
            continue
        if messages and messages[-1]["role"] == role:
            messages[-1]["content"] += blocks
        else:
            messages.append({"role": role, "content": blocks})
    return messages


def _blocks(message: ChatMessage) -> list[Json]:
    """Convert one message; leave out blank text, which the API refuses."""
    if message.role is Role.TOOL:
        return [{"type": "tool_result", "tool_use_id": _id(message.answers), "content": message.text}]
    spoken = [{"type": "text", "text": message.text}] if message.text.strip() else []
    return spoken + [_use(call) for call in message.calls]


def _use(call: ToolCall) -> Json:
    return {"type": "tool_use", "id": _id(call.id), "name": call.name, "input": arguments_object(call.arguments)}


def _id(call_id: str) -> str:
    """Replace characters that Anthropic refuses; other providers use ids such as `functions.search:0`."""
    return "".join(c if c.isascii() and (c.isalnum() or c in "_-") else "_" for c in call_id)

"""The port `Model` for any server with OpenAI's chat completions API."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import httpx2

from integrations.models.turns import arguments_object, calls_of, mapping, serialised, text, usage_of
from integrations.models.wire import BoundedClient, ModelWire, Sdk
from triage.domain.conversation import ChatMessage, Json, Messages, Role, ToolSpec, Turn
from triage.domain.errors import ModelDenied

OPENAI: Final = "https://api.openai.com/v1"
_FINISHES: Final = {"stop", "tool_calls", "length", "content_filter"}
_UNKNOWN_FIELD: Final = re.compile(r"extra|unsupported|not supported|unrecognized|unknown|unexpected", re.IGNORECASE)
_LIMIT: Final = "max_completion_tokens"
_ELDER_LIMIT: Final = "max_tokens"
_MOST_TAILS: Final = 64
_EXTRA: Final = "extra_content"
"""Gemini refuses a history whose calls lack what it sent in this field; nobody else sends it."""


class OpenAIModel:
    """One model of one provider. The SDK does retries, backoff and Retry-After."""

    def __init__(
        self,
        *,
        api_key: str,
        base_url: str = "",
        model: str,
        timeout: float,
        prices: tuple[float, float] | None = None,
        retries: int = 3,
        temperature: float | None = None,
        http_client: httpx2.AsyncClient | None = None,
    ) -> None:
        """`prices` are USD per million tokens (input, output); a given `http_client` keeps its limits and is not closed."""
        base_url = base_url or OPENAI

        def build() -> Sdk:
            # The import takes 0.7 s; commands that ask no model skip it.
            import openai  # noqa: PLC0415

            client = openai.AsyncOpenAI(
                api_key=api_key or "none",
                base_url=base_url,
                timeout=timeout,
                max_retries=retries,
                http_client=http_client or BoundedClient(timeout),
            )
            return Sdk(client, openai.APIStatusError, openai.APIConnectionError, owned=http_client is None)

        self._wire = ModelWire(model, base_url, api_key, build)
        self._model = model
        self._prices = prices
        self._fixed: dict[str, Json] = {} if temperature is None else {"temperature": temperature}
        self._limit = _LIMIT
        self._tails: dict[tuple[int, ...], tuple[tuple[ToolSpec, ...], bytes]] = {}

    @property
    def name(self) -> str:
        return self._model

    async def complete(self, messages: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        """Return the next turn. Raises `ModelDown`, `ModelDenied`, `ContextTooLong`."""
        limit = self._limit
        try:
            answer = await self._ask(messages, tools, {limit: max_tokens})
        except ModelDenied as e:
            # Mistral and older servers know only `max_tokens`, and refuse unknown fields.
            if limit == _ELDER_LIMIT or limit not in e.detail or not _UNKNOWN_FIELD.search(e.detail):
                raise
            self._limit = _ELDER_LIMIT
            answer = await self._ask(messages, tools, {_ELDER_LIMIT: max_tokens})
        return self._turn(answer, messages)

    async def close(self) -> None:
        await self._wire.close()

    async def _ask(self, messages: Messages, tools: Sequence[ToolSpec], limit: dict[str, Json]) -> dict[str, Json]:
        head = {"model": self._model, **limit, **self._fixed}
        head["messages"] = [_message(message) for message in messages]
        return await self._wire.post("/chat/completions", serialised(head)[:-1] + self._tail(tuple(tools)))

    def _tail(self, tools: tuple[ToolSpec, ...]) -> bytes:
        """Return the body's end: the tools, cached by the specs' ids; the cache holds the specs, so no id is reused."""
        key = tuple(map(id, tools))
        if key not in self._tails:
            if len(self._tails) >= _MOST_TAILS:
                self._tails.clear()
            listed = b',"tools":' + serialised([_tool(spec) for spec in tools]) if tools else b""
            self._tails[key] = tools, listed + b"}"
        return self._tails[key][1]

    def _turn(self, answer: dict[str, Json], messages: Messages) -> Turn:
        """Convert the first choice. Raises `ModelDown` if there is none."""
        choices = answer.get("choices")
        choice = mapping(choices[0]) if isinstance(choices, list) and choices else {}
        message = choice.get("message")
        if not isinstance(message, dict):
            raise self._wire.down("an answer without a choice")
        finish = text(choice.get("finish_reason"))
        called = message.get("tool_calls")
        calls = calls_of(_wanted(called, cut=finish == "length"), messages)
        if isinstance(called, list):
            calls = tuple(replace(c, extra=mapping(one).get(_EXTRA)) for c, one in zip(calls, called, strict=True))
        usage = mapping(answer.get("usage"))
        cached = mapping(usage.get("prompt_tokens_details")).get("cached_tokens")
        return Turn(
            text=text(message.get("content")) or text(message.get("refusal")),
            calls=calls,
            usage=usage_of(usage.get("prompt_tokens"), usage.get("completion_tokens"), cached, self._prices),
            model=text(answer.get("model")) or self._model,
            finish="content_filter" if message.get("refusal") else _finish(finish, called=bool(calls)),
        )


def _tool(spec: ToolSpec) -> Json:
    function = {"name": spec.name, "description": spec.description, "parameters": spec.parameters}
    return {"type": "function", "function": function}


def _message(message: ChatMessage) -> Json:
    if message.role is Role.TOOL:
        return {"role": "tool", "tool_call_id": message.answers, "content": message.text}
    if not message.calls:
        return {"role": message.role, "content": message.text}
    calls = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": call.name, "arguments": _again(call.arguments)},
            **({_EXTRA: call.extra} if call.extra else {}),
        }
        for call in message.calls
    ]
    return {"role": "assistant", "content": message.text or None, "tool_calls": calls}


def _again(arguments: str) -> str:
    """Return arguments for the history: unchanged if they are a JSON object, else made one; strict parsers refuse line breaks in texts."""
    value = arguments_object(arguments)
    return serialised(value).decode() if "malformed_arguments" in value or "\n" in arguments else arguments


def _wanted(calls: Json, *, cut: bool) -> list[tuple[str, str, str]]:
    """Return (id, name, arguments) of each call; empty strings for what the server leaves out."""
    wanted = []
    for call in calls if isinstance(calls, list) else ():
        function = mapping(mapping(call).get("function"))
        wanted.append(
            (text(mapping(call).get("id")), text(function.get("name")), _arguments(function.get("arguments"), cut=cut))
        )
    return wanted


def _arguments(value: Json, *, cut: bool) -> str:
    """Return the arguments as JSON text. vLLM sends nothing for a tool without arguments, Ollama's own API an object."""
    if isinstance(value, str) and value.strip():
        return value
    if value is None or isinstance(value, str):
        return "" if cut else "{}"
    return serialised(value).decode()


def _finish(reason: str, *, called: bool) -> str:
    """Map to one of `_FINISHES`; some servers say `stop` although they call a tool."""
    known = reason if reason in _FINISHES else "stop"
    return "tool_calls" if called and known == "stop" else known

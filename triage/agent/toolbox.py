"""Tools: typed functions with a grant, their schemas, and the one place where a call is checked and run."""

import inspect
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from triage.domain.conversation import Json, ToolCall, ToolSpec
from triage.domain.errors import ToolRefused


class Grant(StrEnum):
    """What a tool can do to the world."""

    READ = "read"
    WRITE = "write"
    SEND = "send"


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """A checked call on its way to the tool."""

    place: str
    """Turn and position, `2.1`: the same after a restart, unlike a model's ids."""
    tool: "Tool"
    arguments: Mapping[str, Json]
    """As the schema says; unknown names never come this far."""
    ordinal: str = "1"
    """Which one of its kind in this run: part of an effect's key."""

    @property
    def canonical(self) -> str:
        """The arguments as bytes that an approval can bind."""
        return json.dumps(self.arguments, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str)


Invoke = Callable[[Invocation], Awaitable[Json]]
"""Runs a call, or says why not. Guards, journal, approval and retries are functions from one `Invoke` to another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A function the model may call."""

    name: str
    grant: Grant
    spec: ToolSpec
    arguments: type[BaseModel]
    function: Callable[..., Awaitable[Json]] = field(repr=False)

    def check(self, text: str) -> Mapping[str, Json]:
        """The arguments that the model wrote, checked. Raises `ToolRefused` with words that it can act on."""
        try:
            given = json.loads(text or "{}")
        except (ValueError, RecursionError) as e:  # the latter from ten thousand open brackets
            raise ToolRefused(f"the arguments of {self.name} are not JSON: {e}") from None
        if not isinstance(given, dict):
            raise ToolRefused(f"the arguments of {self.name} must be one JSON object")
        try:
            return self.arguments.model_validate(given).model_dump(mode="json", exclude_none=True)
        except ValidationError as e:
            told = "; ".join(f"{'.'.join(map(str, p['loc']))}: {p['msg']}" for p in e.errors(include_url=False))
            raise ToolRefused(f"{self.name}: {told}") from None

    def without(self, *names: str) -> "Tool":
        """The same tool where these arguments do not exist: not shown, and refused like any unknown one."""
        kept = {name: info for name, info in self.arguments.model_fields.items() if name not in names}
        model = _model(self.name, {name: (info.annotation, info) for name, info in kept.items()})
        spec = replace(self.spec, parameters=lean(model.model_json_schema()))
        return replace(self, spec=spec, arguments=model)


def tool(grant: Grant) -> Callable[[Callable[..., Awaitable[Json]]], Tool]:
    """Make a tool of a typed async function: name, schema and description come from the function itself.

    The first parameter is ours (services, the run) and stays hidden from the model; `Annotated[str, Field(...)]`
    describes the others.
    """

    def made(function: Callable[..., Awaitable[Json]]) -> Tool:
        name, hints = function.__name__, get_type_hints(function, include_extras=True)
        _, *parameters = inspect.signature(function).parameters.values()
        fields: dict[str, Any] = {
            p.name: (hints[p.name], ... if p.default is inspect.Parameter.empty else p.default) for p in parameters
        }
        model = _model(name, fields)
        about = " ".join((inspect.getdoc(function) or "").split())
        spec = ToolSpec(name=name, description=about, parameters=lean(model.model_json_schema()))
        return Tool(name=name, grant=grant, spec=spec, arguments=model, function=function)

    return made


def _model(name: str, fields: dict[str, Any]) -> type[BaseModel]:
    """What checks arguments: unknown ones are an error, and a mail's words stay out of what is told of it."""
    return create_model(name, __config__=ConfigDict(extra="forbid", hide_input_in_errors=True), **fields)


def lean(schema: Json) -> Json:
    """A schema without what no model needs: titles, defaults, `null` beside the real type. Tokens are paid each turn."""
    if isinstance(schema, list):
        return [lean(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    kept = {key: lean(value) for key, value in schema.items() if key not in {"default", "title"} or key == "properties"}
    choices = [choice for choice in kept.pop("anyOf", []) if choice != {"type": "null"}]
    if len(choices) == 1:
        return {**choices[0], **kept}
    return {**kept, "anyOf": choices} if choices else kept


class Toolbox:
    """The tools of this house by name; a profile sees the ones it names."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools = {tool.name: tool for tool in tools}

    @property
    def names(self) -> frozenset[str]:
        """All of them."""
        return frozenset(self._tools)

    def granted(self, names: Iterable[str]) -> "Toolbox":
        """Only these; names that do not exist are left out (`triage doctor` tells of them)."""
        return Toolbox(self._tools[name] for name in names if name in self._tools)

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """What the model is shown, in a fixed order so that the prompt's prefix stays the same."""
        return tuple(tool.spec for tool in self._tools.values())

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools themselves."""
        return tuple(self._tools.values())

    def invocation(self, call: ToolCall, place: str) -> Invocation:
        """The call, checked. Raises `ToolRefused`."""
        if call.name not in self._tools:
            raise ToolRefused(f"there is no tool {call.name!r}: use one of {', '.join(self._tools) or 'none'}")
        tool = self._tools[call.name]
        return Invocation(place=place, tool=tool, arguments=tool.check(call.arguments))

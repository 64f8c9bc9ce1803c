"""Tools: typed functions with a grant, their JSON schemas, and the check of a call's arguments."""

import inspect
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, is_dataclass, replace
from types import NoneType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from triage.domain.conversation import Grant, Json, ToolCall, ToolSpec
from triage.domain.errors import ToolRefused
from triage.policy.decision.permission import Ask, ToolRule

Resolve = Callable[[str, str], Awaitable[Json]]
"""What a name stands for, by the kind of thing that it names. Raises `ToolRefused` with the names that there are."""


@dataclass(frozen=True, slots=True)
class LiveName:
    """Marks a parameter that names something: the model writes text, the tool gets what it names."""

    noun: str
    """The kind of thing, as `Resolve` knows it."""
    about: str | None = None
    """What the model reads."""
    longest: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """A checked call on its way to the tool."""

    place: str
    """Turn and position, `2.1`: the same after a restart, unlike a model's ids."""
    tool: "Tool"
    arguments: Mapping[str, Json]
    """As the signature says, dates as dates; behind `resolved` names are what they name."""
    sequence: str = "1"
    """Which one of its kind in this run: part of an effect's key."""
    asks: tuple[Ask, ...] = ()
    """Parts of the call that wait for a person."""
    waits: bool = False
    """All of it does."""

    @property
    def canonical(self) -> str:
        """The arguments as bytes that an approval can bind."""
        return canonical(self.arguments)

    @property
    def target(self) -> str:
        """What the call would change; empty where it makes something new."""
        return str(self.arguments.get(self.tool.target, ""))

    async def resolved(self, resolve: Resolve) -> "Invocation":
        """The same with every name as what it names. Raises `ToolRefused`."""
        return replace(self, arguments=await self.tool.resolved(self.arguments, resolve))


def canonical(arguments: Mapping[str, Json]) -> str:
    """Arguments as JSON text, always the same for the same call."""
    return json.dumps(arguments, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=_plain)


Invoke = Callable[[Invocation], Awaitable[Json]]
"""Runs a call, or says why not. Guards, journal, approval and retries are functions from one `Invoke` to another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A function the model may call."""

    name: str
    grant: Grant
    spec: ToolSpec
    arguments: type[BaseModel]
    """What the model writes."""
    exact: type[BaseModel]
    """What the function takes."""
    names: Mapping[str, LiveName]
    """Which arguments name something."""
    function: Callable[..., Awaitable[Json]] = field(repr=False)
    rule: ToolRule | None = None
    """What its toolset says of its calls; a tool that writes and has none is refused."""

    @property
    def target(self) -> str:
        """The argument that names what its calls change; empty where they make something new."""
        return self.rule.target if self.rule else ""

    def check(self, text: str) -> Mapping[str, Json]:
        """The arguments that the model wrote, checked. Raises `ToolRefused` with words that it can act on."""
        return self._read(self.arguments, text)

    async def resolved(self, arguments: Mapping[str, Json], resolve: Resolve) -> Mapping[str, Json]:
        """What the model's names stand for; the rest as it is. Raises `ToolRefused`."""
        return {
            name: await _each(self.names[name].noun, value, resolve) if name in self.names else value
            for name, value in arguments.items()
        }

    async def recalled(self, text: str, resolve: Resolve) -> Mapping[str, Json]:
        """Resolved arguments out of their canonical text; those that an older version kept unresolved are resolved now."""
        try:
            return self._read(self.exact, text)
        except ToolRefused:
            return await self.resolved(self.check(text), resolve)

    def _read(self, model: type[BaseModel], text: str) -> Mapping[str, Json]:
        try:
            given = json.loads(text or "{}")
        except (ValueError, RecursionError) as e:  # the latter from ten thousand open brackets
            raise ToolRefused(f"the arguments of {self.name} are not JSON: {e}") from None
        if not isinstance(given, dict):
            raise ToolRefused(f"the arguments of {self.name} must be one JSON object")
        try:
            checked = model.model_validate(given)
        except ValidationError as e:
            told = "; ".join(f"{'.'.join(map(str, p['loc']))}: {p['msg']}" for p in e.errors(include_url=False))
            raise ToolRefused(f"{self.name}: {told}") from None
        values = ((name, getattr(checked, name)) for name in model.model_fields)
        return {name: value for name, value in values if value is not None}

    def without(self, *names: str) -> "Tool":
        """The same tool where these arguments do not exist: not shown, and refused like any unknown one."""
        if not self.arguments.model_fields.keys() & set(names):
            return self
        arguments, exact = _less(self.arguments, names), _less(self.exact, names)
        spec = replace(self.spec, parameters=lean(arguments.model_json_schema()))
        return replace(self, spec=spec, arguments=arguments, exact=exact)


def tool(grant: Grant, rule: ToolRule | None = None) -> Callable[[Callable[..., Awaitable[Json]]], Tool]:
    """Make a tool of a typed async function: name, schema and description come from the function itself.

    The first parameter is what the tool works with and stays hidden from the model; `Annotated[str, Field(...)]`
    describes the others.
    """

    def made(function: Callable[..., Awaitable[Json]]) -> Tool:
        name, hints = function.__name__, get_type_hints(function, include_extras=True)
        _, *parameters = inspect.signature(function).parameters.values()
        defaults = {p.name: ... if p.default is inspect.Parameter.empty else p.default for p in parameters}
        names = {p.name: mark for p in parameters if (mark := _mark_of(hints[p.name]))}
        spoken = {
            each: (_spoken(hints[each], names[each]) if each in names else hints[each], default)
            for each, default in defaults.items()
        }
        model = _model(name, spoken)
        about = " ".join((inspect.getdoc(function) or "").split())
        return Tool(
            name=name,
            grant=grant,
            spec=ToolSpec(name=name, description=about, parameters=lean(model.model_json_schema())),
            arguments=model,
            exact=_model(name, {each: (hints[each], default) for each, default in defaults.items()}),
            names=names,
            function=function,
            rule=rule,
        )

    return made


def _mark_of(hint: Any) -> LiveName | None:
    """What the parameter names, None where it stands for itself."""
    return next((mark for mark in getattr(hint, "__metadata__", ()) if isinstance(mark, LiveName)), None)


def _spoken(hint: Any, mark: LiveName) -> Any:
    """The type of what the model writes there: text, a list of texts, or nothing where the function takes none."""
    shape, *rest = get_args(hint)
    text = Annotated[str, Field(max_length=mark.longest)]
    if get_origin(shape) is list:
        spoken: Any = list[text]
    else:
        spoken = text | None if NoneType in get_args(shape) else text
    for extra in (*(each for each in rest if each is not mark), Field(description=mark.about)):
        spoken = Annotated[spoken, extra]
    return spoken


async def _each(noun: str, value: Json, resolve: Resolve) -> Json:
    """One name, or each of several; an empty one names nothing."""
    if isinstance(value, list):
        return [found for text in value if (found := await resolve(noun, text))]
    return await resolve(noun, value)


def _plain(value: Any) -> Json:
    """What JSON cannot spell by itself: our nouns as objects, dates as ISO 8601."""
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else str(value)


def _less(model: type[BaseModel], names: Iterable[str]) -> type[BaseModel]:
    kept = {name: info for name, info in model.model_fields.items() if name not in names}
    return _model(model.__name__, {name: (info.annotation, info) for name, info in kept.items()})


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

    def __getitem__(self, name: str) -> Tool:
        """The tool of this name. Raises `ToolRefused` with those that there are."""
        if name not in self._tools:
            raise ToolRefused(f"there is no tool {name!r}: use one of {', '.join(self._tools) or 'none'}")
        return self._tools[name]

    def invocation(self, call: ToolCall, place: str) -> Invocation:
        """The call, checked. Raises `ToolRefused`."""
        tool = self[call.name]
        return Invocation(place=place, tool=tool, arguments=tool.check(call.arguments))

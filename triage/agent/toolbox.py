"""Tools: typed functions with a grant, their JSON schemas, and the check of a call's arguments."""

import inspect
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, is_dataclass, replace
from functools import cache
from types import MappingProxyType, NoneType
from typing import Annotated, Any, Final, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from triage.domain.conversation import Grant, Json, ToolCall, ToolSpec
from triage.domain.errors import ToolRefused
from triage.policy.decision.outside_tools import READS
from triage.policy.decision.permission import Ask, ToolRule
from triage.policy.decision.rights import NOBODY, RightsRow

Resolve = Callable[[str, str], Awaitable[Json]]
"""Takes a kind (noun) and a name, returns the object. Raises `ToolRefused` that lists the known names."""


@dataclass(frozen=True, slots=True)
class LiveName:
    """Marks a parameter that names an object: the model writes its name, the tool gets the object."""

    noun: str
    """The kind of object, first argument of `Resolve`."""
    about: str | None = None
    """Description in the JSON schema."""
    longest: int = 100


@dataclass(frozen=True, slots=True)
class ForPeople:
    """Marks an optional parameter that only a person gives, when he edits a call: no model sees it or may write it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """A call whose arguments are valid, as wrappers pass it on."""

    place: str
    """Turn and position, such as `2.1`: the same after a restart, unlike a model's ids."""
    tool: "Tool"
    arguments: Mapping[str, Json]
    """Typed as in the function's signature; names are text before `resolved` and objects after it."""
    sequence: str = "1"
    """Number among calls of the same kind in this run: part of an effect's key."""
    asks: tuple[Ask, ...] = ()
    """Parts of the call that a person decides."""
    notes: tuple[str, ...] = ()
    """What the guard reduced or left out, and why."""
    waits: bool = False
    """The whole call waits; nothing runs now."""
    shadow: bool = False
    """It is recorded, and nothing is written."""

    @property
    def canonical(self) -> str:
        """The arguments as canonical JSON text: journal and approvals store it."""
        return canonical(self.arguments)

    @property
    def target(self) -> str:
        """Key of the object that the call changes; empty if it creates one."""
        return str(self.arguments.get(self.tool.target, ""))

    async def resolved(self, resolve: Resolve) -> "Invocation":
        """Return the invocation with names replaced by objects. Raises `ToolRefused`."""
        return replace(self, arguments=await self.tool.resolved(self.arguments, resolve))


def canonical(arguments: Mapping[str, Json]) -> str:
    """Serialize arguments to JSON; equal arguments give equal text."""
    return json.dumps(arguments, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=_plain)


Invoke = Callable[[Invocation], Awaitable[Json]]
"""Runs a call and returns its result, or raises `ToolRefused`. A wrapper takes an `Invoke` and returns one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A function the model may call."""

    name: str
    grant: Grant
    spec: ToolSpec
    arguments: type[BaseModel]
    """Checks what the model writes: names as text."""
    exact: type[BaseModel]
    """Checks resolved arguments: what the function takes."""
    names: Mapping[str, LiveName]
    """Arguments that name an object."""
    form: Mapping[str, Json]
    """Schema of what a person may write, who edits a call: the model's, and what is marked `ForPeople`."""
    function: Callable[..., Awaitable[Json]] = field(repr=False)
    rule: ToolRule | None = None
    """The toolset's permission rule; the guard refuses a tool that writes and has none."""
    ends: bool = False
    """A call that succeeds ends the run."""
    outside: bool = False
    """It comes from outside Triage, so that its results are untrusted text."""
    repeatable: bool = False
    """Of a tool from outside that writes: a call of the same `OutsideContext.once` does nothing a second time."""
    asks: bool = False
    """A person decides each call that writes, whatever a profile grants and whatever the arguments say."""
    refunds: bool = False
    """Of a tool that `asks`: it pays a customer money back, so that rules may propose a call to a person."""
    reads: Callable[[Mapping[str, Json]], bool] | None = None
    """Of a tool from outside that writes: tells whether a call with these arguments only reads; None: no call does."""

    @property
    def target(self) -> str:
        """The argument that names what a call changes; empty if calls create something."""
        return self.rule.target if self.rule else ""

    def check(self, text: str) -> Mapping[str, Json]:
        """Parse and check the model's arguments. Raises `ToolRefused` whose text tells the model what to correct."""
        return self._read(self.arguments, text)

    async def resolved(self, arguments: Mapping[str, Json], resolve: Resolve) -> Mapping[str, Json]:
        """Replace names by objects, keep the other arguments. Raises `ToolRefused` that names every unknown one."""
        found: dict[str, Json] = {}
        problems: list[ToolRefused] = []
        for name, value in arguments.items():
            try:
                found[name] = await _each(self.names[name].noun, value, resolve) if name in self.names else value
            except ToolRefused as e:
                problems.append(e)
        if len(problems) > 1:
            raise ToolRefused("; ".join(map(str, problems)))
        if problems:
            raise problems[0]
        return found

    async def recalled(self, text: str, resolve: Resolve) -> Mapping[str, Json]:
        """Parse stored canonical text; resolve names if an older version stored them unresolved."""
        try:
            return self._read(self.exact, text)
        except ToolRefused:
            return await self.resolved(self.check(text), resolve)

    def _read(self, model: type[BaseModel], text: str) -> Mapping[str, Json]:
        try:
            given = json.loads(text or "{}", strict=False)  # many models write line breaks in texts as they are
        except (ValueError, RecursionError) as e:  # json raises RecursionError on ten thousand open brackets
            raise ToolRefused(f"the arguments of {self.name} are not JSON: {e}") from None
        if not isinstance(given, dict):
            raise ToolRefused(f"the arguments of {self.name} must be one JSON object")
        try:
            checked = model.model_validate(_without_blanks(given, model))
        except ValidationError as e:
            problems = "; ".join(_problem({**one}, model) for one in e.errors(include_url=False))
            raise ToolRefused(f"{self.name}: {problems}") from None
        values = ((name, getattr(checked, name)) for name in model.model_fields)
        return {name: value for name, value in values if value is not None}

    def without(self, *names: str) -> "Tool":
        """Return the tool without these arguments: the schema omits them, and the check refuses them."""
        if not self.exact.model_fields.keys() & set(names):
            return self
        arguments, parameters = _shortened(self.arguments, frozenset(names))
        exact, _ = _shortened(self.exact, frozenset(names))
        spec = replace(self.spec, parameters=parameters)
        shapes = {name: shape for name, shape in self.form["properties"].items() if name not in names}
        return replace(
            self, spec=spec, arguments=arguments, exact=exact, form={**spec.parameters, "properties": shapes}
        )

    def given(self, row: RightsRow | None) -> "Tool":
        """Return the tool with this right to all that writes; itself without one, and where a person always decides."""
        if row is None or self.rule is None or (self.asks and row != NOBODY):
            return self
        kept = {deed: own for deed, own in self.rule.rights.items() if deed in READS and row != NOBODY}
        return replace(self, rule=replace(self.rule, rights={**dict.fromkeys(self.rule.rights, row), **kept}))

    def described(self, argument: str, text: str) -> "Tool":
        """Return the tool with this description of an argument in its schema, where it has the argument."""
        shapes = self.spec.parameters["properties"]
        if argument not in shapes:
            return self
        shaped = {argument: {**shapes[argument], "description": text}}
        spec = replace(self.spec, parameters={**self.spec.parameters, "properties": {**shapes, **shaped}})
        return replace(self, spec=spec, form={**self.form, "properties": {**self.form["properties"], **shaped}})


def tool(
    grant: Grant,
    rule: ToolRule | None = None,
    *,
    ends: bool = False,
    repeatable: bool = False,
    asks: bool = False,
    refunds: bool = False,
    reads: Callable[[Mapping[str, Json]], bool] | None = None,
) -> Callable[[Callable[..., Awaitable[Json]]], Tool]:
    """Make a tool of a typed async function: name, schema and description come from the function itself.

    The first parameter is the tool's context and is not part of the schema; `Annotated[str, Field(...)]`
    describes the others.
    """

    def made(function: Callable[..., Awaitable[Json]]) -> Tool:
        name, hints = function.__name__, get_type_hints(function, include_extras=True)
        _, *parameters = inspect.signature(function).parameters.values()
        defaults = {p.name: ... if p.default is inspect.Parameter.empty else p.default for p in parameters}
        names = {p.name: mark for p in parameters if (mark := _mark_of(hints[p.name]))}
        spoken = {
            each: (_model_type(hints[each], names[each]) if each in names else hints[each], default)
            for each, default in defaults.items()
        }
        whole = _model(name, spoken)
        form = lean(whole.model_json_schema())
        hidden = [each for each in spoken if _is_for_people(hints[each])]
        model, schema = _shortened(whole, frozenset(hidden)) if hidden else (whole, form)
        about = " ".join((inspect.getdoc(function) or "").split())
        return Tool(
            name=name,
            grant=grant,
            spec=ToolSpec(name=name, description=about, parameters=schema),
            arguments=model,
            exact=_model(name, {each: (hints[each], default) for each, default in defaults.items()}),
            names=names,
            form=form,
            function=function,
            rule=rule,
            ends=ends,
            repeatable=repeatable,
            asks=asks,
            refunds=refunds and asks,
            reads=reads,
        )

    return made


def _problem(error: Mapping[str, Any], model: type[BaseModel]) -> str:
    """Return what is wrong with one argument; for an unknown one, name the known ones."""
    place = ".".join(map(str, error["loc"]))
    if error["type"] == "extra_forbidden" and len(error["loc"]) == 1:
        return f"{place}: no such argument; known are {', '.join(model.model_fields) or 'none'}"
    return f"{place}: {error['msg']}"


def _without_blanks(given: Mapping[str, Json], model: type[BaseModel]) -> dict[str, Json]:
    """Drop optional arguments that are null or an empty text: models in strict mode must send every argument."""
    optional = {name for name, info in model.model_fields.items() if not info.is_required()}
    return {name: value for name, value in given.items() if name not in optional or not (value is None or value == "")}


def _mark_of(hint: Any) -> LiveName | None:
    return next((mark for mark in getattr(hint, "__metadata__", ()) if isinstance(mark, LiveName)), None)


def _is_for_people(hint: Any) -> bool:
    return any(isinstance(mark, ForPeople) for mark in getattr(hint, "__metadata__", ()))


def _model_type(hint: Any, mark: LiveName) -> Any:
    """Derive the type that the model writes for a named parameter: text, a list of texts, or optional text."""
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
    """Resolve one name or each of a list; drop list entries that resolve to nothing."""
    if isinstance(value, list):
        return [found for text in value if (found := await resolve(noun, text))]
    return await resolve(noun, value)


def _plain(value: Any) -> Json:
    """Serialize what `json` cannot: dataclasses as objects, dates as ISO 8601."""
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else str(value)


@cache
def _shortened(model: type[BaseModel], names: frozenset[str]) -> tuple[type[BaseModel], Json]:
    """Return a model without these arguments, and its schema; kept, since to build one takes milliseconds."""
    model = _less(model, names)
    return model, lean(model.model_json_schema())


def _less(model: type[BaseModel], names: Iterable[str]) -> type[BaseModel]:
    kept = {name: info for name, info in model.model_fields.items() if name not in names}
    return _model(model.__name__, {name: (info.annotation, info) for name, info in kept.items()})


def _model(name: str, fields: dict[str, Any]) -> type[BaseModel]:
    """Build the model that checks arguments; it forbids unknown ones and hides input, which may quote a mail.

    Its validator is built with the first call: of fifty tools a mail calls two.
    """
    config = ConfigDict(extra="forbid", hide_input_in_errors=True, defer_build=True)
    return create_model(name, __config__=config, **fields)


NOT_SHOWN: Final = frozenset(
    {
        *("title", "default", "additionalProperties"),
        *("minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems"),
    }
)
"""Keywords that a model need not read: the check of the arguments enforces them, and names them in its refusal."""


def lean(schema: Json) -> Json:
    """Drop what a model need not read, and `null` alternatives, since the schema's tokens are paid each turn."""
    if isinstance(schema, list):
        return [lean(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    kept = {
        key: {name: lean(inner) for name, inner in value.items()} if key == "properties" else lean(value)
        for key, value in schema.items()
        if key not in NOT_SHOWN
    }
    choices = [choice for choice in kept.pop("anyOf", []) if choice != {"type": "null"}]
    if len(choices) == 1:
        return {**choices[0], **kept}
    return {**kept, "anyOf": choices} if choices else kept


class Toolbox:
    """The tools by name; a profile gets those that it names."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools = {tool.name: tool for tool in tools}

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self._tools)

    def granted(self, names: Iterable[str], rights: Mapping[str, RightsRow] = MappingProxyType({})) -> "Toolbox":
        """Return a toolbox of these tools, some with other rights; names that a switch has turned off are left out."""
        return Toolbox(self._tools[name].given(rights.get(name)) for name in names if name in self._tools)

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools' schemas, in a fixed order so that providers can cache the prompt's prefix."""
        return tuple(tool.spec for tool in self._tools.values())

    @property
    def tools(self) -> tuple[Tool, ...]:
        return tuple(self._tools.values())

    def __getitem__(self, name: str) -> Tool:
        """Return the tool of this name. Raises `ToolRefused` that lists the known names."""
        if name not in self._tools:
            raise ToolRefused(f"there is no tool {name!r}: use one of {', '.join(self._tools) or 'none'}")
        return self._tools[name]

    def invocation(self, call: ToolCall, place: str) -> Invocation:
        """Check a model's call. Raises `ToolRefused`."""
        tool = self[call.name]
        return Invocation(place=place, tool=tool, arguments=tool.check(call.arguments))

"""Wraps a tool of an MCP server as one of our tools: its arguments are checked here, against the schema that was confirmed."""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from pydantic import BaseModel

from triage.agent.toolbox import Tool
from triage.config.agents.mcp_servers import McpToolSpec
from triage.domain.conversation import Json, ToolSpec
from triage.domain.errors import ToolRefused
from triage.domain.ports.outside import Described, OutsideContext

Call = Callable[[Mapping[str, Json]], Awaitable[Json]]
"""Runs the tool on its server. Raises `ToolRefused` if nothing was begun, else `OutsideFailed`."""
Wrong = Callable[[Json], str]
"""Says what is wrong with arguments; empty: nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class McpTool(Tool):
    """A tool whose arguments a JSON schema describes, not a signature."""

    required: frozenset[str]
    wrong: Wrong = field(repr=False)

    def _read(self, model: type[BaseModel], text: str) -> Mapping[str, Json]:  # noqa: ARG002 - the schema takes its place
        try:
            given = json.loads(text or "{}")
        except (ValueError, RecursionError) as e:
            raise ToolRefused(f"the arguments of {self.name} are not JSON: {e}") from None
        if not isinstance(given, dict):
            raise ToolRefused(f"the arguments of {self.name} must be one JSON object")
        kept = {name: value for name, value in given.items() if value is not None or name in self.required}
        if wrong := self.wrong(kept):
            raise ToolRefused(f"{self.name}: {wrong}")
        return kept


class Nothing(BaseModel):
    """Fields that we know of beforehand: none."""


def mcp_tool(described: Described, spec: McpToolSpec, call: Call, wrong: Wrong) -> McpTool:
    """Return the tool, with the right that triage.yaml gives it; of what its server says of rights nothing is read."""

    async def function(_at: OutsideContext, /, **arguments: Json) -> Json:
        return await call(arguments)

    parameters = {"type": "object", "properties": {}, **described.schema}
    return McpTool(
        name=described.name,
        grant=spec.grant,
        spec=ToolSpec(name=described.name, description=described.description, parameters=parameters),
        arguments=Nothing,
        exact=Nothing,
        names={},
        form=parameters,
        function=function,
        asks=spec.asks,
        refunds=spec.refunds and spec.asks,
        required=frozenset(described.schema.get("required", ())),
        wrong=wrong,
    )

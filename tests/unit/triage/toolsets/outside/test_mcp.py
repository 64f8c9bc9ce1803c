"""A tool of an MCP server as one of ours: its arguments are checked before anything is sent."""

from collections.abc import Mapping

import pytest

from integrations.outside.mcp_server import wrong_arguments
from triage.config.agents.mcp_servers import McpToolSpec
from triage.domain.conversation import Grant, Json
from triage.domain.errors import ToolRefused
from triage.domain.ports.outside import Described, changed
from triage.toolsets.outside.mcp import McpTool, mcp_tool

SCHEMA = {
    "type": "object",
    "properties": {"at": {"type": "string"}, "self": {"type": "integer"}},
    "required": ["at"],
}
MEET = Described("meet", "Meet.", SCHEMA)


def meet(described: Described = MEET) -> McpTool:
    """The tool; a call answers its arguments."""

    async def call(arguments: Mapping[str, Json]) -> Json:
        return dict(arguments)

    spec = McpToolSpec(grant=Grant.SEND, asks=True)
    return mcp_tool(described, spec, call, wrong_arguments(described.schema))


def test_the_model_reads_the_schema_and_triage_yaml_gives_the_right() -> None:
    """Description and schema are the server's, right and question the admin's."""
    tool = meet()

    assert (tool.grant, tool.asks, tool.spec.description, tool.spec.parameters) == (Grant.SEND, True, "Meet.", SCHEMA)
    assert meet(Described("meet", "", {})).spec.parameters["properties"] == {}


@pytest.mark.parametrize(("asks", "refunds"), [(True, True), (False, False)])
def test_what_pays_back_always_asks(*, asks: bool, refunds: bool) -> None:
    """`refunds` counts beside `asks` alone, so that rules never pay by themselves."""

    async def call(arguments: Mapping[str, Json]) -> Json:
        return dict(arguments)

    spec = McpToolSpec(grant=Grant.WRITE, asks=asks, refunds=True)

    assert mcp_tool(MEET, spec, call, wrong_arguments(MEET.schema)).refunds is refunds


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "not JSON"),
        ("[]", "one JSON object"),
        ("{}", "required"),
        ('{"at": 5}', "at: 5 is not of type"),
        ('{"at": "noon", "to": "x"}', "unexpected"),
    ],
)
def test_wrong_arguments_are_refused_here(text: str, told: str) -> None:
    """What is no object, lacks something, has a wrong type or an unknown name never reaches the server."""
    with pytest.raises(ToolRefused, match=told):
        meet().check(text)


async def test_arguments_of_any_name_arrive() -> None:
    """Names that functions use themselves are arguments like others; an optional one that is null is left out."""
    tool = meet()

    async def unresolved(_noun: str, name: str) -> Json:
        return name

    assert tool.check('{"at": "noon", "self": null}') == {"at": "noon"}
    assert await tool.recalled('{"at": "noon", "self": 7}', unresolved) == {"at": "noon", "self": 7}
    assert await tool.function(object(), at="noon", self=7) == {"at": "noon", "self": 7}


def test_the_hash_covers_name_description_and_schema() -> None:
    """Each change of what the model reads changes the hash, the order of keys does not; the refusal names the new one."""
    turned = Described("meet", "Meet.", dict(reversed(SCHEMA.items())))
    others = (Described("met", "Meet.", SCHEMA), Described("meet", "Meet!", SCHEMA), Described("meet", "Meet.", {}))

    assert turned.sha256 == MEET.sha256
    assert len({MEET.sha256, *(other.sha256 for other in others)}) == 4
    assert changed("desk", "meet", MEET).endswith(f"mcp_servers.desk.tools.meet.sha256: {MEET.sha256}")
    assert changed("desk", "meet", None) == "the MCP server desk offers no tool meet"

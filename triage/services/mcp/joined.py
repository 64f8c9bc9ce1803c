"""Joins several MCP servers into one, for clients that shall have one address alone."""

from collections.abc import Sequence
from typing import Any

from triage.agent.toolbox import Invocation
from triage.domain.conversation import Json
from triage.domain.errors import ToolRefused
from triage.domain.operations.mcp import McpClient
from triage.policy.decision.permission import RunHistory
from triage.services.mcp.served import McpServer


def joined(servers: Sequence[McpServer]) -> McpServer:
    """Return one server with the tools of all; a name in an argument is resolved by the first server that knows such names."""
    owners = {one.tool.name: server for server in servers for one in server.tools}

    def context(call: Invocation, client: McpClient) -> Any:
        return owners[call.tool.name].context(call, client)

    async def refusal(call: Invocation, history: RunHistory) -> str:
        return await owners[call.tool.name].refusal(call, history)

    async def name(noun: str, text: str) -> Json:
        for server in servers:
            if any(mark.noun == noun for one in server.tools for mark in one.tool.names.values()):
                return await server.resolve(noun, text)
        raise ToolRefused(f"nothing here has the name of a {noun}")

    return McpServer(
        name="all",
        about=" ".join(server.about for server in servers),
        tools=tuple(one for server in servers for one in server.tools),
        context=context,
        resolve=name,
        refusal=refusal,
    )

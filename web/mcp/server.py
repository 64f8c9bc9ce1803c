"""Speaks MCP for a session: lists its tools, passes on calls, and tells errors with their cure."""

from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from loguru import logger
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)

from triage.domain.conversation import ToolSpec
from triage.domain.errors import TriageError
from triage.domain.text.visible import visible
from triage.services.mcp.served import McpServer
from triage.services.mcp.session import McpSession

Context = ServerRequestContext[Any, Any]


def protocol_of(server: McpServer, session_of: Callable[[Context], McpSession]) -> Server[Any]:
    """Return the protocol's side of a server; `session_of` finds the session of a request."""

    async def tools(ctx: Context, _: PaginatedRequestParams | None) -> ListToolsResult:
        session = session_of(ctx)
        return ListToolsResult(tools=[_tool(spec, reads=session.reads(spec.name)) for spec in session.specs])

    async def call(ctx: Context, wanted: CallToolRequestParams) -> CallToolResult:
        return await _called(session_of(ctx), wanted)

    return Server(
        f"triage-{server.name}",
        version=version("triage"),
        instructions=server.instructions,
        on_list_tools=tools,
        on_call_tool=call,
    )


async def serve_stdio(session: McpSession) -> None:
    """Serve one session over stdin and stdout until stdin ends; whatever else is printed goes to stderr."""
    protocol = protocol_of(session.server, lambda _: session)
    try:
        async with stdio_server() as (read, write):
            await protocol.run(read, write, protocol.create_initialization_options())
    except* BrokenPipeError:  # the client has gone without a word
        logger.info("mcp.gone")
    finally:
        await session.close()


def _tool(spec: ToolSpec, *, reads: bool) -> Tool:
    hints = ToolAnnotations(read_only_hint=reads, destructive_hint=False, open_world_hint=False)
    title = spec.name.replace("_", " ").capitalize()
    return Tool(
        name=spec.name, title=title, description=spec.description, input_schema={**spec.parameters}, annotations=hints
    )


async def _called(session: McpSession, wanted: CallToolRequestParams) -> CallToolResult:
    """Return the result of a call; an error of the tool is a result, too, so that the model reads its cure."""
    try:
        result, failed = await session.call(wanted.name, wanted.arguments or {}), False
    except TriageError as e:
        if not session.knows(wanted.name):
            raise MCPError(INVALID_PARAMS, str(e)) from None
        result, failed = str(e), True
    except Exception as e:  # noqa: BLE001 - a program of somebody else waits for an answer, and learns nothing of ours
        logger.opt(exception=e).bind(tool=wanted.name).error("mcp.failed")
        result, failed = "internal error: the log of Triage says more", True
    return CallToolResult(content=[TextContent(type="text", text=visible(result))], is_error=failed)

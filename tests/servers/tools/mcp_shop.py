"""A small MCP server that rents boats: over standard input and output, or over HTTP with `--http`; FOLDER/words changes what it says of itself."""

import asyncio
import os
import sys
from pathlib import Path

from mcp.server.lowlevel import Server
from mcp_types import CallToolResult, ListToolsResult, TextContent, Tool

FOLDER = Path(sys.argv[1])
BOAT = {"type": "object", "properties": {"name": {"type": "string", "minLength": 2}}, "required": ["name"]}
TOOLS = ("find_boat", "reserve_boat", "sink", "hang", "huge", "refuse", "surroundings")


async def listed(_ctx: object, _params: object) -> ListToolsResult:
    """All tools, with the words of the folder behind each description."""
    words = FOLDER / "words"
    behind = words.read_text(encoding="utf-8") if words.exists() else ""
    return ListToolsResult(
        tools=[Tool(name=each, description=f"It can {each}.{behind}", input_schema=BOAT) for each in TOOLS]
    )


async def called(_ctx: object, params: object) -> CallToolResult:
    """Do what the tool's name says; each call is written down."""
    name, arguments = params.name, params.arguments  # type: ignore[attr-defined]
    with (FOLDER / "calls.txt").open("a", encoding="utf-8") as book:
        book.write(f"{name} {arguments['name']}\n")
    match name:
        case "sink":
            os._exit(3)
        case "hang":
            await asyncio.Event().wait()
        case "refuse":
            return CallToolResult(content=[TextContent(text="no such boat")], is_error=True)
        case "surroundings":
            return CallToolResult(content=[TextContent(text="\n".join(sorted(os.environ)))])
        case "huge":
            return CallToolResult(content=[TextContent(text="x" * 11_000_000)])
    return CallToolResult(content=[TextContent(text="seen")], structured_content={"boat": arguments["name"]})


SERVER = Server("boats", on_list_tools=listed, on_call_tool=called)


async def over_stdio() -> None:
    """Serve until the input ends."""
    from mcp.server.stdio import stdio_server

    async with stdio_server() as (read, write):
        await SERVER.run(read, write, SERVER.create_initialization_options())


if __name__ == "__main__":
    if "--http" in sys.argv:
        import uvicorn

        app = SERVER.streamable_http_app(stateless_http=True, json_response=True)
        uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[3]), log_level="error")
    else:
        asyncio.run(over_stdio())

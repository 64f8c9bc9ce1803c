"""A small MCP server that rents boats; FOLDER/words changes what it says of itself.

Over HTTP (`--http PORT`) and with `--package` it is a server of the package `mcp`. Without, it speaks the protocol's lines itself:
the package takes 0.7 s of processor time at each start, and a client starts a program anew for each question.
"""

import asyncio
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

FOLDER = Path(sys.argv[1])
BOAT = {"type": "object", "properties": {"name": {"type": "string", "minLength": 2}}, "required": ["name"]}
TOOLS = ("find_boat", "reserve_boat", "sink", "hang", "huge", "refuse", "surroundings")
INFO = {"io.modelcontextprotocol/serverInfo": {"name": "boats", "version": ""}}


def listed() -> list[dict[str, Any]]:
    """All tools, with the words of the folder behind each description."""
    words = FOLDER / "words"
    behind = words.read_text(encoding="utf-8") if words.exists() else ""
    return [{"name": each, "description": f"It can {each}.{behind}", "inputSchema": BOAT} for each in TOOLS]


async def called(name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Do what the tool's name says; each call is written down."""
    with (FOLDER / "calls.txt").open("a", encoding="utf-8") as book:
        book.write(f"{name} {arguments['name']}\n")
    match name:
        case "sink":
            os._exit(3)
        case "hang":
            await asyncio.Event().wait()
        case "refuse":
            return said("no such boat", isError=True)
        case "surroundings":
            return said("\n".join(sorted(os.environ)))
        case "huge":
            return said("x" * 11_000_000)
    return said("seen", structuredContent={"boat": arguments["name"]})


def said(text: str, **more: Any) -> dict[str, Any]:
    """An answer in words."""
    return {"content": [{"type": "text", "text": text}], **more}


async def answer(method: str, asked: Mapping[str, Any]) -> dict[str, Any] | None:
    """What the protocol answers, None where it knows no such method."""
    match method:
        case "server/discover":
            version = asked["_meta"]["io.modelcontextprotocol/protocolVersion"]
            return {"capabilities": {"tools": {}}, "supportedVersions": [version], "cacheScope": "private", "ttlMs": 0}
        case "tools/list":
            return {"tools": listed(), "cacheScope": "private", "ttlMs": 0}
        case "tools/call":
            return await called(asked["name"], asked["arguments"])
    return None


async def by_hand() -> None:
    """Serve lines until the input ends."""
    for line in sys.stdin:
        asked = json.loads(line)
        if "id" not in asked:
            continue
        found = await answer(asked["method"], asked["params"])
        ended = (
            {"error": {"code": -32601, "message": "Method not found"}}
            if found is None
            else {"result": {"resultType": "complete", "_meta": INFO, **found}}
        )
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **ended}) + "\n")
        sys.stdout.flush()


def package() -> "Server[Any]":
    """The same as a server of the package."""
    from mcp.server.lowlevel import Server
    from mcp_types import CallToolResult, ListToolsResult

    async def on_list(_ctx: object, _params: object) -> ListToolsResult:
        return ListToolsResult.model_validate({"tools": listed()})

    async def on_call(_ctx: object, params: Any) -> CallToolResult:
        return CallToolResult.model_validate(await called(params.name, params.arguments))

    return Server("boats", on_list_tools=on_list, on_call_tool=on_call)


async def over_stdio() -> None:
    """Serve by the package until the input ends."""
    from mcp.server.stdio import stdio_server

    server = package()
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    if "--http" in sys.argv:
        import uvicorn

        app = package().streamable_http_app(stateless_http=True, json_response=True)
        uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[3]), log_level="error")
    else:
        asyncio.run(over_stdio() if "--package" in sys.argv else by_hand())

"""Offers the tools of MCP servers that profiles name, as they were confirmed; a confirmed description is kept, so a start needs no server."""

import asyncio
import json
from collections.abc import AsyncIterator, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path

from cli.wiring.agents.outside import Packages, folder_of
from triage.agent.toolbox import Tool
from triage.config.agents.mcp_servers import McpServerSpec
from triage.config.agents.profiles import ToolLimits
from triage.config.settings import Settings
from triage.config.triage_yaml import Config
from triage.domain.errors import ToolRefused
from triage.domain.extras import missing
from triage.domain.ports.outside import Described, Isolation, changed
from triage.toolsets.outside.mcp import mcp_tool
from triage.toolsets.outside.tools import Outside


def mcp_tools(settings: Settings, config: Config, wanted: Collection[str], isolation: Isolation) -> Packages:
    """Return the wanted tools of the configured servers; nothing is imported if none is wanted."""
    tools: dict[str, Tool] = {}
    problems: list[str] = []
    for server in config.mcp_servers:
        names = [name for name in server.tools if name in wanted]
        if not names:
            continue
        folder = folder_of(settings) / "mcp" / server.name
        try:
            described = _described(server, names, folder)
            ours = _tools(server, described)
        except (ToolRefused, ValueError) as e:
            problems.append(f"mcp_servers.{server.name}: {e}")
            continue
        for tool in ours:
            if tool.name in tools:
                problems.append(
                    f"mcp_servers.{server.name}: {tool.name} comes from another server, too; keep one of them"
                )
            limits = config.tools.get(tool.name, ToolLimits(timeout=server.timeout))
            tools[tool.name] = Outside(tool=tool, data_dir=folder, limits=limits, isolation=isolation).adapted()
    return Packages(tools, tuple(problems))


async def offered_by(server: McpServerSpec) -> Mapping[str, Described]:
    """Ask a server for its tools, with or without our confirmation. Raises `ToolRefused`."""
    try:
        from integrations.outside.mcp_server import McpConnection
    except ImportError:
        raise ToolRefused(missing("mcp")) from None
    return await McpConnection(server).tools()


async def compare_tools(server: McpServerSpec) -> AsyncIterator[tuple[bool, str, str]]:
    """Yield whether a tool is what was confirmed, its hash or what is wrong, and what an admin has to look at."""
    try:
        offered = await offered_by(server)
    except ToolRefused as e:
        yield False, str(e), ""
        return
    for name, spec in server.tools.items():
        found = offered.get(name)
        if _is_confirmed(server, name, found):
            yield True, f"{name} ({spec.grant}), sha256 {spec.sha256}", ""
        else:
            yield False, changed(server.name, name, found), f"it says now: {found.text[:2000]}" if found else ""
    if others := sorted(offered.keys() - server.tools.keys()):
        yield True, f"offers, not allowed here: {', '.join(others)}", ""


def _described(server: McpServerSpec, names: Collection[str], folder: Path) -> Mapping[str, Described]:
    """Return the tools as they were confirmed, from the folder or else from the server. Raises `ToolRefused`."""
    kept = {name: found for name in names if (found := _kept(folder, server.tools[name].sha256))}
    if len(kept) == len(names):
        return kept
    with ThreadPoolExecutor(1) as apart:  # the start may be inside a loop of its own
        offered = apart.submit(asyncio.run, offered_by(server)).result()
    confirmed = {name: offered[name] for name in names if _is_confirmed(server, name, offered.get(name))}
    if refused := [changed(server.name, name, offered.get(name)) for name in names if name not in confirmed]:
        raise ToolRefused("; ".join(refused))
    for found in confirmed.values():
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{found.sha256}.json").write_text(found.text, encoding="utf-8")
    return confirmed


def _is_confirmed(server: McpServerSpec, name: str, offered: Described | None) -> bool:
    return offered is not None and offered.sha256 == server.tools[name].sha256


def _kept(folder: Path, sha256: str) -> Described | None:
    """Return the tool of this hash, None if it is not kept or not as it was."""
    with suppress(OSError, ValueError, TypeError, KeyError):
        data = json.loads((folder / f"{sha256}.json").read_text(encoding="utf-8"))
        found = Described(data["name"], data["description"], data["schema"])
        return found if found.sha256 == sha256 else None
    return None


def _tools(server: McpServerSpec, described: Mapping[str, Described]) -> list[Tool]:
    """Return them as tools that call their server. Raises `ToolRefused`, `ValueError`."""
    try:
        from integrations.outside.mcp_server import McpConnection, wrong_arguments
    except ImportError:
        raise ToolRefused(missing("mcp")) from None
    running = McpConnection(server)
    return [
        mcp_tool(one, server.tools[name], partial(running.call, one), wrong_arguments(one.schema))
        for name, one in described.items()
    ]

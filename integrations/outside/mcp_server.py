"""One MCP server: a connection for each call, bounded in bytes; after a failure it is left alone for a while."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from typing import Any, Final

import anyio
import httpx2
import mcp_types
from jsonschema import Draft202012Validator, SchemaError
from mcp.client.client import Client
from mcp.client.stdio import get_default_environment
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import SessionMessage
from referencing import Registry
from referencing.exceptions import Unresolvable

from integrations.outside.bounded_transport import LARGEST, BoundedTransport
from triage.config.agents.mcp_servers import McpServerSpec
from triage.domain.errors import OutsideFailed, ToolRefused
from triage.domain.ports.outside import Described, Json, changed

INHERITED: Final = ("PATH", "HOME")
"""All that a server's program gets of our environment."""
LONGEST_WAIT: Final = 60.0
"""Seconds between two starts of a server that fails; the first is 1."""
TO_END: Final = 1.0
"""Seconds that a program has to end after its input has."""
MOST_PAGES: Final = 20


class McpConnection:
    """Lists a server's tools and calls them."""

    def __init__(self, spec: McpServerSpec, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._spec = spec
        self._monotonic = monotonic
        self._wait = 0.0
        self._not_before = float("-inf")

    async def tools(self) -> Mapping[str, Described]:
        """Return the tools that it offers now. Raises `ToolRefused` if it does not answer as it should."""
        try:
            async with asyncio.timeout(self._spec.timeout), self._connected() as client:
                offered = await _listed(client)
        except Exception as e:  # noqa: BLE001 - a program or a server of somebody else
            raise ToolRefused(f"the MCP server {self._spec.name} does not answer ({_error_text(e)})") from None
        return offered

    async def call(self, wanted: Described, arguments: Mapping[str, Json]) -> Json:
        """Run a tool that is still as it was confirmed.

        Raises `ToolRefused` if nothing was begun, `OutsideFailed` if the call was sent and has not ended well.
        """
        self._check_wait()
        offered: Mapping[str, Described] | None = None
        result: mcp_types.CallToolResult | None = None
        begun = False
        try:
            async with self._connected() as client:
                offered = await _listed(client)
                if offered.get(wanted.name) == wanted:
                    begun = True
                    result = await client.call_tool(wanted.name, dict(arguments))
        except Exception as e:  # noqa: BLE001 - a program or a server of somebody else
            if result is None:
                self._fell()
                detail = f"the MCP server {self._spec.name} has failed ({_error_text(e)})"
                raise (OutsideFailed(wanted.name, detail) if begun else ToolRefused(detail)) from None
        self._wait = 0.0
        if result is None:
            raise ToolRefused(changed(self._spec.name, wanted.name, (offered or {}).get(wanted.name)))
        return _answer(wanted.name, result)

    def _connected(self) -> AbstractAsyncContextManager[Client]:
        return _session(self._spec)

    def _check_wait(self) -> None:
        """Raise `ToolRefused` while a server that has failed is left alone."""
        if (left := self._not_before - self._monotonic()) > 0:
            raise ToolRefused(f"the MCP server {self._spec.name} has failed and is started again in {left:.0f} s")

    def _fell(self) -> None:
        self._wait = min(LONGEST_WAIT, self._wait * 2 or 1.0)
        self._not_before = self._monotonic() + self._wait


def wrong_arguments(schema: Mapping[str, Json]) -> Callable[[Json], str]:
    """Return the check of a tool's arguments; it fetches nothing. Raises `ValueError` if the schema is none."""
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as e:
        raise ValueError(e.message) from e
    closed = {"additionalProperties": False} if "properties" in schema else {}
    validator = Draft202012Validator({**closed, **schema}, registry=Registry())

    def wrong(arguments: Json) -> str:
        try:
            errors = (
                f"{'.'.join(map(str, e.path)) or 'arguments'}: {e.message}" for e in validator.iter_errors(arguments)
            )
            return "; ".join(errors)[:500]
        except Unresolvable as e:
            return f"its schema names what is not there ({e})"

    return wrong


@asynccontextmanager
async def _session(spec: McpServerSpec) -> AsyncGenerator[Client]:
    async with AsyncExitStack() as stack:
        if spec.command:
            transport: Any = _program(spec.command)
        else:
            http = httpx2.AsyncClient(transport=BoundedTransport(), headers=spec.headers(), timeout=spec.timeout)
            transport = streamable_http_client(spec.url, http_client=await stack.enter_async_context(http))
        yield await stack.enter_async_context(Client(transport, cache=None))


@asynccontextmanager
async def _program(command: tuple[str, ...]) -> AsyncGenerator[Any]:
    """Run a server's program; with the connection it ends, and all that it has started."""
    environment = {name: value for name, value in get_default_environment().items() if name in INHERITED}
    pipe, nowhere = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(
        *command, stdin=pipe, stdout=pipe, stderr=nowhere, env=environment, limit=LARGEST, start_new_session=True
    )
    to_us, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write, from_us = anyio.create_memory_object_stream[SessionMessage](0)
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_reads, process.stdout, to_us)
            tasks.start_soon(_writes, process.stdin, from_us)
            yield read, write
            tasks.cancel_scope.cancel()
    finally:
        for stream in (to_us, read, write, from_us):
            stream.close()
        with anyio.CancelScope(shield=True):
            process.stdin.close()  # type: ignore[union-attr]
            with anyio.move_on_after(TO_END):
                await process.wait()
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
        process._transport.close()  # type: ignore[attr-defined] # noqa: SLF001 - asyncio has no other way to close the pipes


async def _reads(stdout: Any, to_us: Any) -> None:
    """Pass on its lines; one that is too long ends the connection."""
    async with to_us:
        with suppress(ValueError, anyio.BrokenResourceError):
            while line := await stdout.readline():
                try:
                    message = mcp_types.jsonrpc_message_adapter.validate_json(line, by_name=False)
                except ValueError:
                    continue  # programs print other things, too
                await to_us.send(SessionMessage(message))


async def _writes(stdin: Any, from_us: Any) -> None:
    with suppress(ConnectionError):
        async for sent in from_us:
            stdin.write(sent.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
            await stdin.drain()


async def _listed(client: Client) -> Mapping[str, Described]:
    found: dict[str, Described] = {}
    cursor: str | None = None
    for _ in range(MOST_PAGES):
        page = await client.list_tools(cursor=cursor)
        found |= {tool.name: Described(tool.name, tool.description or "", tool.input_schema) for tool in page.tools}
        cursor = page.next_cursor
        if not cursor:
            break
    return found


def _answer(tool: str, result: mcp_types.CallToolResult) -> Json:
    """Return what it answers: its structure, else its texts. Raises `OutsideFailed` for an error that it tells."""
    texts = [
        part.text if isinstance(part, mcp_types.TextContent) else f"[{part.type} left out]" for part in result.content
    ]
    if result.is_error:
        raise OutsideFailed(tool, " ".join(" ".join(texts).split())[:300])
    return "\n".join(texts) if result.structured_content is None else result.structured_content


def _error_text(e: BaseException) -> str:
    """Say what has happened, without the groups around it."""
    while isinstance(e, BaseExceptionGroup):
        e = e.exceptions[0]
    return " ".join(f"{type(e).__name__}: {e}".split())[:200]

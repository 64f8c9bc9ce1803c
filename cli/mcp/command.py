"""`triage mcp mail|memory|tickets`: serves an MCP client over stdin and stdout, or many over HTTP."""

import asyncio
import getpass
import signal
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.console import screen
from cli.service.listening import listening_at, serve_until
from cli.service.process import stop_event
from cli.verb import load
from triage.domain.errors import SettingsInvalid

if TYPE_CHECKING:
    from cli.wiring.intake import IntakeContext
    from triage.services.mcp.served import McpServer
    from triage.services.mcp.session import SessionServices

PORT: Final = 8808
Http = Annotated[
    str,
    typer.Option(
        "--http",
        metavar="ADDRESS",
        help=f"Serve over HTTP at this address instead, such as 127.0.0.1:{PORT}; each request needs a token of `triage token`.",
    ),
]
Writes = Annotated[
    bool,
    typer.Option("--writes", help="Offer tools that propose changes; each waits for a person (`triage approvals`)."),
]
mcp = typer.Typer(add_completion=False, no_args_is_help=True, help="Serve tickets, mails or memory to MCP clients.")


@mcp.command()
def mail(http: Http = "", writes: Writes = False) -> None:
    """Mails: read_emails, fetch_sent_emails."""
    _run("mail", http, writes=writes)


@mcp.command()
def memory(http: Http = "", writes: Writes = False) -> None:
    """The team's memory: search, read, list and follow its notes; with --writes, propose one."""
    _run("memory", http, writes=writes)


@mcp.command()
def tickets(http: Http = "", writes: Writes = False) -> None:
    """Tickets: search, get; with --writes, propose."""
    _run("tickets", http, writes=writes)


def _run(name: str, http: str, *, writes: bool) -> None:
    place = _place(http) if http else None
    asyncio.run(_serve(name, place, writes=writes or load().mcp_writes))


async def _serve(name: str, place: tuple[str, int] | None, *, writes: bool) -> None:
    from cli.wiring.mcp.servers import open_mcp

    async with open_mcp(load(), name, writes=writes) as (server, shared, context):
        if place is None:
            await _stdio(server, shared)
        else:
            await _http(context, server, shared, place)


async def _stdio(server: "McpServer", shared: "SessionServices") -> None:
    """Serve whoever has started us: who runs commands here holds the database anyway."""
    from triage.domain.operations.mcp import McpClient
    from triage.domain.operations.tokens import AccessScope
    from triage.services.mcp.session import McpSession
    from web.mcp.server import serve_stdio

    # A thread waits for stdin, and the interpreter would wait for that thread: Ctrl-C had to be followed by Enter.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    await serve_stdio(McpSession(McpClient(name=f"shell {getpass.getuser()}", scope=AccessScope.ADMIN), server, shared))


async def _http(
    context: "IntakeContext", server: "McpServer", shared: "SessionServices", place: tuple[str, int]
) -> None:
    import uvicorn

    from cli.wiring.mcp.mount import PATH, http_app

    host, port = place
    stop, listening = stop_event(), listening_at(host, port, "--http")
    async with AsyncExitStack() as later:
        app = http_app(context, {PATH: server, f"{PATH}/{server.name}": server}, shared, later, host)
        config = uvicorn.Config(app, log_config=None, access_log=False, lifespan="off")
        listening.listen()
        shown = f"[{host}]" if ":" in host else host
        screen(error=True).print(
            f"MCP server {server.name} on http://{shown}:{listening.getsockname()[1]}{PATH}", soft_wrap=True
        )
        await serve_until(stop, config, listening)


def _place(address: str) -> tuple[str, int]:
    """Return host and port of `127.0.0.1:8808`, `:8808` (loopback) or `[::1]:8808`. Raises `SettingsInvalid`."""
    host, colon, port = address.rpartition(":")
    if not colon or not port.isdecimal():
        raise SettingsInvalid((f"--http: {address!r} is no address; write 127.0.0.1:{PORT}",))
    return host.strip("[]") or "127.0.0.1", int(port)

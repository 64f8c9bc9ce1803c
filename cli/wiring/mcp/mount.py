"""Builds the application of our MCP servers: at `/mcp` of `triage serve`, and alone for `triage mcp --http`."""

from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Final

from cli.wiring.agents.live_config import LiveConfig
from cli.wiring.app import App
from cli.wiring.intake import IntakeContext
from cli.wiring.mcp.servers import checked, servers_alone, servers_of, shared_by_sessions
from cli.wiring.operations import tokens_of
from triage.services.mcp.served import McpServer, joined
from triage.services.mcp.session import McpSessions, SessionServices
from web.api.guard import TokenGuard
from web.mcp.app import LOOPBACK, host_in

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from web.lazy_app import LazyApp

PATH: Final = "/mcp"
ANYWHERE: Final = frozenset({"", "0.0.0.0", "::"})  # noqa: S104 - named so that they count as no name


def mcp_mount(context: IntakeContext, later: AsyncExitStack, app: App | None) -> "LazyApp":
    """Return the application that `triage serve` mounts with ENABLE_MCP. Raises `McpMissing` at once, not at the first request."""
    from web.lazy_app import LazyApp

    checked()

    def make() -> "ASGIApp":

        servers = servers_of(app, later) if app else servers_alone(context, LiveConfig(context.settings), later)
        shared = shared_by_sessions(context, writes=context.settings.mcp_writes)
        paths = {PATH: joined(tuple(servers.values())), **{f"{PATH}/{name}": one for name, one in servers.items()}}
        return http_app(context, paths, shared, later)

    async def ready() -> bool:
        return True

    return LazyApp(make, ready)


def http_app(
    context: IntakeContext,
    paths: "Mapping[str, McpServer]",
    shared: SessionServices,
    later: AsyncExitStack,
    host: str = "",
) -> "ASGIApp":
    """Return the application behind token and limits. It accepts requests for loopback, `host` and PUBLIC_URL; `later` closes it."""
    from web.mcp.app import McpApp, bounded

    settings = context.settings
    tokens = tokens_of(context.store)
    names = LOOPBACK | {host.lower(), host_in(settings.public_url)} - ANYWHERE
    app = McpApp(
        servers=paths,
        guard=TokenGuard(tokens, settings.api_requests_per_minute),
        sessions=McpSessions(shared=shared),
        hosts=frozenset(names),
    )
    later.push_async_callback(app.close)
    return bounded(app)

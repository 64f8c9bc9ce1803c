"""Our MCP servers over streamable HTTP: one address each, a token in each request, Host and Origin checked; only the budget is kept between requests."""

import asyncio
from collections.abc import Collection, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from triage.domain.errors import StoreDown
from triage.domain.operations.errors import TokenInvalid
from triage.domain.operations.tokens import AccessScope, ApiToken
from triage.services.mcp.served import McpServer
from triage.services.mcp.session import McpSession, McpSessions
from web.api.guard import TokenGuard
from web.api.limits import SizeLimits
from web.api.problems import problem
from web.mcp.server import Context, protocol_of

LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})

LARGEST: Final = 256 * 1024
"""Bytes of a request."""
SESSION: Final = "triage.mcp.session"
"""Where a request's ASGI scope holds its session."""
CURES: Final[Mapping[int, str]] = {
    403: "ask from a program, or from a page of PUBLIC_URL",
    404: "take one of those addresses",
    405: "send the message by POST, as MCP clients do",
    421: "set PUBLIC_URL to the address that clients use, or connect to 127.0.0.1",
}
CURE: Final = "send `Authorization: Bearer triage_…`; `triage token create` makes a token"
WHO: Final = {"www-authenticate": 'Bearer realm="triage"'}


@dataclass(slots=True, kw_only=True)
class McpApp:
    """An ASGI application; `close` ends what runs."""

    servers: Mapping[str, McpServer]
    """By path: `/mcp/tickets`."""
    guard: TokenGuard
    sessions: McpSessions
    hosts: frozenset[str]
    """Names under which clients reach us, in lower case."""
    _managers: dict[str, StreamableHTTPSessionManager] = field(default_factory=dict)
    _runs: asyncio.Task[None] | None = None
    _ready: asyncio.Event = field(default_factory=asyncio.Event)
    _ends: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        try:
            server, token = await self._admitted(scope)
            scope[SESSION] = self.sessions.of(token, server)
            await self._managed()
            await self._managers[server.name].handle_request(scope, receive, send)
        except TokenInvalid as e:
            await problem(401, str(e), CURE, WHO)(scope, receive, send)
        except HTTPException as e:  # also of `Limits`, while the body is read
            cure = CURES.get(e.status_code, "")
            await problem(e.status_code, e.detail, cure, dict(e.headers or {}))(scope, receive, send)
        except StoreDown:
            later = {"retry-after": "30"}
            await problem(503, "the store does not answer", "try again later", later)(scope, receive, send)

    async def close(self) -> None:
        """End the requests that still run."""
        self._ends.set()
        if self._runs:
            await self._runs

    async def _admitted(self, scope: Scope) -> tuple[McpServer, ApiToken]:
        """Return server and token of a request. Raises `HTTPException`, `TokenInvalid`, `StoreDown`."""
        headers = Headers(scope=scope)
        if refused := foreign(headers.get("host", ""), headers.get("origin"), self.hosts):
            raise HTTPException(*refused)
        server = self.servers.get(scope["path"].rstrip("/"))
        if server is None:
            raise HTTPException(404, f"there is no such server; there are {', '.join(self.servers)}")
        if scope["method"] != "POST":
            raise HTTPException(405, "only POST: this server sends nothing unasked", {"allow": "POST"})
        scheme, _, text = headers.get("authorization", "").partition(" ")
        return server, await self.guard.admit(text.strip() if scheme.lower() == "bearer" else "", AccessScope.VIEWER)

    async def _managed(self) -> None:
        """Have the managers run; a task of their own enters and leaves them, as their task groups demand."""
        if self._runs is None:
            self._runs = asyncio.create_task(self._run())
        await self._ready.wait()

    async def _run(self) -> None:
        async with AsyncExitStack() as stack:
            for server in {one.name: one for one in self.servers.values()}.values():
                manager = StreamableHTTPSessionManager(
                    app=protocol_of(server, _session_of),
                    json_response=True,
                    stateless=True,
                    max_request_body_size=LARGEST,
                )
                await stack.enter_async_context(manager.run())
                self._managers[server.name] = manager
            self._ready.set()
            await self._ends.wait()


def bounded(app: McpApp) -> ASGIApp:
    """Return the application behind limits on head, address and body."""
    return SizeLimits(app, frozenset(app.servers), LARGEST)


def _session_of(ctx: Context) -> McpSession:
    if ctx.request is None:
        raise LookupError("over HTTP each message has its request")
    session: McpSession = ctx.request.scope[SESSION]
    return session


def host_in(header: str) -> str:
    """Return the host of a Host header or of an address, in lower case and without port; empty if it has none."""
    try:
        return urlsplit(header if "//" in header else f"//{header}").hostname or ""
    except ValueError:
        return ""


def foreign(host: str, origin: str | None, allowed: Collection[str]) -> tuple[int, str] | None:
    """Return status and reason if a request is not meant for us, by its Host and its Origin; None if it is."""
    if host_in(host) not in allowed:
        return 421, "this host name is not ours"
    if origin is not None and host_in(origin) not in allowed:
        return 403, "pages of other sites may not ask"
    return None

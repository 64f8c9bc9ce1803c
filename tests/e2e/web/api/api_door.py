"""The API for tests: the web application over a real store on loopback, and a client with a token of each scope."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
import uvicorn

from cli.wiring.intake import IntakeContext, open_intake
from cli.wiring.web.mounts import Mounts
from integrations.system_clock import SystemClock
from triage.config.settings import Isolated, load
from triage.domain.operations.tokens import AccessScope
from triage.services.operations.tokens import TokenService
from webhooks.app import web_app
from webhooks.health import HealthChecks

NONE: Mapping[str, str] = {}


@dataclass
class ApiDoor:
    """A running service and what is behind it."""

    url: str
    context: IntakeContext
    tokens: TokenService
    held: dict[AccessScope, str]
    """A token of each scope."""

    async def ask(
        self,
        method: str,
        path: str,
        *,
        scope: AccessScope | None = AccessScope.ADMIN,
        headers: dict[str, str] | None = None,
        **more: Any,
    ) -> httpx2.Response:
        """One request with a token of this scope, or without any."""
        bearer = {"authorization": f"Bearer {self.held[scope]}"} if scope else {}
        async with httpx2.AsyncClient(base_url=self.url) as client:
            return await client.request(method, path, headers={**bearer, **(headers or {})}, **more)

    async def get(self, path: str, **more: Any) -> httpx2.Response:
        """A GET below the version."""
        return await self.ask("GET", f"/api/v1{path}", **more)

    async def post(self, path: str, **more: Any) -> httpx2.Response:
        """A POST below the version."""
        return await self.ask("POST", f"/api/v1{path}", **more)


@asynccontextmanager
async def api_door(url: str, *, tokens: bool = True, settings: Mapping[str, str] = NONE) -> AsyncIterator[ApiDoor]:
    """The service over the store at a URL, as `triage serve` builds it, in this event loop."""
    stop, opened = asyncio.Event(), load(Isolated, DATABASE_URL=url, **settings)
    async with open_intake(opened) as context, AsyncExitStack() as later:
        service = TokenService(store=context.store.tokens, deeds=context.store.deeds, clock=SystemClock())
        held = {one: (await service.create(one.value, one, 1, by="test"))[0] for one in AccessScope} if tokens else {}
        app = web_app(
            context.intake,
            (),
            HealthChecks(context.health.parts),
            100_000,
            mounts=Mounts(context=context, later=later, stop=stop).by_path(),
        )
        server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None, lifespan="off"))
        serving = asyncio.create_task(server._serve())
        while not server.started:
            await asyncio.sleep(0.005)
        address = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
        try:
            yield ApiDoor(address, context, service, held)
        finally:
            stop.set()
            server.should_exit = True
            await serving

"""The console in this event loop, over a store of its own, and browsers without a screen: for tests of who gets in."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import httpx2
import uvicorn
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from cli.wiring.intake import IntakeContext, open_intake
from cli.wiring.people.accounts import accounts_of, open_accounts
from cli.wiring.web.mounts import Mounts, strict_transport
from tests.conftest import PATIENCE
from tests.database import migrated
from triage.config.settings import Isolated, load
from triage.domain.operations.tokens import AccessScope
from triage.services.accounts.accounts import AccountService
from triage.services.accounts.first_run import FirstRun
from web.console.guard import FORM_KEY, form_key_of
from web.console.way_in import COOKIE
from web.frame import FormLimit
from web.lazy_app import LazyApp
from webhooks.app import web_app
from webhooks.health import HealthChecks

RIVER: Final = "a calm river runs"
"""Everybody's password."""
PEOPLE: Final = {
    AccessScope.ADMIN: "ada@example.com",
    AccessScope.APPROVER: "bob@example.com",
    AccessScope.VIEWER: "eve@example.com",
}
NONE: Mapping[str, str] = {}


class Browser(httpx2.AsyncClient):
    """A browser that follows no redirect; it keeps cookies, and knows the key of its session's forms."""

    def form(self, **fields: str) -> dict[str, str]:
        """The fields of a form as a page of this session sends them."""
        return {FORM_KEY: form_key_of(self.cookies.get(COOKIE) or ""), **fields}


@dataclass
class Door:
    """A running console and what is behind it."""

    url: str
    context: IntakeContext
    accounts: AccountService
    first: FirstRun
    file: Path
    room: LazyApp
    later: AsyncExitStack

    async def browser(self, scope: AccessScope | None = None, *, headers: Mapping[str, str] = NONE) -> Browser:
        """A new browser, signed in as the person of this role."""
        made = Browser(base_url=self.url, timeout=PATIENCE, headers=dict(headers))
        await self.later.enter_async_context(made)
        if scope:
            entered = await enter(made, PEOPLE[scope])
            assert entered.status_code == 303, entered.text
        return made

    def sql(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Ask or change the store behind the service's back."""
        with sqlite3.connect(self.file, timeout=PATIENCE) as connection:
            found = connection.execute(statement, values).fetchall()
        connection.close()
        return found

    def expire(self) -> None:
        """Let all sessions have ended an hour ago."""
        self.sql("UPDATE sessions SET expires_at = '2020-01-01 00:00:00.000000'")

    @property
    def routes(self) -> list[tuple[str, str]]:
        """Method and path of every route of the console, with 1 for each variable part."""
        assert isinstance(self.room._app, FormLimit)
        app = self.room._app.app
        assert isinstance(app, FastAPI)
        paths = get_openapi(title="", version="", routes=app.routes)["paths"]
        return sorted((method.upper(), path) for path, methods in paths.items() for method in methods)


async def enter(browser: httpx2.AsyncClient, address: str, password: str = RIVER, **fields: str) -> httpx2.Response:
    """Send the form of the sign-in."""
    return await browser.post("/sign-in", data={"address": address, "password": password, **fields})


@cache
def _populated() -> bytes:
    """A database with an account of each role, made once by each test process: hashes of passwords are made to take long."""

    async def make(file: Path) -> None:
        async with open_accounts(load(Isolated, DATABASE_URL=f"sqlite:///{file}")) as accounts:
            for scope, address in PEOPLE.items():
                await accounts.add(address, address.partition("@")[0].title(), scope, RIVER, by="test")

    with TemporaryDirectory() as folder, ThreadPoolExecutor(1) as beside:  # the caller has an event loop
        file = migrated(Path(folder) / "triage.db")
        beside.submit(asyncio.run, make(file)).result()
        return file.read_bytes()


@asynccontextmanager
async def console_door(folder: Path, *, people: bool = True, settings: Mapping[str, str] = NONE) -> AsyncIterator[Door]:
    """The console over a new store, with an account of each role."""
    file, stop = migrated(folder / "triage.db"), asyncio.Event()
    if people:
        file.write_bytes(_populated())
    opened = load(Isolated, DATABASE_URL=f"sqlite:///{file}", **settings)
    async with open_intake(opened) as context, AsyncExitStack() as later:
        accounts, first = accounts_of(opened, context.store), FirstRun()
        mounts = Mounts(context=context, later=later, stop=stop, first=first).by_path()
        app = web_app(context.intake, (), HealthChecks(context.health.parts), 100_000, mounts=mounts)
        config = uvicorn.Config(
            app,
            host="127.0.0.1",
            port=0,
            log_config=None,
            lifespan="off",
            forwarded_allow_ips=opened.trusted_proxies,
            headers=strict_transport(opened),
        )
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server._serve())
        while not server.started:
            await asyncio.sleep(0.005)
        address = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
        room = mounts["/sign-in"]
        assert isinstance(room, LazyApp)
        try:
            async with AsyncExitStack() as browsers:
                yield Door(address, context, accounts, first, Path(file), room, browsers)
        finally:
            stop.set()
            server.should_exit = True
            await serving

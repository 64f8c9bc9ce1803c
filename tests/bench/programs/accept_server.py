"""The servers of the bench: `python -m tests.bench.programs.accept_server nothing|plain|triage URL`; the port is what it says first."""

import asyncio
import sys
from typing import Any

import uvicorn
from fastapi import FastAPI, Request

from cli.service.process import settle
from integrations.local_notifier import LocalNotifier
from integrations.loguru_log import configure
from integrations.sql.arrivals import write
from integrations.sql.store import SqlStore, open_store
from integrations.system_clock import SystemClock
from tests.bench.programs.accept_load import SECRET
from triage.domain.mail import Received
from triage.domain.ports import no_failpoint
from triage.services.intake import Intake
from webhooks.app import web_app
from webhooks.health import HealthChecks
from webhooks.providers.raw_mime import RawMime

LIMIT = 40_000_000


def nothing(store: SqlStore) -> Any:
    """An endpoint that reads the body and does nothing."""
    app = FastAPI()

    @app.post("/webhooks/mime")
    async def webhook(http: Request) -> dict[str, int]:
        return {"bytes": len(await http.body())}

    return app


def plain(store: SqlStore) -> Any:
    """An endpoint that writes the same rows with the same promises, in a transaction and a commit of each request."""
    app = FastAPI()
    database, clock = store._database, SystemClock()

    @app.post("/webhooks/mime")
    async def webhook(http: Request) -> dict[str, int]:
        raw, name, now = await http.body(), http.headers["webhook-id"], clock.now()
        received = Received(source="plain", source_id=name, raw=raw, at=now)
        written = await database.write(lambda c: write(c, [received], now, no_failpoint))
        return {"case": written.numbers[0]}

    return app


def triage(store: SqlStore) -> Any:
    """Ours."""

    async def ready() -> dict[str, bool]:
        return {}

    intake = Intake(store.inbox, LocalNotifier(), SystemClock(), LIMIT)
    return web_app(intake, [RawMime([SECRET])], HealthChecks(ready), LIMIT)


async def main(which: str, url: str) -> None:
    """Serve until stdin is closed, with the log and the start of `triage serve`."""
    configure()
    store = await open_store(url, SystemClock())
    app = {"nothing": nothing, "plain": plain, "triage": triage}[which](store)
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None, access_log=False, lifespan="off")
    server = uvicorn.Server(config)
    settle()
    serving = asyncio.create_task(server._serve())
    while not server.started:
        await asyncio.sleep(0.01)
    print(server.servers[0].sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)
    server.should_exit = True
    await serving
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))

"""The servers of the bench: `python -m tests.bench.accept_server nothing|plain|triage URL`; the port is what it says first."""

import asyncio
import sys
from typing import Any

import uvicorn
from fastapi import FastAPI, Request

from integrations.local_doorbell import LocalDoorbell
from integrations.sql.store import SqlStore, open_store
from integrations.system_clock import SystemClock
from triage.desk.intake import Intake
from triage.domain.mail import Received
from webhooks.app import web_app
from webhooks.providers.raw_mime import RawMime

SECRET = "a-key-of-the-bench-that-is-long-enough"
LIMIT = 40_000_000


def nothing(store: SqlStore) -> Any:
    """An endpoint that reads the body and does nothing."""
    app = FastAPI()

    @app.post("/webhooks/mime")
    async def webhook(http: Request) -> dict[str, int]:
        return {"bytes": len(await http.body())}

    return app


def plain(store: SqlStore) -> Any:
    """An endpoint that writes mail, bytes, case and job through SQLAlchemy, with a commit for each request."""
    app = FastAPI()
    database, clock = store._database, SystemClock()

    @app.post("/webhooks/mime")
    async def webhook(http: Request) -> dict[str, str]:
        raw, name = await http.body(), http.headers["webhook-id"]
        received = Received(source="plain", source_id=name, raw=raw, at=clock.now())
        await database.write(lambda c: store._intake._insert(c, [received], clock.now()))
        return {"case": name}

    return app


def triage(store: SqlStore) -> Any:
    """Ours."""

    async def ready() -> dict[str, bool]:
        return {}

    intake = Intake(store, LocalDoorbell(), SystemClock(), LIMIT)
    return web_app(intake, [RawMime([SECRET])], ready, LIMIT)


async def main(which: str, url: str) -> None:
    """Serve until stdin is closed."""
    from loguru import logger

    logger.remove()
    logger.add(sys.stderr, level="INFO", enqueue=False)
    store = await open_store(url, SystemClock())
    app = {"nothing": nothing, "plain": plain, "triage": triage}[which](store)
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None, lifespan="off"))
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

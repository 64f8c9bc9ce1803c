"""The servers of the bench: `python -m tests.bench.accept_server nothing|plain|triage URL`; the port is what it says first."""

import asyncio
import hashlib
import sys
from datetime import datetime
from typing import Any

import uvicorn
from fastapi import FastAPI, Request
from sqlalchemy import Connection, insert

from integrations.local_doorbell import LocalDoorbell
from integrations.loguru_log import configure
from integrations.sql.schema import cases, jobs, mails, raw_mails
from integrations.sql.store import SqlStore, open_store
from integrations.system_clock import SystemClock
from tests.bench.accept_load import SECRET
from triage.commands.serve import settle
from triage.desk.intake import Intake
from triage.domain.cases import Case
from webhooks.app import web_app
from webhooks.health import Health
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
    """An endpoint that writes mail, bytes, case and job through SQLAlchemy, with a commit for each request."""
    app = FastAPI()
    database, clock = store._database, SystemClock()

    @app.post("/webhooks/mime")
    async def webhook(http: Request) -> dict[str, str]:
        raw, name, now = await http.body(), http.headers["webhook-id"], clock.now()
        return {"case": await database.write(lambda c: four_rows(c, name, raw, now))}

    return app


def four_rows(connection: Connection, name: str, raw: bytes, now: datetime) -> str:
    """What one mail is in the database."""
    digest = hashlib.sha256(raw).hexdigest()
    row = {"source": "plain", "source_id": name, "received_at": now, "accepted_at": now, "size": len(raw)}
    number = connection.scalar(insert(mails).returning(mails.c.id), row | {"sha256": digest})
    case = Case(id=f"case-{number}", source="plain", received_at=now)
    connection.execute(insert(raw_mails), {"case_id": number, "raw": raw})
    connection.execute(insert(cases), {"case_id": number, "data": case})
    connection.execute(insert(jobs), {"case_id": number, "due": now})
    return case.id


def triage(store: SqlStore) -> Any:
    """Ours."""

    async def ready() -> dict[str, bool]:
        return {}

    intake = Intake(store, LocalDoorbell(), SystemClock(), LIMIT)
    return web_app(intake, [RawMime([SECRET])], Health(ready), LIMIT)


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

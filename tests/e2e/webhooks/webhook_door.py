"""A door for tests: the web application on loopback, its clock, and a store that can be down."""

import asyncio
import json
from base64 import b64encode
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Self, cast

import httpx2
import uvicorn
from starlette.applications import Starlette

from integrations.local_notifier import LocalNotifier
from integrations.sql.store import open_store
from triage.domain.errors import StoreDown
from triage.domain.mail import Received
from triage.services.intake import Intake
from webhooks.app import web_app
from webhooks.health import HealthChecks
from webhooks.providers.base import Provider
from webhooks.providers.postmark import Postmark
from webhooks.providers.raw_mime import RawMime
from webhooks.signatures import SigningKeys

SECRET = "whsec_" + b64encode(b"a key for half a minute of tests").decode()
NEXT_SECRET = "whsec_" + b64encode(b"the key that comes after that one").decode()
LOGIN = ("postmark", "correct-horse-battery-staple")
MAIL = b"From: Ada <ada@example.com>\r\nSubject: It is down\r\n\r\nThe shop answers 502.\r\n"
MORNING = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
LIMIT = 200_000


class HandClock:
    """Stands still until a test moves it."""

    def __init__(self) -> None:
        self.time = MORNING

    def now(self) -> datetime:
        """What a test says."""
        return self.time

    async def sleep(self, seconds: float) -> None:
        """Let the time pass at once."""
        self.time += timedelta(seconds=seconds)


class MemoryStore:
    """`Inbox.accept` without a disk, which can be down."""

    def __init__(self) -> None:
        self.mails: dict[tuple[str, str], Received] = {}
        self.down = False

    @property
    def inbox(self) -> Self:
        """It is nothing else."""
        return self

    async def accept(self, received: Received) -> str:
        """As the port says."""
        if self.down:
            raise StoreDown("no space left on device: /srv/triage.db")
        key = received.source, received.source_id
        self.mails.setdefault(key, received)
        return f"case-{list(self.mails).index(key) + 1}"


@dataclass
class Door:
    """A running server and what is behind it."""

    url: str
    clock: HandClock
    store: Any
    landmarks: list[str] = field(default_factory=list)
    parts: dict[str, bool] = field(default_factory=lambda: {"database": True})
    nobody_can_tell: bool = False

    def application(self, providers: list[Provider], limit: int = LIMIT, body_seconds: float = 60) -> Starlette:
        """The web application in front of clock and store."""
        intake = Intake(self.store.inbox, LocalNotifier(), self.clock, limit, self.passed)
        return web_app(intake, providers, HealthChecks(self.ready), limit, body_seconds=body_seconds)

    def passed(self, name: str) -> None:
        """A landmark."""
        self.landmarks.append(name)

    async def ready(self) -> dict[str, bool]:
        """What works, as far as a test lets it."""
        if self.nobody_can_tell:
            raise StoreDown("/srv/triage.db is locked")
        return self.parts

    @property
    def stored(self) -> list[Received]:
        """What came through, for the store in memory."""
        return list(cast("MemoryStore", self.store).mails.values())

    async def post(self, path: str, body: Any, **options: Any) -> httpx2.Response:
        """One request over a connection of its own."""
        async with httpx2.AsyncClient(base_url=self.url) as client:
            return await client.post(path, content=body, **options)

    async def mime(self, body: bytes = MAIL, name: str = "delivery-1", secret: str = SECRET) -> httpx2.Response:
        """A signed raw mail."""
        return await self.post("/webhooks/mime", body, headers=self.signed(body, name, secret))

    async def postmark(self, fields: Any, login: tuple[str, str] = LOGIN) -> httpx2.Response:
        """JSON of Postmark."""
        body = fields if isinstance(fields, bytes) else json.dumps(fields).encode()
        return await self.post("/webhooks/postmark", body, auth=login)

    def signed(self, body: bytes, name: str = "delivery-1", secret: str = SECRET) -> dict[str, str]:
        """The headers of a sender that holds the key."""
        return SigningKeys.read([secret], "X").sign(name, self.clock.now(), body)


BOTH: list[Provider] = [RawMime([SECRET, NEXT_SECRET]), Postmark(*LOGIN)]


@asynccontextmanager
async def sql_door(store_url: str, providers: Sequence[Provider], limit: int = LIMIT) -> AsyncIterator[Door]:
    """A door to the real store, which belongs to one event loop: so the server runs in this one."""
    clock = HandClock()
    store = await open_store(store_url, clock)
    door = Door("", clock, store)
    app = door.application(list(providers), limit)
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None, lifespan="off"))
    serving = asyncio.create_task(server._serve())
    while not server.started:
        await asyncio.sleep(0.005)
    door.url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    yield door
    server.should_exit = True
    await serving
    await store.close()


def texts_of(mail: Any) -> str:
    """All text of a mail, decoded."""
    parts = [part for part in mail.walk() if part.get_content_type() == "text/plain"]
    return "\n".join(part.get_payload(decode=True).decode() for part in parts)

"""The web app of all doors: what is not stored is not acknowledged, and nobody learns more than needed."""

import asyncio

import httpx2
from loguru import logger

from tests.conftest import PATIENCE
from tests.e2e.webhooks.webhook_door import (
    BOTH,
    SECRET,
    Door,
    HandClock,
    MemoryStore,
)
from triage_sandbox.server import Served
from webhooks.providers.raw_mime import RawMime


class TestTrouble:
    """What is not stored is not acknowledged, and nobody learns more than they must."""

    async def test_store_down(self, door: Door) -> None:
        """503 and when to come again; afterwards the same delivery is taken."""
        door.store.down = True
        answer = await door.mime()

        assert answer.status_code == 503
        assert answer.headers["retry-after"] == "30"
        assert answer.json() == {"success": False, "error": "try again later"}
        assert "intake.acked" not in door.landmarks

        door.store.down = False
        assert (await door.mime()).status_code == 200

    async def test_unforeseen(self, door: Door) -> None:
        """An error of ours is a 500 in the same shape, without a word about the inside."""
        door.store.mails = None
        answer = await door.mime()

        assert answer.status_code == 500
        assert answer.json() == {"success": False, "error": "internal error"}

    async def test_without_secret(self) -> None:
        """A provider whose secret is not set does not exist, like any other; only the log tells the difference."""
        said: list[str] = []
        sink = logger.add(said.append, format="{message} {extra}")
        door = Door("", HandClock(), MemoryStore())
        with Served(door.application([RawMime([SECRET])]), lifespan="off") as served:
            door.url = served.url
            answers = [await door.postmark({}), await door.post("/webhooks/gmail", b""), await door.post("/x", b"")]

        logger.remove(sink)

        assert [answer.status_code for answer in answers] == [404, 404, 404]
        assert "set POSTMARK_USER and POSTMARK_PASSWORD" in said[0]
        assert "there are mime, postmark, sendgrid" in said[1]
        assert {answer.text for answer in answers} == {'{"success":false,"error":"not found"}'}

    async def test_nothing_else_to_see(self, door: Door) -> None:
        """No documentation page, and only POST brings mail."""
        async with httpx2.AsyncClient(base_url=door.url) as client:
            statuses = [(await client.get(path)).status_code for path in ("/docs", "/redoc", "/openapi.json")]

            assert statuses == [404, 404, 404]
            assert (await client.get("/webhooks/mime")).status_code == 405

    async def test_caller_dawdles(self) -> None:
        """Who sends a byte now and then is told to try again (on 408 some providers never would); nothing is kept."""
        door = Door("", HandClock(), MemoryStore())
        with Served(door.application(BOTH, body_seconds=0.2), lifespan="off") as served:
            reader, writer = await asyncio.open_connection(served.host, served.port)
            writer.write(b"POST /webhooks/mime HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n")
            status = await asyncio.wait_for(reader.read(12), PATIENCE)
            writer.transport.abort()

        assert status == b"HTTP/1.1 503"
        assert door.stored == []

    async def test_caller_hangs_up(self, door: Door) -> None:
        """Half a mail leaves nothing, and the door stays open."""
        host, port = door.url.removeprefix("http://").split(":")
        _, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"POST /webhooks/mime HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nFrom: ada@")
        await writer.drain()
        writer.transport.abort()
        await asyncio.sleep(0.05)

        assert door.stored == []
        assert (await door.mime()).status_code == 200

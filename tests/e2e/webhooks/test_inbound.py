"""The HTTP door by real HTTP: what is acknowledged is stored, what is not stored is not acknowledged."""

import asyncio
from base64 import b64encode
from email import message_from_bytes

import httpx2
import pytest

from tests.e2e.webhooks.webhook_door import (
    BOTH,
    LIMIT,
    MAIL,
    NEXT_SECRET,
    SECRET,
    Door,
    HandClock,
    MemoryStore,
    texts_of,
)


class TestRawMime:
    """Signed raw mails."""

    async def test_accepted(self, door: Door) -> None:
        """A signed mail is stored byte for byte before it is acknowledged."""
        answer = await door.mime()

        assert answer.status_code == 200
        assert answer.json() == {"success": True, "cases": ["case-1"]}
        (received,) = door.stored
        assert received.raw == MAIL
        assert received.source == "webhook:mime"
        assert received.at == door.clock.time
        assert door.landmarks == ["intake.notified", "intake.acked"]

    @pytest.mark.parametrize("body", [b"", b"\x00\xff\xfe no mail at all", b"\r\n" * 1000])
    async def test_any_bytes(self, door: Door, body: bytes) -> None:
        """What is signed is kept, whatever it is: nothing is parsed at the door."""
        assert (await door.mime(body)).status_code == 200
        assert door.stored[0].raw == body

    async def test_wrong_key(self, door: Door) -> None:
        """401, no reason given, nothing stored."""
        answer = await door.mime(secret="whsec_" + b64encode(bytes(32)).decode())

        assert answer.status_code == 401
        assert answer.json() == {"success": False, "error": "not authentic"}
        assert answer.headers["www-authenticate"].startswith("Webhook")
        assert door.stored == []
        assert door.landmarks == []

    async def test_unsigned(self, door: Door) -> None:
        """A stranger without any signature gets the same answer."""
        assert (await door.post("/webhooks/mime", MAIL)).status_code == 401

    async def test_altered_body(self, door: Door) -> None:
        """A body that is not the signed one is refused, also for an id that is known."""
        headers = door.signed(MAIL)
        assert (await door.post("/webhooks/mime", MAIL, headers=headers)).status_code == 200

        assert (await door.post("/webhooks/mime", MAIL + b"more", headers=headers)).status_code == 401
        assert len(door.stored) == 1

    async def test_replay(self, door: Door) -> None:
        """The same request again, within its five minutes, is the same case."""
        headers = door.signed(MAIL)
        answers = [await door.post("/webhooks/mime", MAIL, headers=headers) for _ in range(3)]

        assert [answer.json()["cases"] for answer in answers] == [["case-1"]] * 3
        assert len(door.stored) == 1

    async def test_replay_later(self, door: Door) -> None:
        """After its five minutes a recorded request is refused."""
        headers = door.signed(MAIL)
        await door.clock.sleep(301)

        assert (await door.post("/webhooks/mime", MAIL, headers=headers)).status_code == 401

    async def test_retry_signed_anew(self, door: Door) -> None:
        """A sender that tries again hours later signs anew, and meets its case again."""
        await door.mime()
        await door.clock.sleep(7200)

        assert (await door.mime()).json()["cases"] == ["case-1"]

    async def test_one_id_for_two_mails(self, door: Door) -> None:
        """A script that signs well but gives every mail the same id loses none of them."""
        await door.mime(MAIL)
        answer = await door.mime(MAIL.replace(b"502", b"503"))

        assert answer.json()["cases"] == ["case-2"]

    async def test_rotation(self, door: Door) -> None:
        """While keys are rotated mails signed with either come in."""
        assert (await door.mime(name="one", secret=SECRET)).status_code == 200
        assert (await door.mime(name="two", secret=NEXT_SECRET)).status_code == 200

    async def test_fifty_at_once(self, sql_door: Door) -> None:
        """Fifty identical deliveries at the same moment become one case in the real store."""
        headers = sql_door.signed(MAIL)
        async with httpx2.AsyncClient(base_url=sql_door.url) as client:
            sending = [client.post("/webhooks/mime", content=MAIL, headers=headers) for _ in range(50)]
            answers = await asyncio.gather(*sending)

        assert {answer.status_code for answer in answers} == {200}
        assert {tuple(answer.json()["cases"]) for answer in answers} == {("case-1",)}
        assert sum((await sql_door.store.archive.counts()).values()) == 1
        assert await sql_door.store.archive.raw("case-1") == MAIL


class TestSize:
    """Mails that are too large."""

    async def test_declared(self, door: Door) -> None:
        """A signed mail over the limit is refused aloud: its mail server still has it and tells the author."""
        answer = await door.mime(bytes(LIMIT + 1))

        assert answer.status_code == 413
        assert door.stored == []

    async def test_just_fits(self, door: Door) -> None:
        """The limit itself is allowed."""
        assert (await door.mime(bytes(LIMIT))).status_code == 200

    async def test_streamed(self, door: Door) -> None:
        """A sender that does not say how much comes is stopped at the limit, not after it has sent everything."""
        host, port = door.url.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"POST /webhooks/mime HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        sent = 0
        try:
            while sent < 100 * LIMIT and not reader.at_eof():
                writer.write(b"2000\r\n" + bytes(0x2000) + b"\r\n")
                await writer.drain()
                sent += 0x2000
                await asyncio.sleep(0)
        except ConnectionError:
            pass
        answer = await reader.read(12) if not reader.exception() else b"HTTP/1.1 413"
        writer.transport.abort()

        assert answer == b"HTTP/1.1 413"
        assert sent < 100 * LIMIT

    async def test_stub(self, door: Door) -> None:
        """Postmark would try a large mail for hours and then drop it: it gets 2xx, and a mail about it is the case."""
        fields = {"FromName": "Ada", "Subject": "holiday photos", "TextBody": "x" * 4 * LIMIT}
        answer = await door.postmark(fields)
        again = await door.postmark(fields)

        assert answer.status_code == 200
        assert again.json() == answer.json()
        (received,) = door.stored
        assert received.source == "webhook:postmark:oversize"
        assert len(received.raw) < 50_000
        assert "holiday photos" in texts_of(message_from_bytes(received.raw))

    async def test_no_stub_for_strangers(self, door: Door) -> None:
        """Who does not know the password leaves nothing behind."""
        answer = await door.postmark({"TextBody": "x" * 4 * LIMIT}, ("postmark", "wrong"))

        assert answer.status_code == 413
        assert door.stored == []

    async def test_large_mail_in_a_small_enough_request(self, door: Door) -> None:
        """The mail itself is measured, too: a request may be larger than its mail, not the other way round."""
        answer = await door.postmark({"MessageID": "m-1", "RawEmail": MAIL.decode() + "x" * LIMIT})

        assert answer.status_code == 200
        assert [(received.source, received.source_id) for received in door.stored] == [
            ("webhook:postmark:oversize", "m-1")
        ]
        assert "Subject: It is down" in texts_of(message_from_bytes(door.stored[0].raw))

    async def test_large_body_in_a_thread(self) -> None:
        """A body of some megabytes is verified and read aside, with the same result."""
        body = MAIL + b"x" * 2_000_000
        door = Door("http://door.example", HandClock(), MemoryStore())
        transport = httpx2.ASGITransport(door.application(BOTH, limit=10_000_000))
        async with httpx2.AsyncClient(transport=transport, base_url=door.url) as client:
            answer = await client.post("/webhooks/mime", content=body, headers=door.signed(body))

        assert answer.status_code == 200
        assert [received.raw for received in door.stored] == [body]


class TestHealth:
    """What a supervisor asks."""

    async def test_live_and_ready(self, door: Door) -> None:
        """Both well."""
        async with httpx2.AsyncClient(base_url=door.url) as client:
            assert (await client.get("/health/live")).status_code == 200
            ready = await client.get("/health/ready")

        assert ready.status_code == 200
        assert ready.json() == {"ready": True, "parts": {"database": True}}

    async def test_part_missing(self, door: Door) -> None:
        """503 names the part; the process lives all the same."""
        door.parts["database"] = False
        async with httpx2.AsyncClient(base_url=door.url) as client:
            ready = await client.get("/health/ready")

            assert ready.status_code == 503
            assert ready.json() == {"ready": False, "parts": {"database": False}}
            assert (await client.get("/health/live")).status_code == 200

    async def test_nobody_can_tell(self, door: Door) -> None:
        """Parts that cannot even be asked are not ready, and the answer tells no path."""
        door.nobody_can_tell = True
        async with httpx2.AsyncClient(base_url=door.url) as client:
            ready = await client.get("/health/ready")

        assert ready.status_code == 503
        assert ready.json() == {"ready": False, "parts": {"answer": False}}

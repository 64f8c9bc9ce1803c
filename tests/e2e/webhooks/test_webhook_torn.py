"""Connections that break anywhere: half a request leaves nothing, a whole one whose answer is lost leaves one case."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.conftest import PATIENCE
from tests.database import migrated
from tests.e2e.webhooks.webhook_door import LOGIN, MAIL, SECRET, Door, sql_door
from webhooks.providers.postmark import Postmark
from webhooks.providers.raw_mime import RawMime
from webhooks.signatures import SigningKeys

KEYS = SigningKeys.read([SECRET], "X")


@pytest.fixture
async def door(tmp_path: Path) -> AsyncIterator[Door]:
    """The real store behind it."""
    async with sql_door(f"sqlite:///{migrated(tmp_path / 'triage.db')}", [RawMime([SECRET]), Postmark(*LOGIN)]) as door:
        yield door


def request(door: Door, *, chunked: bool = False) -> bytes:
    """A signed mail as it goes over the wire."""
    signed = "".join(f"{name}: {value}\r\n" for name, value in KEYS.sign("m1", door.clock.now(), MAIL).items())
    half = len(MAIL) // 2
    pieces = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in (MAIL[:half], MAIL[half:], b""))
    length = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {len(MAIL)}"
    head = f"POST /webhooks/mime HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{length}\r\n{signed}\r\n"
    return head.encode() + (pieces if chunked else MAIL)


async def connected(door: Door) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A new connection."""
    host, port = door.url.removeprefix("http://").split(":")
    return await asyncio.open_connection(host, int(port))


async def torn(door: Door, sent: bytes) -> None:
    """So much of a request, then a reset."""
    _, writer = await connected(door)
    writer.write(sent)
    await writer.drain()
    await asyncio.sleep(0.001)
    writer.transport.abort()


async def count(door: Door) -> int:
    """Cases."""
    return sum((await door.store.archive.counts()).values())


@pytest.mark.parametrize("chunked", [False, True], ids=["length", "chunked"])
async def test_torn_at_any_byte(door: Door, chunked: bool) -> None:  # noqa: FBT001 - a column of the table
    """Whatever byte a request breaks off behind, nothing is kept; the whole of it is one case."""
    whole = request(door, chunked=chunked)
    for cut in (*range(0, len(whole) - 8, 5), *range(len(whole) - 8, len(whole) - 1)):
        await torn(door, whole[:cut])
    await asyncio.sleep(0.2)
    before = await count(door)
    reader, writer = await connected(door)
    writer.write(whole)
    answer = await reader.read()
    writer.close()

    assert (before, answer.split(b"\r\n")[0]) == (0, b"HTTP/1.1 200 OK")
    assert (await count(door), await door.store.archive.raw("case-1")) == (1, MAIL)


async def test_in_two_pieces(door: Door) -> None:
    """However the network cuts a request up, it is the same mail."""
    whole = request(door)
    for cut in range(1, len(whole), 23):
        reader, writer = await connected(door)
        writer.write(whole[:cut])
        await writer.drain()
        await asyncio.sleep(0.001)
        writer.write(whole[cut:])
        answer = await reader.read()
        writer.close()
        assert b'"cases":["case-1"]' in answer, cut

    assert (await count(door), await door.store.archive.raw("case-1")) == (1, MAIL)


async def test_answer_that_nobody_hears(door: Door) -> None:
    """Who hangs up before the answer may have been taken or not; tried again it is one case."""
    whole = request(door)
    for _ in range(20):
        await torn(door, whole)
    reader, writer = await connected(door)
    writer.write(whole)
    answer = await reader.read()
    writer.close()

    assert b'"cases":["case-1"]' in answer
    assert await count(door) == 1


@pytest.mark.parametrize(
    "more", [b"Content-Length: 5\r\n", b"Content-Length: +99\r\n", b"Transfer-Encoding: chunked\r\n"]
)
async def test_two_lengths(door: Door, more: bytes) -> None:
    """A request of two lengths is nobody's mail: one of two servers in a row might take its rest for another request."""
    whole = request(door).replace(b"Host: x\r\n", b"Host: x\r\n" + more)
    reader, writer = await connected(door)
    writer.write(whole)
    writer.write_eof()
    answer = await asyncio.wait_for(reader.read(), PATIENCE)
    writer.close()

    assert answer.startswith(b"HTTP/1.1 400")
    assert await count(door) == 0

"""Webhooks over real HTTP on loopback: where they go, and where not."""

import asyncio
import ipaddress
from collections.abc import AsyncIterator

import pytest

from integrations.webhooks_out.post import HttpWebhooks
from triage.domain.operations.errors import WebhookFailed
from triage.policy.operations.webhooks import reachable


class Receiver:
    """A server that notes requests and gives the answer of a test."""

    def __init__(self) -> None:
        self.answer = b"HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n"
        self.heard: list[bytes] = []
        self.port = 0

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request."""
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(next(line[15:] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")))
        self.heard.append(head + await reader.readexactly(length))
        writer.write(self.answer)
        await writer.drain()
        writer.close()


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    """It listens on loopback."""
    receiver = Receiver()
    server = await asyncio.start_server(receiver.take, "127.0.0.1", 0)
    receiver.port = server.sockets[0].getsockname()[1]
    yield receiver
    server.close()


@pytest.fixture
async def post() -> AsyncIterator[HttpWebhooks]:
    """It may tell `localhost` alone of all that is private."""
    post = HttpWebhooks(["localhost"], reachable)
    yield post
    await post.close()


async def test_sent_as_it_is(post: HttpWebhooks, receiver: Receiver) -> None:
    """Body and headers arrive under the name that was asked, from a host that an admin has named."""
    status = await post.post(f"http://localhost:{receiver.port}/a?b=c", {"webhook-id": "msg_1"}, b'{"a": 1}')

    assert status == 204
    assert receiver.heard[0].startswith(b"POST /a?b=c HTTP/1.1\r\n")
    assert f"host: localhost:{receiver.port}".encode() in receiver.heard[0].lower()
    assert b"webhook-id: msg_1" in receiver.heard[0].lower()
    assert receiver.heard[0].endswith(b'{"a": 1}')


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "0", "169.254.169.254", "2130706433", "0x7f.1", "127.1"])
async def test_private_addresses_hear_nothing(post: HttpWebhooks, receiver: Receiver, host: str) -> None:
    """Loopback, private networks and metadata services are refused by their address, however it is written."""
    with pytest.raises(WebhookFailed):
        await post.post(f"http://{host}:{receiver.port}/", {}, b"{}")

    assert receiver.heard == []


async def test_redirects_lead_nowhere(post: HttpWebhooks, receiver: Receiver) -> None:
    """A redirect is an answer like another: nobody is led to a place that was not checked."""
    receiver.answer = b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n"

    assert await post.post(f"http://localhost:{receiver.port}/", {}, b"{}") == 302
    assert len(receiver.heard) == 1


async def test_trouble_is_one_error(post: HttpWebhooks, receiver: Receiver) -> None:
    """Nobody listens, nonsense, an unknown name: the delivery failed, whatever the library calls it."""
    receiver.answer = b"nonsense\r\n\r\n"
    for url in (f"http://localhost:{receiver.port}/", "http://localhost:1/", "http://nowhere.invalid/"):
        with pytest.raises(WebhookFailed):
            await post.post(url, {}, b"{}")


async def test_all_addresses_of_a_name_count(receiver: Receiver) -> None:
    """A name with one private address is refused, whichever would be taken."""
    seen: list[str] = []

    def nothing(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
        seen.append(str(address))
        return False

    post = HttpWebhooks([], nothing)
    with pytest.raises(WebhookFailed, match="WEBHOOK_HOSTS"):
        await post.post(f"http://localhost:{receiver.port}/", {}, b"{}")
    await post.close()

    assert seen
    assert receiver.heard == []

"""The load of the bench: `python -m tests.bench.programs.accept_load PORT MAILS CONNECTIONS`; says rate, p50 and p99 in ms."""

import asyncio
import os
import sys
from datetime import UTC, datetime
from functools import partial
from statistics import quantiles
from time import perf_counter

from webhooks.signatures import SigningKeys

SECRET = "a-key-of-the-bench-that-is-long-enough"
SIZE = 20_000


def request(number: int, keys: SigningKeys) -> bytes:
    """A signed mail of its own, that nothing can compress."""
    body = b"From: ada@example.com\r\nSubject: %d\r\n\r\n" % number + os.urandom(SIZE)
    headers = keys.sign(f"bench-{os.getpid()}-{number}", datetime.now(UTC), body)
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"POST /webhooks/mime HTTP/1.1\r\nhost: x\r\n{lines}content-length: {len(body)}\r\n\r\n".encode() + body


class Caller(asyncio.Protocol):
    """One connection that sends one request after the other."""

    def __init__(self, requests: list[bytes], took: list[float], done: asyncio.Future[None]) -> None:
        self.requests, self.took, self.done = requests, took, done
        self.answer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The first one."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.next()

    def next(self) -> None:
        """The next one, or the end."""
        if not self.requests:
            self.transport.close()
            self.done.set_result(None)
            return
        self.began = perf_counter()
        self.transport.write(self.requests.pop())

    def connection_lost(self, exc: Exception | None) -> None:
        """A server that goes is the end of the bench."""
        if not self.done.done():
            self.done.set_exception(exc or ConnectionError("the server went"))

    def data_received(self, data: bytes) -> None:
        """A piece of an answer."""
        self.answer += data
        head, end, body = self.answer.partition(b"\r\n\r\n")
        if not end or len(body) < int(head.lower().partition(b"content-length: ")[2].split()[0]):
            return
        if not head.startswith(b"HTTP/1.1 200"):
            self.done.set_exception(RuntimeError(repr(self.answer)))
            return
        self.answer = b""
        self.took.append((perf_counter() - self.began) * 1000)
        self.next()


async def main(port: int, mails: int, connections: int) -> None:
    """All of them."""
    keys = SigningKeys.read([SECRET], "X")
    requests = [request(number, keys) for number in range(mails)]
    took: list[float] = []
    loop = asyncio.get_running_loop()
    dones = [loop.create_future() for _ in range(connections)]
    began = perf_counter()
    for done in dones:
        await loop.create_connection(partial(Caller, requests, took, done), "127.0.0.1", port)
    await asyncio.gather(*dones)
    cuts = quantiles(took, n=100)
    print(len(took) / (perf_counter() - began), cuts[49], cuts[98])


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:])))

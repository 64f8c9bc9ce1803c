"""A private Redis on loopback, without persistence, that can be killed and brought back on the same port."""

import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import RedisError

from tests.conftest import PATIENCE
from tests.servers import find_server, free_port


class RedisServer:
    """One `redis-server` process; what it held is gone after `kill`, as with its default settings."""

    def __init__(self, binary: str, folder: Path) -> None:
        self._binary = binary
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Back when it answers."""
        settings = {"port": str(self.port), "bind": "127.0.0.1", "save": "", "appendonly": "no"}
        arguments = [word for name, value in settings.items() for word in (f"--{name}", value)]
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen([self._binary, *arguments], cwd=self._folder, stdout=quiet, stderr=quiet)
        deadline = time.monotonic() + PATIENCE
        while not self._answers():
            if time.monotonic() > deadline or self._process.poll() is not None:
                raise RuntimeError(f"redis-server did not start on port {self.port}")
            time.sleep(0.005)

    def kill(self) -> None:
        """SIGKILL: no goodbye, nothing saved."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def freeze(self) -> None:
        """SIGSTOP: it takes connections and says nothing; `kill` ends it all the same."""
        if self._process is not None:
            self._process.send_signal(signal.SIGSTOP)

    def keys(self) -> dict[str, bytes]:
        """Everything it holds, by key, as bytes that can be searched."""
        with Redis.from_url(self.url) as redis:
            return {key.decode(): repr(_value(redis, key)).encode() for key in redis.scan_iter()}

    def write(self, change: Callable[[Redis], object]) -> None:
        """Whatever somebody else may do to it."""
        with Redis.from_url(self.url) as redis:
            change(redis)

    def _answers(self) -> bool:
        try:
            with Redis.from_url(self.url) as redis:
                return bool(redis.ping())
        except RedisError:
            return False


def _value(redis: Redis, key: bytes) -> object:
    """A string or a sorted set, the two that arq uses."""
    return redis.zrange(key, 0, -1) if redis.type(key) == b"zset" else redis.get(key)


@pytest.fixture
def redis_server(tmp_path: Path) -> Iterator[RedisServer]:
    """A running, empty Redis."""
    server = RedisServer(find_server("redis-server", "redis-server"), tmp_path)
    server.start()
    yield server
    server.kill()

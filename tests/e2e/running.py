"""A `triage` process that runs until it is told to stop: its address, its end, its exit code."""

import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.conftest import PATIENCE
from tests.e2e.installation import Installation
from tests.e2e.launcher import launcher


class Running:
    """One process of an installation; what it says goes to a file beside the database."""

    def __init__(self, installation: Installation, *words: str, **more: str) -> None:
        self._said = installation.folder / f"{words[0]}-{time.monotonic_ns()}.log"
        with self._said.open("wb") as log, Path(os.devnull).open("rb") as nothing:
            files = (nothing.fileno(), log.fileno(), log.fileno())
            self.process = launcher().start(words, installation.environment(**more), installation.folder, *files)

    @property
    def said(self) -> str:
        """All so far."""
        return Path(self._said).read_text(encoding="utf-8")

    @property
    def url(self) -> str:
        """Where `triage serve` listens, as soon as it says so."""
        found = until(lambda: re.search(r"listening on (http://\S+):", self.said), self)
        return str(found.group(1))

    def ended(self, sign: signal.Signals = signal.SIGTERM, seconds: float = PATIENCE) -> int:
        """Its exit code after this signal."""
        self.process.send_signal(sign)
        return self.process.wait(seconds)


@contextmanager
def running(installation: Installation, *words: str, **more: str) -> Iterator[Running]:
    """The process, gone afterwards in any case."""
    started = Running(installation, *words, **more)
    try:
        yield started
    finally:
        with suppress(ProcessLookupError):
            started.process.kill()
        started.process.wait()


def until(look: Callable[[], Any], *watched: Running, seconds: float = PATIENCE) -> Any:
    """What it gives as soon as that is something; a watched process that ends before is told with its last words."""
    deadline = time.monotonic() + seconds
    while not (found := look()):
        dead = [one.said for one in watched if one.process.poll() is not None]
        assert not dead, dead
        assert time.monotonic() < deadline, [one.said for one in watched] or "waited in vain"
        time.sleep(0.05)
    return found

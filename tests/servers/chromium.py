"""A real browser without a window, steered over a pair of pipes: what a person would see and click."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import PATIENCE
from tests.servers import find_browser

_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_MOVE_PIPES = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(end), fcntl.F_DUPFD, 10) for end in sys.argv[1:3]]
os.dup2(ends[0], 3), os.dup2(ends[1], 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Chromium wants its pipes at 3 and 4, where this process may have something else."""


class Browser:
    """One page of one browser. Chromium reads commands from descriptor 3 and writes answers to 4."""

    def __init__(self, binary: str, profile: Path) -> None:
        commands, self._commands = os.pipe()
        self._answers, answers = os.pipe()
        run = [sys.executable, "-c", _MOVE_PIPES, str(commands), str(answers)]
        flags = [*_FLAGS, "--remote-debugging-pipe", f"--user-data-dir={profile}", "about:blank"]
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(
            [*run, binary, *flags], pass_fds=(commands, answers), stdout=quiet, stderr=quiet
        )
        os.close(commands)
        os.close(answers)
        self._buffer = b""
        self._number = 0
        self.log: list[str] = []
        """What the page complained about."""
        target = next(t for t in self._call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        attached = self._call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self._session = str(attached["sessionId"])
        for domain in ("Page", "Runtime", "Log"):
            self._call(f"{domain}.enable")

    _session = ""

    def open(self, url: str) -> None:
        """Go there, and wait until the page stands."""
        self.log.clear()
        self._call("Page.navigate", url=url)
        self.wait_for(f"document.readyState === 'complete' && location.href.startsWith({json.dumps(url)})")

    def ask(self, script: str) -> Any:
        """What a JavaScript expression comes to."""
        answer = self._call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise AssertionError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def wait_for(self, script: str) -> None:
        """Until the expression is true."""
        until = time.monotonic() + PATIENCE
        while not self.ask(script):
            if time.monotonic() > until:
                raise AssertionError(f"still not true: {script}")
            time.sleep(0.02)

    def prefer(self, scheme: str) -> None:
        """Light or dark."""
        self._call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def close(self) -> None:
        """The browser goes, politely where it can."""
        self._session = ""
        self._call("Browser.close")
        os.close(self._commands)
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._answers)

    def _call(self, method: str, **params: Any) -> Any:
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return answer["result"]
            self._note(answer)

    def _next(self) -> Any:
        while b"\0" not in self._buffer:
            part = os.read(self._answers, 1 << 16)
            if not part:
                raise AssertionError(f"chromium went away with {self._process.poll()}")
            self._buffer += part
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def _note(self, event: Any) -> None:
        if event.get("method") == "Log.entryAdded":
            self.log.append(str(event["params"]["entry"]["text"]))
        if event.get("method") == "Runtime.exceptionThrown":
            self.log.append(str(event["params"]["exceptionDetails"]))


@pytest.fixture(scope="session")
def _chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    browser = Browser(find_browser(), tmp_path_factory.mktemp("chromium"))
    yield browser
    browser.close()


@pytest.fixture
def browser(_chromium: Browser) -> Iterator[Browser]:
    """The browser, on an empty page before and after."""
    _chromium.open("about:blank")
    yield _chromium
    _chromium.open("about:blank")

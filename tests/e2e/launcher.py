"""Starts `triage` as a real process, by a fork of one that has its imports behind it."""

import atexit
import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile, gettempdir
from typing import IO, Final

from tests.conftest import PATIENCE, ROOT

RUN: Final = "PYTEST_XDIST_TESTRUNUID"
"""Names the test run in each of its processes."""


class Launched:
    """A running `triage`, with the methods of `subprocess.Popen` that journeys use."""

    def __init__(self, pid: int, told: IO[bytes]) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._told = told
        self._over = threading.Event()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        with self._told:
            end = self._told.readline()
        self.returncode = int(end) if end else -signal.SIGKILL  # the zygote died with it
        self._over.set()

    def poll(self) -> int | None:
        """The exit code, None while it runs."""
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """The exit code. Raises `subprocess.TimeoutExpired`."""
        if not self._over.wait(timeout) or self.returncode is None:
            raise subprocess.TimeoutExpired("triage", timeout or 0)
        return self.returncode

    def send_signal(self, sign: signal.Signals) -> None:
        """Nothing where it has ended already."""
        if self.returncode is None:
            os.kill(self.pid, sign)

    def terminate(self) -> None:
        """As `systemctl stop` does."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """As the kernel does."""
        self.send_signal(signal.SIGKILL)


class Launcher:
    """The test's end of the line to the zygote, which all processes of a test run share: whoever comes first starts it."""

    def __init__(self) -> None:
        run = os.environ.get(RUN)
        place = f"{gettempdir()}/triage-zygote-{run or os.getpid()}"
        self._line, self._lock = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET), threading.Lock()
        self._zygote: subprocess.Popen[bytes] | None = None
        with (ROOT / "tests" / "e2e" / "zygote.py").open() as one_at_a_time:
            fcntl.flock(one_at_a_time, fcntl.LOCK_EX)
            try:
                self._line.connect(place)
            except (FileNotFoundError, ConnectionRefusedError):
                self._zygote = zygote(place, "tests.e2e.zygote")
                self._line.connect(place)
        self._alone = not run

    def start(
        self, words: Sequence[str], env: Mapping[str, str], folder: Path, stdin: int, stdout: int, stderr: int
    ) -> Launched:
        """A new process of these words, which writes to these descriptors."""
        environment = {"SSL_CERT_FILE": os.environ["SSL_CERT_FILE"], **env}
        request = json.dumps({"words": words, "environment": environment, "folder": str(folder)})
        read, write = os.pipe()
        try:
            with self._lock:
                socket.send_fds(self._line, [request.encode()], [stdin, stdout, stderr, write])
        finally:
            os.close(write)
        told = os.fdopen(read, "rb")
        return Launched(int(told.readline()), told)

    def close(self) -> None:
        """It goes when nobody can ask any more."""
        self._line.close()
        if self._zygote and self._alone:
            self._zygote.wait(20)


def zygote(place: str, module: str) -> "subprocess.Popen[bytes]":
    """Start this one; whoever connects to its place before it listens is heard later."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as door:
        door.bind(place)
        door.listen()
        return subprocess.Popen(
            [sys.executable, "-m", module, str(door.fileno())],
            cwd=ROOT,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), RUN: os.environ.get(RUN, "")},
            pass_fds=[door.fileno()],
        )


@cache
def launcher() -> Launcher:
    """The one of this test process, started when it is first needed."""
    started = Launcher()
    atexit.register(started.close)
    return started


def run(
    words: Sequence[str], env: Mapping[str, str], folder: Path, stdin: bytes = b"", timeout: float = PATIENCE
) -> "subprocess.CompletedProcess[bytes]":
    """The command brought to its end, with what it said."""
    with TemporaryFile() as given, TemporaryFile() as said, TemporaryFile() as complained:
        given.write(stdin)
        given.seek(0)
        started = launcher().start(words, env, folder, given.fileno(), said.fileno(), complained.fileno())
        try:
            code = started.wait(timeout)
        except subprocess.TimeoutExpired:
            started.kill()
            raise
        texts = []
        for file in (said, complained):
            file.seek(0)
            texts.append(file.read())
    return subprocess.CompletedProcess(["triage", *words], code, *texts)

"""A process that has imported Triage once and forks a `triage` for each request: imports cost a second of CPU each time.

What it forks is a process of its own, with its own environment, folder and files, that may be stopped or killed like
any other; `launcher.py` asks for it, and a test there holds it against `python -m cli`.
"""

import array
import asyncio
import atexit
import gc
import importlib
import json
import logging
import os
import pkgutil
import runpy
import selectors
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from loguru import logger

from tests.e2e import readers

OWN_START = ("__main__", ".child", "triage_sandbox", "integrations.sql.migrations")
"""What does something when it is imported, or is not imported by commands."""
LATE = (
    *("alembic.autogenerate.api", "alembic.command", "mako.template"),
    *("openai", "rapidfuzz.fuzz", "rich.progress"),
)
"""What commands import when they need it."""


def preload() -> None:
    """Import all that any command imports, and keep it out of the collector's way.

    A forked process would else copy all these objects, when it collects and once more when it ends: 0.4 s of CPU.
    """
    for room in ("triage", "integrations", "webhooks", "web", "cli"):
        for module in pkgutil.walk_packages(importlib.import_module(room).__path__, f"{room}."):
            if not any(part in f"{module.name}" for part in OWN_START):
                importlib.import_module(module.name)
    for name in ("cli.__main__", *LATE):
        importlib.import_module(name)
    read_all()
    asyncio.run(serve_once())
    log_as_at_the_start()
    set_aside()


def set_aside() -> None:
    """Keep all that there is out of the collector's way."""
    gc.collect()
    gc.freeze()


def read_all() -> None:
    """Read the demo's mails as an agent's draft is made: the patterns of words and the models that the first one needs take a second."""
    from integrations.mime.message import message_of
    from triage.policy.decision.disposition.text_classes import text_classes
    from triage.policy.decision.playbook import RuleInput
    from triage.policy.text.cues import cues_of
    from triage.policy.ticket.text.draft import due_in, ticket_text, words_of
    from triage_sandbox.company import mails

    for letter in mails():
        mail = message_of(letter.raw)
        ticket_text(RuleInput(subject=mail.subject, sender=f"{mail.sender}", text=words_of(mail)))
        due_in(mail, mail.date or datetime.now(UTC))
        cues_of(mail)
        text_classes(mail)


async def serve_once() -> None:
    """Work on a mail and show a page: statements, schemas and templates are made when they are first used, 0.4 s in each process.

    The mail is compared with all tickets by meaning: the numbers of their texts took 0.6 s in each process that works on a mail.
    """
    from tests.e2e.opened import house, take
    from tests.e2e.web.api.api_door import api_door
    from tests.servers.sandbox import RunningJira
    from triage.config.settings import Settings
    from triage_sandbox.jira import jira_app
    from triage_sandbox.server import Served

    Settings.model_rebuild()
    app = jira_app(deployment="cloud")
    with TemporaryDirectory() as folder, Served(app) as served:
        jira = RunningJira(served, app)
        async with house(jira, Path(folder)) as opened:
            await opened.ticket_index_syncs[0].prepare()
            await take(opened)
        settings = {**jira.settings, "TRIAGE_CONFIG": os.devnull}
        async with api_door(f"sqlite:///{folder}/triage.db", settings=settings) as door:
            for page in ("/sign-in", "/api/v1/cases"):
                (await door.ask("GET", page)).raise_for_status()


def log_as_at_the_start() -> None:
    """A command that sets no log up is heard, as in a process that has just begun."""
    logger.remove()
    logger.add(sys.stderr)
    logging.basicConfig(handlers=[], level=logging.WARNING, force=True)


@dataclass(frozen=True)
class Request:
    """A command to run, or a module after `-m`: its words, environment and folder, its three files, and where its pid and end are told."""

    words: list[str]
    environment: dict[str, str]
    folder: str
    files: tuple[int, int, int]
    told: int


def received(asked: socket.socket) -> Request | None:
    """The next request; None when nobody will ask again."""
    message, ancillary, _, _ = asked.recvmsg(1 << 20, socket.CMSG_SPACE(4 * 4))
    if not message:
        return None
    descriptors = array.array("i")
    for _, _, data in ancillary:
        descriptors.frombytes(data)
    one, two, three, told = descriptors
    body: dict[str, Any] = json.loads(message)
    return Request(body["words"], body["environment"], body["folder"], (one, two, three), told)


def become(request: Request) -> None:
    """In the forked process: be a `triage` that somebody has just started."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(request.environment)
    named = request.environment.get("PYTHONPATH", "").split(os.pathsep)
    sys.path += [folder for folder in named if folder and folder not in sys.path]  # as a start of Python would
    os.chdir(request.folder)
    for number, descriptor in enumerate(request.files):
        os.dup2(descriptor, number)
    for descriptor in (*request.files, request.told):
        os.close(descriptor)
    encoding = request.environment.get("PYTHONIOENCODING", "utf-8")
    sys.stdout = open(1, "w", encoding=encoding, closefd=False)  # noqa: SIM115 - a descriptor, open to the end
    sys.stderr = open(2, "w", 1, encoding, "backslashreplace", closefd=False)  # noqa: SIM115 - as above
    sys.argv = ["triage", *request.words]
    sys.modules["__main__"].__package__ = None  # click calls the program by its first word, as for the script `triage`


def serve(door: socket.socket, *kept: socket.socket) -> Request | None:
    """Fork for each request and tell how each one ended. Returns in a forked process, or None when nobody can ask any more.

    What is kept is closed in a forked one.
    """
    noticed, notice = socket.socketpair()
    notice.setblocking(False)
    noticed.setblocking(False)
    signal.set_wakeup_fd(notice.fileno())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    running: dict[int, int] = {}
    with selectors.DefaultSelector() as ready:
        ready.register(door, selectors.EVENT_READ)
        ready.register(noticed, selectors.EVENT_READ)
        lines = {door.accept()[0]}
        while lines:
            for line in lines - {key.fileobj for key in ready.get_map().values()}:
                ready.register(line, selectors.EVENT_READ)
            sources = {key.fileobj for key, _ in ready.select()}
            if noticed in sources:
                noticed.recv(1000)
                reap(running)
            if door in sources:
                lines.add(door.accept()[0])
            for line in lines & sources:
                request = received(line)
                if request is None:
                    ready.unregister(line)
                    line.close()
                    lines.remove(line)
                elif forked(request, running):
                    for mine in (door, noticed, notice, *kept, *lines):
                        mine.close()
                    return request
            lines = lines or late(door)
    return None


def forked(request: Request, running: dict[int, int]) -> bool:
    """Whether this is the new process; in the old one its pid has been told."""
    pid = os.fork()
    if pid == 0:
        for told in running.values():
            os.close(told)
        return True
    with suppress(BrokenPipeError):
        os.write(request.told, f"{pid}\n".encode())
    running[pid] = request.told
    for descriptor in request.files:
        os.close(descriptor)
    return False


def late(door: socket.socket) -> set[socket.socket]:
    """Who came while the last one left: the door's name goes first, so nobody can come after that."""
    Path(door.getsockname()).unlink(missing_ok=True)
    door.setblocking(False)
    with suppress(BlockingIOError):
        return {door.accept()[0]}
    return set()


def reap(running: dict[int, int]) -> None:
    """Tell the end of those that have ended."""
    for pid in list(running):
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            told = running.pop(pid)
            with suppress(BrokenPipeError):
                os.write(told, f"{os.waitstatus_to_exitcode(status)}\n".encode())
            os.close(told)


@dataclass
class Ending:
    """The end of an interpreter up to where it frees its memory, which takes 0.1 s of CPU and nobody sees."""

    code: int = 0

    def register(self) -> None:
        """Called before anything else is registered, it is called last: threads have ended, all is closed."""
        atexit.register(self._end)

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Keep the code that the interpreter will end with."""
        try:
            yield
        except SystemExit as e:
            self.code = e.code if isinstance(e.code, int) else int(e.code is not None)
            raise
        except BaseException:
            self.code = 1
            raise

    def _end(self) -> None:
        with suppress(OSError, ValueError):
            sys.stderr.flush()
        try:
            sys.stdout.flush()
        except (OSError, ValueError):
            self.code = 120  # as Python's own end
        os._exit(self.code)


if __name__ == "__main__":
    ending = Ending()
    ending.register()
    door = socket.socket(fileno=int(sys.argv[1]))
    to_readers = readers.started(f"{door.getsockname()}-readers")
    preload()
    wanted = serve(door, to_readers)
    if wanted is None:
        Path(sys.executable).unlink()
    else:
        become(wanted)
        with ending.noted():
            if wanted.words[:1] == ["-m"]:
                sys.argv[1:] = wanted.words[2:]
                runpy.run_module(wanted.words[1], run_name="__main__", alter_sys=True)
            else:
                importlib.import_module("cli.__main__").main()

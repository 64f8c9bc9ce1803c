"""A reader behind glass for tests: one that leaves nothing behind, and a child whose parser has every hole."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import psutil  # type: ignore[import-untyped]  # it has no types

from integrations.parser_process.reader import IsolatedMailReader
from tests.conftest import PATIENCE, ROOT

LETTERS = sorted((ROOT / "tests" / "corpus").glob("*.eml"))

PLAIN = b"From: Ada <ada@example.com>\nSubject: hello\nMessage-ID: <1@example.com>\n\nThe lamp is broken.\n"

STRANGE = """
import os, resource, sys, time
from integrations.parser_process import child as child
from integrations.parser_process.wire import BRIEF, HEAD, READY, WHOLE
from triage.domain.mail import Message

def hurt(raw):
    # What a hole in a parser would be: the mail says what happens to its reader.
    for word, harm in HARMS.items():
        if word in raw:
            harm()
    return Message(subject="whole")

def spin():
    while True:
        pass

def eat():
    bytearray(10**12)  # at once: filling the memory bit by bit can meet the limit on processor time first

def babble():
    sys.stdout.buffer.write(HEAD.pack(b"M", 9) + b"not json!")
    sys.stdout.buffer.flush()
    time.sleep(60)

HARMS = {
    b"SPIN": spin,
    b"SLEEP": lambda: time.sleep(60),
    b"EAT": eat,
    b"EXIT": lambda: os._exit(7),
    b"DIE": lambda: os.kill(os.getpid(), 9),
    b"SHOUT": lambda: sys.stderr.write("x" * 200_000),
    b"RAISE": lambda: [][1],
    b"BABBLE": babble,
    b"HUGE": lambda: sys.stdout.buffer.write(HEAD.pack(b"M", 2**32 - 1)),
    b"FILE": lambda: open("/etc/hostname"),
    b"SOCKET": lambda: __import__("_socket").socket(),
}

def brief(raw):
    if b"ALWAYS" in raw:
        hurt(raw)
    return child.brief_of(raw)

child._READERS.update({WHOLE: hurt, BRIEF: brief})
child.CPU_SECONDS = 0
child.main()
"""
"""A child whose parser has every hole one can think of; limits and frames are the real ones."""


def holed() -> tuple[str, ...]:
    """The command of such a child."""
    return (sys.executable, "-S", "-P", "-c", STRANGE)


@asynccontextmanager
async def isolated_reader(
    children: int = 1, command: tuple[str, ...] | None = None, seconds: float = PATIENCE
) -> AsyncIterator[IsolatedMailReader]:
    """A reader that leaves nothing behind, which is checked.

    Its processes are our own children. What our other children start meanwhile is theirs: PostgreSQL its vacuum, for instance.
    """
    before = {process.pid for process in psutil.Process().children()}
    reader = IsolatedMailReader(children, command=command, seconds=seconds) if command else IsolatedMailReader(children)
    try:
        yield reader
    finally:
        await reader.close()
    left = [process for process in psutil.Process().children() if process.pid not in before]

    assert left == [], "processes are left behind"


def pids(reader: IsolatedMailReader) -> set[int]:
    """The children alive now."""
    return {child.process.pid for child in (*reader._idle, *reader._busy)}


async def until(true: Callable[[], bool]) -> None:
    """Wait a moment for something."""
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.01)

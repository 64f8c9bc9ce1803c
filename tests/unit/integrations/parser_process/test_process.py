"""The processes behind glass: killed, stopped, cancelled, closed, and never left behind."""

import asyncio
import os
import signal
import subprocess
import sys
import time

import psutil  # type: ignore[import-untyped]  # it has no types
import pytest
from loguru import logger

from integrations.mime.message import message_of
from integrations.parser_process.process import LONGEST
from tests.conftest import PATIENCE, ROOT
from tests.unit.integrations.parser_process.isolated import PLAIN, holed, isolated_reader, pids, until
from triage.domain.errors import ReaderDown


async def test_a_child_killed_in_the_middle_of_a_mail() -> None:
    """SIGKILL from outside, as by the kernel when memory is short, costs the mail some of its detail and no more."""
    async with isolated_reader(command=holed()) as reader:
        reading = asyncio.create_task(reader.read(PLAIN + b"SLEEP"))
        await until(lambda: bool(reader._busy))
        os.kill(pids(reader).pop(), 9)
        message = await reading

    assert (message.subject, message.flags) == ("hello", ("degraded:reader",))


async def test_a_child_killed_while_idle_costs_nothing() -> None:
    """A dead child is noticed before a mail is given to it."""
    async with isolated_reader() as reader:
        await reader.read(PLAIN)
        (pid,) = pids(reader)
        os.kill(pid, 9)
        await until(lambda: psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
        message = await reader.read(PLAIN)

    assert message_of(PLAIN) == message


def gone(pid: int) -> bool:
    """It has ended, whether or not somebody has taken note."""
    try:
        return bool(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


ORPHANING = """
import asyncio, os
from integrations.parser_process.reader import IsolatedMailReader

async def main():
    reader = IsolatedMailReader()
    await reader.read(b"From: a@b.example\\n\\nhi")
    print(reader._idle[0].process.pid, flush=True)
    os.kill(os.getpid(), 9)

asyncio.run(main())
"""


async def test_a_child_does_not_outlive_its_parent() -> None:
    """When the parent is killed without a word its children end by themselves."""
    died = subprocess.run(
        [sys.executable, "-c", ORPHANING], check=False, capture_output=True, cwd=ROOT, timeout=PATIENCE
    )

    assert died.returncode == -9
    await until(lambda: gone(int(died.stdout)))


async def test_a_stop_of_the_service_reaches_the_parent_alone() -> None:
    """Ctrl-C and SIGTERM go to every process of a service; the mail that is being read is finished first."""
    async with isolated_reader() as reader:
        await reader.read(PLAIN)
        (pid,) = before = pids(reader)
        for sign in (signal.SIGTERM, signal.SIGINT):
            os.kill(pid, sign)
        message = await reader.read(PLAIN)

        assert before == pids(reader)
    assert message_of(PLAIN) == message


async def test_a_cancelled_read_leaves_no_child_behind() -> None:
    """Who does not wait for the answer any more ends the child; the next mail does not get that answer."""
    async with isolated_reader(command=holed()) as reader:
        reading = asyncio.create_task(reader.read(PLAIN + b"SLEEP"))
        await until(lambda: bool(reader._busy))
        (pid,) = pids(reader)
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
        await until(lambda: not psutil.pid_exists(pid))

        assert (await reader.read(PLAIN)).subject == "whole"


async def test_cancelling_at_any_moment_is_safe() -> None:
    """Reads cancelled during start, writing and waiting leave neither processes nor places taken."""
    async with isolated_reader(2) as reader:
        for step in range(20):
            reading = asyncio.create_task(reader.read(PLAIN * 1000))
            await asyncio.sleep(step * 0.008)
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)

        assert [message_of(PLAIN)] * 4 == await asyncio.gather(*(reader.read(PLAIN) for _ in range(4)))


async def test_closing_ends_what_is_under_way() -> None:
    """The house does not wait for a hostile mail when it closes."""
    async with isolated_reader(command=holed()) as reader:
        reading = asyncio.create_task(reader.read(PLAIN + b"SLEEP"))
        await until(lambda: bool(reader._busy))
        await reader.close()
        (outcome,) = await asyncio.gather(reading, return_exceptions=True)

    assert isinstance(outcome, ReaderDown)


async def test_closing_while_the_first_child_starts() -> None:
    """A command that ends at once has nothing to wait for and leaves nothing."""
    async with isolated_reader() as reader:
        reader.warm()
        await asyncio.sleep(0.005)


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (("/nonexistent/python",), "cannot start: No such file or directory"),
        (
            (sys.executable, "-c", "import nothing_of_that_name"),
            "not ready: ended with code 1: ModuleNotFoundError: No module named 'nothing_of_that_name'",
        ),
        ((sys.executable, "-c", r"import sys; sys.stdout.buffer.write(b'M\0\0\0\0')"), "not ready: it speaks another"),
    ],
    ids=["missing", "ends", "babbles"],
)
async def test_without_children_the_queue_is_patient(command: tuple[str, ...], why: str) -> None:
    """A reader that cannot be started says nothing about the mail: it is tried again, then waits; no quarantine."""
    async with isolated_reader(command=command) as reader:
        began = time.perf_counter()
        with pytest.raises(ReaderDown) as caught:
            await reader.read(PLAIN)

        assert caught.value.detail.startswith(why)
        assert time.perf_counter() - began > 2


LOUD = r"""
import sys
sys.stderr.write("first\n" + "\x1b[31mno \u202epackage\x00 here " + "x" * 5000 + "\r\n \n")
sys.exit(3)
"""


async def test_a_child_that_cannot_start_says_why_in_one_line() -> None:
    """Its last line before it ends, without what commands a terminal, and not endless."""
    async with isolated_reader(command=(sys.executable, "-c", LOUD)) as reader:
        why = await reader.ready()

    told, _, last = why.partition(": ended with code 3: ")
    assert (told, last[:30], len(last)) == ("not ready", "[31mno package here xxxxxxxxxx", LONGEST)


async def test_nothing_a_child_says_over_a_mail_is_heard() -> None:
    """Standard error is for the time before the first mail: what is written to it later goes nowhere and stops nobody."""
    async with isolated_reader(command=holed()) as reader:
        message = await reader.read(PLAIN + b"SHOUT")

    assert (message.subject, message.flags) == ("whole", ())


async def test_a_reader_that_cannot_start_is_told_at_once() -> None:
    """The first try that fails is an error in the log, and no mail has to come for it."""
    said: list[str] = []
    sink = logger.add(said.append, level="ERROR", format="{message} {extra[why]}")
    async with isolated_reader(command=(sys.executable, "-c", "import nothing_of_that_name")) as reader:
        reader.warm()
        await until(lambda: bool(said))
    logger.remove(sink)

    assert [line.strip() for line in said] == [
        "reader.down not ready: ended with code 1: ModuleNotFoundError: No module named 'nothing_of_that_name'"
    ]

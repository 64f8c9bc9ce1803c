"""What a hostile mail does to its reader behind isolated_reader, it does to a process that holds nothing."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import psutil  # type: ignore[import-untyped]  # it has no types
import pytest

from integrations.mime.message import message_of
from tests.conftest import PATIENCE, ROOT
from tests.unit.integrations.parser_process.isolated import LETTERS, PLAIN, holed, isolated_reader, pids
from triage.domain.errors import MailUnreadable


@pytest.mark.heavy
async def test_bombs_do_not_reach_the_parent() -> None:
    """Every mail of the bomb table is read or read degraded; the parent stays small and answers meanwhile."""
    from tests.unit.integrations.mime.test_bombs import BOMBS

    own, beats = psutil.Process(), 0

    async def pulse() -> None:
        nonlocal beats
        while True:
            await asyncio.sleep(0.01)
            beats += 1

    async with isolated_reader(2) as reader:
        beat = asyncio.create_task(pulse())
        before = own.memory_info().rss
        bombs = [make() for make in BOMBS.values()]
        read = await asyncio.gather(*(reader.read(raw) for raw in bombs))
        grown = own.memory_info().rss - before
        beat.cancel()
        await asyncio.gather(beat, return_exceptions=True)

    assert [len(raw) for raw in bombs] == [message.size for message in read]
    assert [message.flags for message in read if "degraded:reader" in message.flags] == [], "a bomb ended its reader"
    assert grown < 2 * sum(map(len, bombs))  # they themselves are one of the two
    assert beats > 2 * len(bombs)  # reading in the parent would leave it one between two bombs


async def test_bombs_among_letters() -> None:
    """One bomb to twenty letters: every letter is read as if there were none, and none waits for its end."""
    from tests.unit.integrations.mime.test_bombs import BOMBS

    letters = [(letter.read_bytes(), message_of(letter.read_bytes())) for letter in LETTERS[:20]]
    overtaken: list[bool] = []

    async with isolated_reader(2) as reader:
        for make in list(BOMBS.values())[::8]:
            bomb = asyncio.create_task(reader.read(make()))
            await asyncio.sleep(0)
            ahead = 0
            for raw, expected in letters:
                assert expected == await reader.read(raw)
                ahead += not bomb.done()
            overtaken.append(ahead > 0)
            await bomb

    assert any(overtaken), "bombs hold up the letters"


async def test_a_mail_that_ends_its_reader_is_read_briefly() -> None:
    """Loops, memory, exits, nonsense and forbidden doors end one child; a fresh one reads head and first text."""
    async with isolated_reader(command=holed()) as reader:
        for harm in ("EXIT", "DIE", "RAISE", "EAT", "SPIN", "BABBLE", "HUGE", "FILE", "SOCKET"):
            message = await reader.read(PLAIN + harm.encode())

            assert (message.subject, message.sender and message.sender.address) == ("hello", "ada@example.com"), harm
            assert message.flags == ("degraded:reader",), harm
            assert message.text.startswith("The lamp is broken."), harm
            assert (await reader.read(PLAIN)).subject == "whole", harm


ENDS = {
    "EXIT": "ended with code 7",
    "DIE": "ended by SIGKILL",
    "RAISE": "IndexError in ",
    "BABBLE": "an answer that is no message",
}
"""How a child ends: each way once. Time, memory and files end it by a signal or an error, too."""


async def test_a_mail_that_ends_every_reader_is_unreadable() -> None:
    """When the brief reading ends its child too the error says how; the reader itself goes on."""
    async with isolated_reader(command=holed()) as reader:
        for harm, why in ENDS.items():
            with pytest.raises(MailUnreadable) as caught:
                await reader.read(PLAIN + b"ALWAYS " + harm.encode())

            assert caught.value.detail.startswith(why), harm
            assert (await reader.read(PLAIN)).subject == "whole", harm


async def test_a_child_that_may_open_no_file_guesses_a_charset() -> None:
    """Text of another alphabet without a charset is read by the child itself: all that it needs is loaded before."""
    words = "お世話になっております。今朝から注文システムに接続できません。"

    async with isolated_reader() as reader:
        message = await reader.read(b"From: a@b.example\n\n" + words.encode("euc_jp"))

    assert (message.reply, message.flags) == (words, ())


async def test_the_clock_of_the_wall_counts() -> None:
    """A reader that hangs without using the processor is ended by the parent."""
    async with isolated_reader(command=holed(), seconds=0.5) as reader:
        with pytest.raises(MailUnreadable, match=r"no answer within 0\.5 s"):
            await reader.read(b"SLEEP ALWAYS")


SECRET = "do-not-tell-anybody"


async def test_the_child_inherits_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """No variable of the parent, no descriptor but its socket and the void, none of the libraries that talk."""
    monkeypatch.setenv("JIRA_API_TOKEN", SECRET)
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    try:
        async with isolated_reader() as reader:
            await reader.read(PLAIN)
            (pid,) = pids(reader)
            environment = Path(f"/proc/{pid}/environ").read_bytes()
            doors = {path.name: path.readlink() for path in Path(f"/proc/{pid}/fd").iterdir()}
            mapped = Path(f"/proc/{pid}/maps").read_text()
            status = Path(f"/proc/{pid}/status").read_text()
            limits = Path(f"/proc/{pid}/limits").read_text()
    finally:
        os.close(reading)
        os.close(writing)

    assert {"PATH", "PYTHONPATH", "LANG"} == {
        line.partition("=")[0] for line in environment.decode().split("\0") if line
    }
    assert SECRET.encode() not in environment
    assert {"0", "1", "2"} == set(doors)
    assert Path("/dev/null") == doors["2"]
    assert "pydantic" not in mapped
    assert "sqlalchemy" not in mapped
    assert "NoNewPrivs:\t1" in status
    assert [line.split()[2] for line in limits.splitlines() if line.startswith("Max processes")] == ["0"]
    assert [line.split()[3] for line in limits.splitlines() if line.startswith("Max file size")] == ["0"]
    assert [line.split()[3] for line in limits.splitlines() if line.startswith("Max open files")] == ["3"]
    assert [str(512 * 1024 * 1024)] == [line.split()[3] for line in limits.splitlines() if "address space" in line]


def test_the_child_loads_only_what_reads_mail() -> None:
    """The process behind the glass knows neither Jira nor models nor databases, and starts quickly for it."""
    look = "import sys, integrations.parser_process.child; print(*{m.split('.')[0] for m in sys.modules})"
    told = subprocess.run(
        [sys.executable, "-c", look], check=True, capture_output=True, text=True, cwd=ROOT, timeout=PATIENCE
    )
    heavy = {
        "openai",
        "anthropic",
        "jira",
        "sqlalchemy",
        "fastapi",
        "pydantic",
        "httpx2",
        "redis",
        "arq",
        "loguru",
        "asyncio",
        "ssl",
    }

    assert set() == set(told.stdout.split()) & heavy

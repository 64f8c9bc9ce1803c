"""What the glass costs: processor time of parent and child per mail, a large mail, memory, and the start."""

import asyncio
import contextlib
import time
from pathlib import Path
from statistics import median, quantiles

import psutil  # type: ignore[import-untyped]  # it has no types
import pytest

from integrations.mime.message import message_of
from integrations.parser_process.reader import IsolatedMailReader
from triage.domain.errors import NotAMail

pytestmark = pytest.mark.bench

ORDINARY = 100_000
"""Bytes: larger ones are no ordinary mail."""
BAR_MS = 3.0
BAR_LARGE = (1.5, 200.0)
"""Seconds, and megabytes more than before in parent and child together."""
MB = 1024 * 1024


def burnt(pid: int) -> float:
    """Milliseconds on a processor, counted in nanoseconds by the scheduler."""
    return int(Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii").split()[0]) / 1e6


def peak(pid: int) -> float:
    """Megabytes at most so far."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))) / 1024


def large() -> bytes:
    """A mail of 25 MB, one attachment in it."""
    head = (
        b"From: ada@example.com\nSubject: the film\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nHere it is.\n"
    )
    film = b"--b\nContent-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n\n"
    return head + film + (b"QUJD" * 18 + b"\n") * (25_000_000 // 73) + b"--b--\n"


async def read(reader: IsolatedMailReader, raw: bytes) -> None:
    """Whatever it is."""
    with contextlib.suppress(NotAMail):
        await reader.read(raw)


async def test_ordinary_mails(shared_data: Path) -> None:
    """The median of real mails costs at most three milliseconds of processor, the way through the glass included."""
    paths = sorted(path for path in shared_data.glob("mail-*/files/**/*") if path.is_file())
    raws = [raw for path in paths if len(raw := path.read_bytes()) <= ORDINARY]
    reader = IsolatedMailReader()
    await reader.read(b"From: a@b.example\n\nwarm")
    both: list[float] = []
    parent: list[float] = []
    for raw in raws:
        if not reader._idle:  # the child made room for a new one
            await read(reader, b"From: a@b.example\n\nwarm")
        child = reader._idle[0].process.pid
        own, its = time.process_time(), burnt(child)
        await read(reader, raw)
        parent.append((time.process_time() - own) * 1000)
        alive = bool(reader._idle)
        both.append(parent[-1] + (burnt(child) - its if alive else 0.0))
    own = time.process_time()
    for raw in raws:
        with contextlib.suppress(NotAMail):
            message_of(raw)
    inside = (time.process_time() - own) * 1000 / len(raws)
    await reader.close()
    cuts = quantiles(both, n=100)
    print(
        f"\n{len(raws)} mails: median {median(both):.2f} ms of CPU (parent {median(parent):.2f}), mean "
        f"{sum(both) / len(both):.2f}, p95 {cuts[94]:.2f}, p99 {cuts[98]:.2f}; without glass {inside:.2f} on average"
    )

    assert median(both) <= BAR_MS


async def test_large_mail() -> None:
    """25 MB are through in a moment and take little more than themselves a few times."""
    raw = large()
    me = psutil.Process()
    reader = IsolatedMailReader()
    await reader.read(b"From: a@b.example\n\nwarm")
    child = reader._idle[0].process.pid
    before, small = me.memory_info().rss / MB, peak(child)
    most = [before, small]

    async def look() -> None:
        while True:
            most[0] = max(most[0], me.memory_info().rss / MB)
            most[1] = max(most[1], peak(child))
            await asyncio.sleep(0.005)

    looking = asyncio.create_task(look())
    began = time.perf_counter()
    message = await reader.read(raw)
    took = time.perf_counter() - began
    looking.cancel()
    await asyncio.gather(looking, return_exceptions=True)
    await reader.close()
    more = most[0] - before + most[1] - small
    print(
        f"\n{len(raw) / MB:.0f} MB: {took:.2f} s, {more:.0f} MB more "
        f"(parent {most[0] - before:.0f}, child {most[1] - small:.0f})"
    )

    assert message.size == len(raw)
    assert took <= BAR_LARGE[0]
    assert more <= BAR_LARGE[1]


async def test_start() -> None:
    """A child is ready soon and small; starting it keeps the event loop waiting for a blink only."""
    starts: list[float] = []
    stalls: list[float] = []
    sizes: list[float] = []

    async def pulse() -> None:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(0)
            stalls.append(time.perf_counter() - began)

    for _ in range(5):
        reader = IsolatedMailReader()
        beat = asyncio.create_task(pulse())
        began = time.perf_counter()
        await reader.read(b"From: a@b.example\n\nwarm")
        starts.append((time.perf_counter() - began) * 1000)
        beat.cancel()
        await asyncio.gather(beat, return_exceptions=True)
        sizes.append(psutil.Process(reader._idle[0].process.pid).memory_full_info().uss / MB)
        await reader.close()
    print(
        f"\nstart to first answer {median(starts):.0f} ms, longest stall of the loop {max(stalls) * 1000:.1f} ms, "
        f"a child's own memory {max(sizes):.0f} MB"
    )

    assert max(sizes) < 60


async def test_many_at_once() -> None:
    """Two children on two cores read more than one."""
    raw = b"From: ada@example.com\nSubject: x\n\n" + b"The lamp in the hall is broken again.\n" * 10
    rates = []
    for children in (1, 2):
        reader = IsolatedMailReader(children)
        await asyncio.gather(*(reader.read(raw) for _ in range(4)))
        began = time.perf_counter()
        await asyncio.gather(*(reader.read(raw) for _ in range(400)))
        rates.append(400 / (time.perf_counter() - began))
        await reader.close()
    print(f"\nShort mails: one child {rates[0]:.0f}/s, two children {rates[1]:.0f}/s")

    assert rates[1] > rates[0] * 0.8

"""How many mails a second the HTTP door takes in, each on the disk before its 200, beside doing nothing at all."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

import psutil  # type: ignore[import-untyped]  # it has no types
import pytest

pytestmark = pytest.mark.bench

ROOT = Path(__file__).parents[2]
MAILS = 3000
CONNECTIONS = 64
ROUNDS = 3
Figures = tuple[float, float, float, float]
"""Mails a second, median and p99 in ms, and the server's CPU time per mail in ms, which a busy machine does not blur."""


@contextmanager
def server(which: str, url: str) -> Iterator[tuple[str, int]]:
    """A server in a process of its own; its port and its number."""
    command = [sys.executable, "-m", "tests.bench.programs.accept_server", which, url]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdin
        assert process.stdout
        yield process.stdout.readline().strip(), process.pid
        process.stdin.close()
        process.wait(20)


def load(server: tuple[str, int], mails: int = MAILS) -> Figures:
    """What another process measures, and what the server used for it."""
    port, pid = server
    before = sum(psutil.Process(pid).cpu_times()[:2])
    command = [sys.executable, "-m", "tests.bench.programs.accept_load", port, str(mails), str(CONNECTIONS)]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=100)
    rate, p50, p99 = map(float, said.stdout.split())
    return rate, p50, p99, (sum(psutil.Process(pid).cpu_times()[:2]) - before) / mails * 1000


@pytest.mark.timeout(300)
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_accept(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """At least 0.30 of an endpoint that does nothing, three times one commit for each request, p99 below 60 ms."""
    url = f"sqlite:///{tmp_path}/b.db" if kind == "sqlite" else str(request.getfixturevalue("empty_postgres_url"))
    figures: dict[str, list[Figures]] = {"nothing": [], "plain": [], "triage": []}
    with ExitStack() as stack:
        ports = {which: stack.enter_context(server(which, url)) for which in figures}
        for port in ports.values():
            load(port, 200)
        for _ in range(ROUNDS):
            for which, port in ports.items():
                figures[which].append(load(port, MAILS // 3 if which == "plain" else MAILS))
    middle = {which: [median(column) for column in zip(*rows, strict=True)] for which, rows in figures.items()}
    print(f"\n{kind}: mails of 20 kB, {CONNECTIONS} connections    rate/s     p50     p99  CPU/mail in ms")
    for which, (rate, p50, p99, cpu) in middle.items():
        print(f"  {which:<44}{rate:8.0f}{p50:8.1f}{p99:8.1f}{cpu:10.2f}")
    ours = middle["triage"][0]
    shares = [a[0] / b[0] for a, b in zip(figures["triage"], figures["nothing"], strict=True)]
    times = [a[0] / b[0] for a, b in zip(figures["triage"], figures["plain"], strict=True)]
    print(f"  of nothing {median(shares):.2f}, times one commit each {median(times):.1f} ({ours:.0f}/s)")

    assert median(shares) >= 0.30
    assert median(times) >= 3
    assert middle["triage"][2] < 60

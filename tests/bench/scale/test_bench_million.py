"""What is slower with a million finished cases: the start, health, lists, the archive's look, and a mail on its way.

The cases are copies of real ones. `CASES=1000000` makes a million, in 45 GB; without it there are fewer, since disks differ.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import mean, median
from time import process_time
from typing import Final

import httpx2
import psutil  # type: ignore[import-untyped]  # it has no types
import pytest

from cli.mail.process import prepared
from cli.service.process import settle
from cli.wiring.app import open_app
from tests.bench.programs.multiplied import multiply
from tests.bench.test_bench_pipeline import EMAIL, accepted, jira_of_its_own, letters
from tests.conftest import ROOT
from triage.config.settings import Isolated, load
from triage_sandbox.jira import TOKEN

pytestmark = pytest.mark.bench

CASES: Final = int(os.environ.get("CASES", "100000"))
REAL: Final = 20
MAILS: Final = 25
"""Mails of a round."""
ROUNDS: Final = 3
ASKED: Final = 20
BARS: Final = {"serve listens": 3000, "triage cases": 700, "/health/ready": 10, "/api/v1/cases": 50}
"""Milliseconds of processor time that are wanted of a machine of its own: printed beside what was reached."""
DEARER: Final = 1.25
"""So much more each may cost than with few cases; 1.1 is wanted of a machine of its own."""
NOISE: Final = 10.0
"""Milliseconds; less is no difference."""


@pytest.mark.timeout(3600)
async def test_many_finished_cases(tmp_path: Path) -> None:
    """Start, health, lists and mails cost with all the finished cases what they cost with hardly any."""
    raws = letters(REAL + 2 * (ROUNDS + 1) * MAILS + 60)
    few, many = tmp_path / "few.db", tmp_path / "many.db"
    (tmp_path / "none.yaml").write_text("{}", encoding="utf-8")
    with jira_of_its_own(tmp_path) as (url, _):
        for file in (few, many):
            await worked(file, url, raws[:REAL])
        began = time.perf_counter()
        made = multiply(many, CASES)
        print(
            f"\n{made:,} cases, {many.stat().st_size / 1e9:.1f} GB, copied in {time.perf_counter() - began:.0f} s by the clock"
        )
        costs = {file.stem: asked(file, url) for file in (few, many)}
        place, spent = REAL, {few: list[float](), many: list[float]()}
        for turn in range(ROUNDS + 1):
            for file in (few, many):
                cost = await worked(file, url, raws[place : place + MAILS])
                place += MAILS
                spent[file] += [cost] if turn else []  # the first round warms up what a process keeps
    for what, most in costs["many"].items():
        print(
            f"  {what:<28}{costs['few'][what]:8.1f} ms with few cases, {most:8.1f} with many; the bar is {BARS.get(what, '-')}"
        )
    ratio = mean(spent[many]) / mean(spent[few])
    print(
        f"  {'a mail':<28}{mean(spent[few]):8.1f} ms with few cases, {mean(spent[many]):8.1f} with many: {ratio:.2f} x"
    )

    assert {what for what, ms in costs["many"].items() if ms > DEARER * costs["few"][what] + NOISE} == set()
    assert ratio <= DEARER


def given(file: Path, url: str) -> dict[str, str]:
    """The settings of an installation."""
    return {
        "DATABASE_URL": f"sqlite:///{file}",
        "TRIAGE_CONFIG": str(file.parent / "none.yaml"),
        "TICKET_INDEX_DIR": str(file.with_suffix(".index")),
        "LOG_LEVEL": "ERROR",
        "JIRA_BASE_URL": url,
        "JIRA_PROJECT_KEY": "HARB",
        "JIRA_EMAIL": EMAIL,
        "JIRA_API_TOKEN": TOKEN,
    }


async def worked(file: Path, url: str, raws: list[bytes]) -> float:
    """Let a worker handle the mails; return the milliseconds of processor time of each."""
    async with open_app(load(Isolated, **given(file, url))) as opened:
        await prepared(opened)
        settle()
        await accepted(opened, raws, f"bench-{time.monotonic_ns()}")
        before = process_time()
        await opened.worker.drain()
        return (process_time() - before) * 1000 / len(raws)


def asked(file: Path, url: str) -> dict[str, float]:
    """Milliseconds of processor time of what a person or a probe asks."""
    _, token = triage(file, url, "token", "create", "bench", "--scope", "viewer", "--json")
    listed, _ = triage(file, url, "cases")
    bearer = {"authorization": f"Bearer {httpx2.Response(200, text=token).json()['token']}"}
    with serving(file, url) as (process, address, started):
        found = {"serve listens": started, "triage cases": listed}
        for path in ("/health/ready", "/api/v1/cases", "/api/v1/cases?state=waiting"):
            found[path] = _each(process, f"{address}{path}", bearer)
    return found


def _each(process: psutil.Process, url: str, headers: dict[str, str]) -> float:
    """The median of a request's processor time in the server, whose idle worker takes its part of it."""
    taken: list[float] = []
    for _ in range(ASKED):
        before = sum(process.cpu_times()[:2])
        for _ in range(5):
            assert httpx2.get(url, headers=headers, timeout=60).status_code == 200
        taken.append((sum(process.cpu_times()[:2]) - before) * 1000 / 5)
    return median(taken)


def triage(file: Path, url: str, *words: str) -> tuple[float, str]:
    """Run a command; return its milliseconds of processor time and what it says."""
    began = psutil.Process().cpu_times()
    done = subprocess.run(
        [sys.executable, "-m", "cli", *words],
        env=_environment(file, url),
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    ended = psutil.Process().cpu_times()
    children = ended.children_user + ended.children_system - began.children_user - began.children_system
    return children * 1000, done.stdout


@contextmanager
def serving(file: Path, url: str) -> Iterator[tuple[psutil.Process, str, float]]:
    """A running `triage serve`: its process, its address, and the processor time until it listened."""
    log = file.with_suffix(".log")
    environment = _environment(file, url) | {"PORT": "0", "LOG_LEVEL": "INFO"}
    command = [sys.executable, "-m", "cli", "serve", "--no-watch"]
    with log.open("wb") as out, subprocess.Popen(command, env=environment, cwd=ROOT, stdout=out, stderr=out) as process:
        try:
            watched = psutil.Process(process.pid)
            while "listening on " not in (said := log.read_text(encoding="utf-8")):
                assert process.poll() is None, said
                time.sleep(0.02)
            started = sum(watched.cpu_times()[:2]) * 1000
            yield watched, said.partition("listening on ")[2].split()[0].rstrip(":"), started
        finally:
            process.terminate()
            process.wait(30)


def _environment(file: Path, url: str) -> dict[str, str]:
    return {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ} | given(file, url)

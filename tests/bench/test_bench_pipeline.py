"""What a mail costs on its whole way without a model: mails a second, processor time by process, step and tenth, database.

Beside it, in the same run, the straightforward way: read the mail, search, create, one row, by the packages as they come.
"""

import asyncio
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from email import message_from_bytes, policy
from itertools import islice, pairwise
from pathlib import Path
from sqlite3 import connect
from statistics import mean, median
from time import perf_counter, process_time
from typing import Any, Final

import psutil  # type: ignore[import-untyped]  # it has no types
import pytest
from jira import JIRA
from loguru import logger
from sqlalchemy import Connection, Engine, event

from cli.mail.process import prepared
from cli.service.process import settle
from cli.wiring.app import App, open_app
from tests.conftest import ROOT
from triage.config.settings import Isolated, load
from triage.domain.mail import Received
from triage.domain.tickets import TicketQuery
from triage.domain.untrusted import Untrusted
from triage.policy.ticket.search_words import search_words
from triage_sandbox.company import load_project
from triage_sandbox.company.past import past
from triage_sandbox.jira import TOKEN

pytestmark = pytest.mark.bench

MAILS: Final = int(os.environ.get("BENCH_MAILS", "1000"))
SEEDED: Final = 800
"""Tickets that are there before: each search finds as many as it may give."""
BY_HAND: Final = 50
WARM: Final = 10
HANDS: Final = 4
AT_ONCE: Final = 1000
"""Mails that arrive at the same time; a server refuses more than it can store at once."""
BAR: Final = 10.0
"""Mails a second that are wanted of a machine of its own with two processors: printed beside what was reached."""
DEAREST: Final = 16.0
"""So many times the processor time of the straightforward way a mail may cost."""
STEADY: Final = 1.25
"""So much more than a mail of the first tenths one of the last tenth may cost."""
FLAT: Final = 1.1
"""So much more memory a worker may hold at the end than after three tenths of many mails."""
WARMED_UP: Final = 2000
"""Mails, of which three tenths fill all that is kept of earlier mails."""
EMAIL: Final = "bot@harbourline.example"


@dataclass(frozen=True, slots=True)
class Spent:
    """What has been used up to a moment."""

    seconds: float
    ours: float
    """Processor seconds of the worker."""
    readers: float
    jira: float
    commits: int
    size: int
    """Bytes of the database."""
    memory: int
    """Bytes that the worker holds."""

    def since(self, before: "Spent") -> "Spent":
        """The difference."""
        return Spent(*(getattr(self, name) - getattr(before, name) for name in self.__slots__))


class Meter:
    """Looks at the clock, the processes and the database."""

    def __init__(self, database: Path, jira: int) -> None:
        self._database, self._jira = database, psutil.Process(jira)
        self._commits = 0
        self._readers = 0.0

    def committed(self, _connection: Connection) -> None:
        """One more."""
        self._commits += 1

    def now(self) -> Spent:
        """As of now; a child that has ended keeps what it has used."""
        children = psutil.Process().children(recursive=True)
        readers = sum(sum(child.cpu_times()[:2]) for child in children if child.pid != self._jira.pid)
        self._readers = max(self._readers, readers)
        files = (self._database, Path(f"{self._database}-wal"))
        size = sum(file.stat().st_size for file in files if file.exists())
        jira = sum(self._jira.cpu_times()[:2])
        memory = psutil.Process().memory_info().rss
        return Spent(perf_counter(), process_time(), self._readers, jira, self._commits, size, memory)


@contextmanager
def jira_of_its_own(folder: Path) -> Iterator[tuple[str, int]]:
    """A sandbox in another process: its address and its number."""
    command = [
        sys.executable,
        "-m",
        "tests.bench.programs.sandbox_server",
        "cloud",
        str(folder / "jira.db"),
        str(SEEDED),
    ]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}", process.pid
        process.stdin.close()
        process.wait(20)


def letters(count: int) -> list[bytes]:
    """Mails about the company's matters, each from somebody else, three kilobytes with what programs add."""
    told = past(11, load_project(), first=10_001, count=count + 40).tickets
    asides = "We tried it again this morning, with the same result, and a colleague sees it on another machine, too. "
    return [
        f"Received: from mx{n}.example by mail.harbourline.example; Fri, 20 Nov 2026 09:00:00 +0000\r\n"
        f"From: Clerk {n} <clerk{n}@customer{n}.example>\r\nTo: support@harbourline.example\r\n"
        f"Date: Fri, 20 Nov 2026 09:00:00 +0000\r\nMessage-ID: <{n}@customer{n}.example>\r\n"
        f"Subject: {ticket.summary}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"
        f"Hello,\r\n\r\n{ticket.description}\r\n\r\n{asides * 12}\r\n\r\nShipment {n * 7919}.\r\n".encode()
        for n, ticket in enumerate(islice((t for t in told if t.type != "Epic"), count))
    ]


def by_hand(url: str, folder: Path, raws: Sequence[bytes]) -> float:
    """Processor seconds of one mail the way it is usually written."""
    client: Any = JIRA(url, basic_auth=(EMAIL, TOKEN), max_retries=0)
    rows = connect(folder / "by_hand.db")
    rows.execute("CREATE TABLE mail (id TEXT PRIMARY KEY, raw BLOB, key TEXT)")
    before = process_time()
    for raw in raws:
        mail = message_from_bytes(raw, policy=policy.default)
        words = " ".join(search_words(Untrusted(str(mail["subject"]))))
        client.search_issues(f'project = HARB AND text ~ "{words}"', maxResults=50)
        text = str(mail.get_content())
        issue = client.create_issue(
            project="HARB", summary=mail["subject"], description=text, issuetype={"name": "Bug"}, labels=["by-hand"]
        )
        rows.execute("INSERT INTO mail VALUES (?, ?, ?)", (mail["message-id"], raw, issue.key))
        rows.commit()
    spent = (process_time() - before) / len(raws)
    rows.close()
    client.close()
    return spent


async def accepted(opened: App, raws: Sequence[bytes], source: str) -> None:
    """All of them wait."""
    now = opened.worker.clock.now()
    mails = [Received(source=source, source_id=str(n), raw=raw, at=now) for n, raw in enumerate(raws)]
    for begin in range(0, len(mails), AT_ONCE):
        await asyncio.gather(*map(opened.intake.accept, mails[begin : begin + AT_ONCE]))


async def hits(opened: App, raw: bytes) -> int:
    """How many tickets Jira finds for a mail now."""
    mail = message_from_bytes(raw, policy=policy.default)
    text = str(mail.get_content())
    words = search_words(Untrusted(f"{mail['subject']}\n{text}"))
    return len(await opened.tracker.tickets.search(TicketQuery(words=words)))


async def run(opened: App, meter: Meter, raws: Sequence[bytes]) -> list[Spent]:
    """Work the backlog off; a look at the meter before it and behind each tenth."""
    looks, done = [meter.now()], 0

    def one_more(_message: object) -> None:
        nonlocal done
        done += 1
        if done % (len(raws) // 10) == 0:
            looks.append(meter.now())

    sink = logger.add(one_more, level="INFO", filter=lambda record: record["message"] == "case.done")
    try:
        await opened.worker.drain()
    finally:
        logger.remove(sink)
    return looks


def steps_of(database: Path) -> dict[str, tuple[float, float]]:
    """Milliseconds by the clock of each step: median and the 95th of a hundred."""
    with connect(database) as rows:
        told = rows.execute("SELECT name, ms FROM steps ORDER BY id").fetchall()
    rows.close()
    times: dict[str, list[float]] = {}
    for name, ms in told:
        times.setdefault(name, []).append(ms)
    return {name: (median(ms), sorted(ms)[int(len(ms) * 0.95)]) for name, ms in times.items()}


@pytest.mark.timeout(1500)
async def test_pipeline(tmp_path: Path) -> None:
    """A mail costs at most so many times the straightforward way, and one of the last tenth what one of the first ones does."""
    raws = letters(MAILS + WARM + BY_HAND)
    database = tmp_path / "triage.db"
    given = {
        "DATABASE_URL": f"sqlite:///{database}",
        "TRIAGE_CONFIG": str(tmp_path / "none.yaml"),
        "LOG_LEVEL": "ERROR",
        "WORKERS": str(HANDS),
        "JIRA_PROJECT_KEY": "HARB",
        "JIRA_EMAIL": EMAIL,
        "JIRA_API_TOKEN": TOKEN,
        **dict.fromkeys(("THROTTLE_SENDER_PER_HOUR", "THROTTLE_STORM_PER_HOUR", "THROTTLE_THREAD_PER_HOUR"), "0"),
    }
    (tmp_path / "none.yaml").write_text("{}", encoding="utf-8")
    with jira_of_its_own(tmp_path) as (url, jira):
        straight = await asyncio.to_thread(by_hand, url, tmp_path, raws[:BY_HAND])
        meter = Meter(database, jira)
        event.listen(Engine, "commit", meter.committed)
        async with open_app(load(Isolated, JIRA_BASE_URL=url, **given)) as opened:
            await prepared(opened)  # a worker reads the tickets and indexes them before its first mail
            await accepted(opened, raws[BY_HAND : BY_HAND + WARM], "warm")
            await opened.worker.drain()
            found = [await hits(opened, raw) for raw in raws[-5:]]
            settle()
            await accepted(opened, raws[BY_HAND + WARM :], "bench")
            looks = await run(opened, meter, raws[BY_HAND + WARM :])
            found += [await hits(opened, raw) for raw in raws[-5:]]
            outcomes = Counter(line.state for line in await opened.store.archive.cases(limit=MAILS))
        event.remove(Engine, "commit", meter.committed)
    per = MAILS // 10
    tenths = [after.since(before) for before, after in pairwise(looks)]
    whole = looks[-1].since(looks[0])
    print(f"\n{MAILS} mails, {HANDS} hands, {min(found)} to {max(found)} hits each; {dict(outcomes)}")
    print("  tenth   mails/s   worker   readers   sandbox (ms of processor a mail)   commits   database kB")
    for place, one in enumerate([*tenths, whole], 1):
        mails = per if place <= len(tenths) else MAILS
        each = replace(
            one, **{name: getattr(one, name) / mails for name in ("ours", "readers", "jira", "commits", "size")}
        )
        name = str(place) if place <= len(tenths) else "all"
        print(
            f"  {name:>5}{mails / one.seconds:>10.1f}{each.ours * 1e3:>9.1f}{each.readers * 1e3:>10.1f}"
            f"{each.jira * 1e3:>10.1f}{each.commits:>42.1f}{each.size / 1e3:>14.1f}"
        )
    for name, (middle, high) in steps_of(database).items():
        print(f"  {name:<10} p50 {middle:6.1f} ms, p95 {high:6.1f} ms by the clock")
    early, late = looks[3].memory, looks[-1].memory
    print(f"  memory {early / 1e6:.0f} MB after three tenths, {late / 1e6:.0f} at the end: {late / early:.2f} x")
    ours = whole.ours / MAILS
    last, first = tenths[-1].ours, mean(one.ours for one in tenths[:3])
    print(
        f"  straightforward {straight * 1e3:.1f} ms of processor a mail, ours {ours * 1e3:.1f} = {ours / straight:.2f} x"
    )
    print(f"  last tenth / first three {last / first:.2f}; {MAILS / whole.seconds:.1f} mails/s, the bar is {BAR:g}")

    assert sum(outcomes.values()) == MAILS
    assert ours <= DEAREST * straight
    assert last <= STEADY * first
    assert late <= FLAT * early or MAILS < WARMED_UP

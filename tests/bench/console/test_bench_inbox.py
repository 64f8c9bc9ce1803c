"""The inbox over 100,000 cases beside one bare look at all of them; what its index costs a case; what 200 listeners cost."""

import asyncio
import random
import resource
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, process_time
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import Connection, insert, select, text
from sqlalchemy.ext.asyncio import create_async_engine

from integrations.sql.database.decision_tables import approvals
from integrations.sql.database.engine import address_of
from integrations.sql.database.rows import columns_of
from integrations.sql.database.schema import JobState, cases, jobs, mails
from integrations.sql.store import SqlStore, open_store
from integrations.system_clock import SystemClock
from tests.contract.store.store_samples import MESSAGE, full
from triage.domain.cases import Case, Outcome, StepDone
from triage.domain.mail import Address, Received
from triage.domain.operations.case_lists import Pulse
from triage.domain.untrusted import Untrusted
from triage.services.case_lists.inbox import InboxQuery, InboxService
from web.console.assets import Assets
from web.console.inbox.live import LiveInbox
from web.console.render import Render

pytestmark = pytest.mark.bench

MANY = 100_000
ROUNDS = 20
BAR = 6.0
"""Bare looks at all words that a page may take."""
LISTENERS = 200
SAVES = 300
LATEST = datetime(2026, 11, 20, 12, tzinfo=UTC)
OUTCOMES = [*[Outcome.TICKETED] * 5, *[Outcome.COMMENTED] * 2, *[Outcome.IGNORED] * 2, Outcome.UPDATED]
ASKED = {
    "needs you": InboxQuery(zone=ZoneInfo("UTC")),
    "all, by thread": InboxQuery(tab="all", zone=ZoneInfo("UTC")),
    "ticketed": InboxQuery(tab="ticketed", zone=ZoneInfo("UTC")),
    "snoozed": InboxQuery(tab="snoozed", zone=ZoneInfo("UTC")),
    "page 500": InboxQuery(tab="all", before="50000", zone=ZoneInfo("UTC")),
    "frequent word": InboxQuery(query="invoice", zone=ZoneInfo("UTC")),
    "rare word": InboxQuery(query="zyzzyva", zone=ZoneInfo("UTC")),
    "no such word": InboxQuery(query='"no such words"', zone=ZoneInfo("UTC")),
    "from:": InboxQuery(query="from:nobody99999", zone=ZoneInfo("UTC")),
    "subject:": InboxQuery(query="subject:zyzzyva", zone=ZoneInfo("UTC")),
    "ticket:": InboxQuery(query="ticket:HARB-99999", zone=ZoneInfo("UTC")),
    "state:": InboxQuery(query="state:waiting,dead", zone=ZoneInfo("UTC")),
    "why:": InboxQuery(query="why:zyzzyva", zone=ZoneInfo("UTC")),
    "since:": InboxQuery(query="since:2026-11-20 zyzzyva", zone=ZoneInfo("UTC")),
    "until:": InboxQuery(query="until:1999-01-01", zone=ZoneInfo("UTC")),
}
"""Every tab, and every field where it finds nothing: then all cases are looked at."""


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A new database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/bench.db"
    address: str = request.getfixturevalue("empty_postgres_url")
    return address


@pytest.fixture
async def store(url: str) -> AsyncIterator[SqlStore]:
    """The store in it."""
    store = await open_store(url, SystemClock())
    yield store
    await store.close()


def fill(connection: Connection) -> None:
    """A hundred thousand cases of a year: half of them in threads, some that wait, one rare word."""
    chance = random.Random(12)
    letters = "abcdefghiklmnoprstuvw"
    words = ["invoice", *("".join(chance.choices(letters, k=chance.randint(4, 9))) for _ in range(3000))]
    case = full(Case(id="case-1", source="bench", received_at=LATEST))
    for begin in range(1, MANY + 1, 5000):
        numbers = range(begin, begin + 5000)
        connection.execute(insert(mails), [_mail(number) for number in numbers])
        connection.execute(insert(cases), [_case(case, number, words, chance) for number in numbers])
        connection.execute(insert(jobs), [{"case_id": number, "state": JobState.DONE} for number in numbers])
    waiting = [
        {"case_id": number, "tool": "t", "arguments": "{}", "arguments_hash": "", "reason": ""}
        for number in range(500, MANY, 2000)
    ]
    connection.execute(insert(approvals), [row | {"state": "open", "parked_at": LATEST} for row in waiting])


async def vacuumed(url: str) -> None:
    """Do what PostgreSQL's autovacuum does by itself while a year of mails comes in: counts are then read from an index."""
    if url.startswith("postgresql"):
        engine = create_async_engine(address_of(url))
        async with engine.connect() as connection:
            alone = await connection.execution_options(isolation_level="AUTOCOMMIT")
            await alone.execute(text("VACUUM ANALYZE"))
        await engine.dispose()


def _mail(number: int) -> dict[str, Any]:
    at = LATEST - timedelta(minutes=5 * (MANY - number))
    return {
        "id": number,
        "source": "bench",
        "source_id": str(number),
        "received_at": at,
        "accepted_at": at,
        "size": 9000,
        "sha256": "0" * 64,
    }


def _case(case: Case, number: int, words: list[str], chance: random.Random) -> dict[str, Any]:
    subject = " ".join(chance.choices(words, k=6)) + (" zyzzyva" if number in {77, 60_000} else "")
    sender = Address(
        address=f"{chance.choice(words)}@{chance.choice(words)}.example", name=Untrusted(chance.choice(words))
    )
    message = replace(MESSAGE, subject=Untrusted(subject), sender=sender)
    thread = f"<{chance.randint(1, MANY // 3)}@x.example>" if number % 2 else f"<own-{number}@x.example>"
    mine = replace(
        case,
        message=message,
        identity=replace(case.identity, thread_key=thread),
        outcome=Outcome.WAITING if number % 400 == 0 else chance.choice(OUTCOMES),
        ticket=f"HARB-{chance.randint(1, 60_000)}",
        reason=" ".join(chance.choices(words, k=10)),
    )
    return columns_of(mine) | {"case_id": number}


async def took(what: Callable[[], Awaitable[Any]]) -> tuple[float, float]:
    """Median and p95 in milliseconds."""
    await what()
    times = []
    for _ in range(ROUNDS):
        began = perf_counter()
        await what()
        times.append((perf_counter() - began) * 1000)
    return median(times), quantiles(times, n=20)[18]


@pytest.mark.timeout(900)
async def test_pages(store: SqlStore, url: str) -> None:
    """Each tab and each search of 100,000 cases, with its counts, by its median beside one bare look at all words."""
    await store._database.write(fill)
    await vacuumed(url)
    inbox = InboxService(lists=store.case_lists, store=store.views, clock=SystemClock())
    bare = select(cases.c.case_id).where((cases.c.words + "").like("%zyzzyvax%"))
    one, _ = await took(lambda: store._database.read(lambda c: c.execute(bare).all()))
    print(f"\n{url.partition(':')[0]}, {MANY:,} cases: a bare look at all their words {one:.1f} ms")
    slow = dict[str, float]()
    for name, asked in ASKED.items():
        middle, p95 = await took(lambda asked=asked: inbox.page(asked))  # type: ignore[misc]  # bound at once
        print(f"  {name:<16}{middle:8.1f} ms   p95 {p95:8.1f} ms   {middle / one:5.1f} looks")
        slow |= {name: middle / one} if middle > BAR * one else {}
    changes, _ = await took(lambda: store.case_lists.changes(None))
    print(f"  look of the live view {changes:.1f} ms a second")

    assert slow == {}


async def test_what_a_step_pays(tmp_path: Path) -> None:
    """Steps of a case in SQLite with the index of lists and, in turns, without it: the processor time that it adds."""
    used: dict[str, list[float]] = {"with": [], "without": []}
    stores = {name: await open_store(f"sqlite:///{tmp_path}/{name}.db", SystemClock()) for name in used}
    await stores["without"]._database.write(lambda c: c.execute(text("DROP INDEX ix_cases_words")))
    for _ in range(ROUNDS // 4):
        for name, store in stores.items():
            case = await store.inbox.accept(
                Received(source="bench", source_id=str(len(used[name])), raw=b"x", at=LATEST)
            )
            leased = store.jobs.open(await store.jobs.claim(case, "bench", 600))
            loaded = full(await leased.cases.load())
            began = process_time()
            for _ in range(SAVES):
                await leased.cases.save(loaded, StepDone(name="bench", ms=1.0))
            used[name].append((process_time() - began) / SAVES * 1000)
    for store in stores.values():
        await store.close()
    ours, bare = min(used["with"]), min(used["without"])
    print(f"\na step takes {bare:.2f} ms of a processor without, {ours:.2f} ms with the index ({ours / bare - 1:+.0%})")

    assert ours < 1.25 * bare


async def test_listeners(tmp_path: Path) -> None:
    """Steps of a worker in the same process, with nobody and with 200 who listen: under a twentieth of its throughput."""
    store = await open_store(f"sqlite:///{tmp_path}/bench.db", SystemClock())
    inbox = InboxService(lists=store.case_lists, store=store.views, clock=SystemClock())
    live, heard, got = LiveInbox(inbox, Render(Assets())), [0], [0]
    name = await store.inbox.accept(Received(source="bench", source_id="1", raw=b"x", at=LATEST))
    leased = store.jobs.open(await store.jobs.claim(name, "bench", 600))
    case = full(await leased.cases.load())

    async def listen() -> None:
        async for message in live.changes_since(Pulse()):
            heard[0] += message.startswith("event: changed")
            got[0] += 1

    async def used() -> tuple[float, float]:
        """Processor seconds and seconds of a hundred steps a second for five seconds, each with a change that is told."""
        before, began = resource.getrusage(resource.RUSAGE_SELF), perf_counter()
        for number in range(500):
            await leased.cases.save(case, StepDone(name="bench", ms=1.0))
            if number % 50 == 0:
                await leased.cases.event("bench", n=number)
            await asyncio.sleep(max(0.0, began + number / 100 - perf_counter()))
        after = resource.getrusage(resource.RUSAGE_SELF)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, perf_counter() - began

    await used()
    alone, _ = await used()
    listening = [asyncio.create_task(listen()) for _ in range(LISTENERS)]
    while got[0] < 2 * LISTENERS:  # each has heard how long to wait, and what changed before it came
        await asyncio.sleep(0.1)
    heard[0] = 0
    beside, seconds = await used()
    for task in listening:
        task.cancel()
    await asyncio.gather(*listening, return_exceptions=True)
    await store.close()
    share = (beside - alone) / seconds
    print(f"\n500 steps in five seconds: {alone:.2f} s of a processor, with {LISTENERS} listeners {beside:.2f} s")
    print(f"  {heard[0]:,} messages heard; the listeners take {share:.1%} of a processor")

    assert heard[0] >= LISTENERS
    assert share < 0.05

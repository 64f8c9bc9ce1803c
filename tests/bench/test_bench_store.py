"""How many mails a second the store takes in, beside one plain row and its commit through the same engine."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

import pytest
from sqlalchemy import Connection, insert

from integrations.sql.database.ticket_tables import ticket_numbers
from integrations.sql.store import SqlStore, open_store
from integrations.system_clock import SystemClock
from triage.domain.cases import StepDone
from triage.domain.mail import Received

pytestmark = pytest.mark.bench

CALLERS = 16
MAILS = 1600
ROUNDS = 3
BARS = {"sqlite": 1.5, "postgresql": 0.5}
"""Mails for one row, at least; PostgreSQL lets the rows of sixteen connections share their syncs too."""
RAW = os.urandom(20_000)
"""Twenty kilobytes that nothing can compress."""

_numbers = count()


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A new database; every commit is synced to this disk."""
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


async def accept(store: SqlStore) -> None:
    """One mail of its own."""
    now = datetime.now(UTC)
    await store.inbox.accept(Received(source="bench", source_id=str(next(_numbers)), raw=RAW, at=now))


async def plain(store: SqlStore) -> None:
    """One row of two short values, one commit: what an insert costs at least."""
    number = next(_numbers)

    def write(connection: Connection) -> None:
        connection.execute(insert(ticket_numbers), {"project": f"P{number}", "highest": number})

    await store._database.write(write)


async def rate(what: Callable[[SqlStore], Awaitable[None]], store: SqlStore, callers: int) -> tuple[float, list[float]]:
    """Calls a second with so many callers, and milliseconds of each call."""
    took: list[float] = []

    async def one_after_the_other() -> None:
        for _ in range(MAILS // CALLERS):
            began = perf_counter()
            await what(store)
            took.append((perf_counter() - began) * 1000)

    began = perf_counter()
    await asyncio.gather(*(one_after_the_other() for _ in range(callers)))
    return len(took) / (perf_counter() - began), took


async def test_accept(store: SqlStore, url: str) -> None:
    """Sixteen callers, 20 kB each: sharing commits, the store takes in about as many mails as rows, or more."""
    rates: dict[str, list[float]] = {"plain": [], "alone": [], "accept": []}
    waits: list[float] = []
    for _ in range(ROUNDS):
        rates["plain"].append((await rate(plain, store, CALLERS))[0])
        rates["alone"].append((await rate(accept, store, 1))[0])
        accepted, took = await rate(accept, store, CALLERS)
        rates["accept"].append(accepted)
        waits += took
    row, alone, accepted = (median(rates[name]) for name in ("plain", "alone", "accept"))
    p99 = quantiles(waits, n=100)[98]
    print(
        f"\n{url.partition(':')[0]:<10} one row and commit {row:6.0f}/s | accept of 20 kB: "
        f"{CALLERS} callers {accepted:6.0f}/s (p99 {p99:.1f} ms) = {accepted / row:.2f} x, one caller {alone:6.0f}/s"
    )

    assert accepted > row * BARS[url.partition(":")[0]]


async def test_pages(store: SqlStore, url: str) -> None:
    """One write of a worker, fence included, beside one row and its commit."""
    case = await store.inbox.accept(Received(source="bench", source_id="pages", raw=RAW, at=datetime.now(UTC)))
    lease = await store.jobs.claim(case, "bench", 600)
    leased_case = store.jobs.open(lease)
    loaded = await leased_case.cases.load()

    async def save(_store: SqlStore) -> None:
        await leased_case.cases.save(loaded, StepDone(name="bench", ms=1.0))

    async def event(_store: SqlStore) -> None:
        await leased_case.cases.event("bench", n=1)

    row, _ = await rate(plain, store, 1)
    told = [f"{what.__name__} {(await rate(what, store, 1))[0]:5.0f}/s" for what in (save, event)]
    print(f"\n{url.partition(':')[0]:<10} one after the other: one row {row:5.0f}/s, {', '.join(told)}")

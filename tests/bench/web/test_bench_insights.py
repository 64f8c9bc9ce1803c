"""Pages of figures over a hundred thousand cases: milliseconds of the server, and what Prometheus costs at each scrape."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import quantiles
from time import perf_counter, process_time
from typing import Any

import httpx2
import pytest
from sqlalchemy import Connection, Table, insert

from cli.wiring.intake import IntakeContext, open_intake
from cli.wiring.telemetry.metrics import metrics_alone, status_of
from cli.wiring.web.mounts import Mounts
from integrations.sql.database.decision_tables import approvals, corrections, letters
from integrations.sql.database.schema import (
    JobState,
    agent_runs,
    cases,
    email_events,
    jobs,
    llm_calls,
    mails,
    steps,
    traces,
)
from integrations.sql.database.ticket_tables import tickets
from integrations.sql.operations.tables import case_facts
from integrations.system_clock import SystemClock
from tests.contract.store.store_samples import TICKET, TURN
from triage.config.settings import Isolated, load
from triage.domain.cases import Case, Outcome
from triage.domain.letters import Letter, LetterKind
from triage.domain.mail import Address
from triage.domain.operations.tokens import AccessScope
from triage.services.operations.tokens import TokenService

pytestmark = pytest.mark.bench

LETTER = Letter(key="k", case="case-1", kind=LetterKind.RECEIPT, to=(Address(address="ada@example.com"),), subject="s", body="word " * 300, message_id="m@example.com")  # fmt: skip
CASES = 100_000
DAYS = 90
"""All cases lie in the longest period: there is nothing that a page may leave out."""
TICKETS = 25_000
ROUNDS = 40
BAR = 100.0
"""Milliseconds of processor time, p95: on a machine with nothing else to do that is what people wait."""


def rows_of(number: int, now: datetime, chance: random.Random) -> dict[Table, dict[str, Any]]:
    """The rows of one case, as years of work leave them."""
    at = now - timedelta(days=DAYS * (1 - number / CASES))
    outcome = chance.choices(list(Outcome)[:6], (50, 20, 5, 5, 15, 5))[0].value
    key = f"OPS-{number % TICKETS}" if outcome != "ignored" else None
    case = Case(id=f"case-{number}", source="file", received_at=at)
    one = {"case_id": number, "at": at}
    return {
        mails: {"id": number, "source": f"imap:box-{number % 3}", "source_id": str(number), "received_at": at, "accepted_at": at, "size": 9_000, "sha256": "x"},
        cases: {"case_id": number, "lane": str(number), "outcome": outcome, "ticket": key, "sender": "a", "subject": "s", "reason": "r", "data": case},
        jobs: {"case_id": number, "state": JobState.DONE, "due": None},
        steps: {**one, "name": "dispatch", "ms": chance.random() * 100, "note": ""},
        email_events: {**one, "name": "case.ended", "facts": {}},
        case_facts: {
            "case_id": number,
            "day": f"{at:%Y-%m-%d}",
            "seconds": chance.expovariate(1 / 300) if key else None,
            "project": chance.choice(("OPS", "WEB", "")),
            "outcome": outcome,
            "cause": chance.choice(("bug", "feature", "question", "newsletter", "alert: nagios")),
            "component": f"Component {chance.randrange(20)}",
            "language": chance.choice(("en", "de", "fr", "")),
            "joined": chance.choice(("new ticket", "same thread", "duplicate")),
        },
    }  # fmt: skip


def fill(connection: Connection) -> None:
    """A hundred thousand cases, half of them asked of a model; corrections, decisions, floods, tickets."""
    chance, now = random.Random(7), datetime.now(UTC)
    for start in range(1, CASES + 1, 5_000):
        made = [rows_of(number, now, chance) for number in range(start, start + 5_000)]
        for table in made[0]:
            connection.execute(insert(table), [rows[table] for rows in made])
        asked = [(rows[steps]["case_id"], rows[steps]["at"]) for rows in made[::2]]
        runs = [{"run": f"case-{n}/1", "case_id": n, "profile": "jira", "status": "completed", "opening": (), "started_at": at} for n, at in asked]  # fmt: skip
        calls = [{"run": f"case-{n}/1", "number": 1, "at": at, "model": f"model-{n % 3}", "answer": TURN, "input_tokens": 900, "output_tokens": 90, "cost_usd": 0.01, "ms": 900.0} for n, at in asked]  # fmt: skip
        connection.execute(insert(agent_runs), runs)
        connection.execute(insert(llm_calls), calls)
        few = asked[::20]
        connection.execute(insert(corrections), [{"case_id": n, "disposition": "work", "made_by": "ada", "made_at": at, "sender": "a", "trust": "weak"} for n, at in few])  # fmt: skip
        connection.execute(insert(approvals), [{"case_id": n, "tool": "t", "arguments": "{}", "arguments_hash": str(n), "reason": "r", "state": "accepted", "parked_at": at, "decided_at": at} for n, at in few])  # fmt: skip
        connection.execute(insert(letters), [{"case_id": n, "key": f"{n}", "data": LETTER, "person": "a", "automatic": True, "state": "sent", "queued_at": at, "attempts": 1, "decided_by": "", "note": ""} for n, at in asked])  # fmt: skip
        empty = dict.fromkeys(("content", "message_id", "sender", "thread", "storm", "topic"), "")
        connection.execute(insert(traces), [{"case_id": n, "at": at, "dated": True, **empty, "brake": "storm" if n % 3 else ""} for n, at in few])  # fmt: skip
    connection.execute(insert(tickets), [{"key": f"OPS-{n}", "project": "OPS", "number": n, "data": TICKET, "assignee": f"u{n % 40}", "category": "done" if n % 5 else "new"} for n in range(TICKETS)])  # fmt: skip


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A new database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/bench.db"
    address: str = request.getfixturevalue("empty_postgres_url")
    return address


@pytest.fixture
async def context(url: str) -> AsyncIterator[IntakeContext]:
    """An installation that has worked for three months."""
    settings = load(Isolated, DATABASE_URL=url, JIRA_PROJECT_KEY="OPS", JIRA_BASE_URL="http://127.0.0.1:1")
    async with open_intake(settings) as opened:
        await opened.store._database.write_many(fill)
        yield opened


@dataclass(frozen=True)
class Took:
    """Milliseconds: of the first time, then p50 and p95 of the others on the clock, and p95 of processor time."""

    first: float
    p50: float
    p95: float
    cpu: float


async def timed(ask: Callable[[], Awaitable[object]]) -> Took:
    """What a question takes; the processor time is that of this process, which is SQLite's, too."""
    walls, cpus = [], []
    for _ in range(ROUNDS + 1):
        began, worked = perf_counter(), process_time()
        await ask()
        walls.append((perf_counter() - began) * 1000)
        cpus.append((process_time() - worked) * 1000)
    cut = quantiles(walls[1:], n=20)
    return Took(walls[0], cut[9], cut[18], quantiles(cpus[1:], n=20)[18])


async def test_pages_of_figures(context: IntakeContext) -> None:
    """The page of each period, a file, the status and a scrape, after the first of each: p95 below the bar."""
    tokens = TokenService(store=context.store.tokens, deeds=context.store.deeds, clock=SystemClock())
    token, _ = await tokens.create("bench", AccessScope.VIEWER, 1, by="bench")
    async with AsyncExitStack() as later:
        mounts = Mounts(context=context, later=later, stop=asyncio.Event()).by_path()
        pages = httpx2.AsyncClient(transport=httpx2.ASGITransport(app=mounts["/insights"]), base_url="http://t")  # fmt: skip
        assert (await pages.post("/sign-in", data={"token": token})).status_code == 303
        scraped = httpx2.AsyncClient(transport=httpx2.ASGITransport(app=metrics_alone(context, None)), base_url="http://t")  # fmt: skip

        async def page(path: str) -> None:
            answer = await (scraped if path == "/metrics" else pages).get(path, timeout=60)
            assert answer.status_code == 200, answer.text

        status = status_of(context.settings, context.store, context.health)
        paths = ("/insights?days=90", "/insights?days=30", "/insights?days=7", "/insights?days=90&project=WEB", "/insights/cost.csv?days=90", "/metrics")  # fmt: skip
        found = {path: await timed(lambda path=path: page(path)) for path in paths}  # type: ignore[misc]
        found["triage status"] = await timed(status.now)
    print(f"\n{CASES:,} cases of {DAYS} days, {'PostgreSQL' if context.store._database.postgres else 'SQLite'}: ms")
    print(f"{'':32}{'first':>9}{'p50':>9}{'p95':>9}{'p95, processor':>17}")
    for name, took in found.items():
        print(f"{name:32}{took.first:9.1f}{took.p50:9.1f}{took.p95:9.1f}{took.cpu:17.1f}")

    assert {name: took.cpu for name, took in found.items() if took.cpu > BAR} == {}

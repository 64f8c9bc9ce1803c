"""How fast the sandbox Jira makes tickets and searches twenty thousand of them, beside an endpoint that does nothing."""

import base64
import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

import psutil  # type: ignore[import-untyped]  # it has no types
import pytest

from tests.bench.programs.sandbox_server import TICKETS

pytestmark = pytest.mark.bench

ROOT = Path(__file__).parents[2]
CONNECTIONS = 4
CREATED = 800
ROUNDS = 3
EACH = 20
LOGIN = "Basic " + base64.b64encode(b"triage.bot:sandbox-token").decode()
HEADERS = {"content-type": "application/json", "authorization": LOGIN}
TICKET = {
    "fields": {
        "project": {"key": "HARB"},
        "issuetype": {"name": "Bug"},
        "summary": "The price calculator leaves out the fuel surcharge",
        "labels": ["from-mail", "triage-0f3a"],
        "components": [{"name": "Booking"}],
        "priority": {"name": "High"},
    },
    "properties": [{"key": "triage", "value": {"case": "case-1"}}],
}
QUERIES = (
    "project = HARB AND created >= -30d ORDER BY created DESC",
    'project = HARB AND text ~ "tracking page error" ORDER BY updated DESC',
    "project = HARB AND statusCategory != Done AND assignee = currentUser() ORDER BY priority DESC, updated DESC",
    'project = HARB AND status in ("To Do", "In Progress") AND component = Booking ORDER BY key',
    "labels = security AND resolution is EMPTY",
    "labels != security AND type = Bug ORDER BY Rank",
    'summary ~ "label*" AND created < -10d',
    'assignee is EMPTY AND statusCategory = "To Do" ORDER BY created',
    "sprint in openSprints() AND statusCategory != Done",
    "key = HARB-77",
    "reporter = carla.jimenez OR assignee = priya.raman ORDER BY duedate",
    'project = HARB AND text !~ "scanner"',
    'comment ~ "staging" ORDER BY assignee',
    "project = HARB AND parent is EMPTY AND issuetype != Epic ORDER BY priority, key",
)


@contextmanager
def server(which: str, file: Path) -> Iterator[tuple[int, psutil.Process]]:
    """A server in a process of its own."""
    command = [sys.executable, "-m", "tests.bench.programs.sandbox_server", which, str(file)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout
        yield int(process.stdout.readline()), psutil.Process(process.pid)
        process.stdin.close()
        process.wait(20)


def asked(connection: HTTPConnection, path: str, body: object) -> float:
    """One request; the seconds it took."""
    start = perf_counter()
    connection.request("POST", path, json.dumps(body), HEADERS)
    answer = connection.getresponse()
    answer.read()
    assert answer.status in {200, 201}, answer.status
    return perf_counter() - start


def created(port: int, path: str, count: int) -> float:
    """Tickets a second over several connections."""

    def work(_: int) -> None:
        connection = HTTPConnection("127.0.0.1", port)
        for _ in range(count // CONNECTIONS):
            asked(connection, path, TICKET)
        connection.close()

    start = perf_counter()
    with ThreadPoolExecutor(CONNECTIONS) as pool:
        list(pool.map(work, range(CONNECTIONS)))
    return count / (perf_counter() - start)


def searched(port: int, path: str) -> list[float]:
    """Milliseconds of each search, one after the other."""
    connection = HTTPConnection("127.0.0.1", port)
    took = []
    for jql in QUERIES:
        body = {
            "jql": jql,
            "maxResults": 50,
            "fields": ["summary", "status", "assignee", "priority", "labels", "updated"],
        }
        asked(connection, path, body)
        took += [asked(connection, path, body) * 1000 for _ in range(EACH)]
    connection.close()
    return took


def cpu(process: psutil.Process) -> float:
    """Milliseconds that a server has used."""
    return float(sum(process.cpu_times()[:2]) * 1000)


@pytest.mark.timeout(300)
def test_sandbox(tmp_path: Path) -> None:
    """At least 300 tickets a second; searches over twenty thousand within 20 ms for 95 of 100."""
    kinds = {"nothing": "/rest/api/2", "cloud": "/rest/api/3", "server": "/rest/api/2"}
    rates: dict[str, list[float]] = {kind: [] for kind in kinds}
    took: dict[str, list[float]] = {}
    used: dict[str, tuple[float, float]] = {}
    with ExitStack() as stack:
        ports = {kind: stack.enter_context(server(kind, tmp_path / f"{kind}.db")) for kind in kinds}
        for kind, (port, process) in ports.items():
            way = f"{kinds[kind]}/search{'/jql' if kind == 'cloud' else ''}"
            before = cpu(process)
            took[kind] = searched(port, way)
            between = cpu(process)
            used[kind] = ((between - before) / len(took[kind]), 0)
        for _ in range(ROUNDS):
            for kind, (port, process) in ports.items():
                before = cpu(process)
                rates[kind].append(created(port, f"{kinds[kind]}/issue", CREATED))
                used[kind] = (used[kind][0], (cpu(process) - before) / CREATED)
    p95 = {kind: quantiles(times, n=20)[-1] for kind, times in took.items()}
    print(f"\n{TICKETS} tickets, {len(QUERIES)} kinds of searches, {CONNECTIONS} connections that create")
    print(f"  {'':<10}{'searches p50':>14}{'p95 in ms':>12}{'CPU each':>10}{'created/s':>12}{'CPU each in ms':>16}")
    for kind, times in took.items():
        row = f"{median(times):>14.1f}{p95[kind]:>12.1f}{used[kind][0]:>10.2f}{median(rates[kind]):>12.0f}{used[kind][1]:>16.2f}"
        print(f"  {kind:<10}{row}")
    for kind in ("cloud", "server"):
        share = median(ours / theirs for ours, theirs in zip(rates[kind], rates["nothing"], strict=True))
        print(f"  {kind}: {share:.2f} of nothing's rate, {p95[kind] / p95['nothing']:.1f} times nothing's p95")

        assert max(rates[kind]) >= 300
        assert share >= 0.15
        assert p95[kind] - p95["nothing"] <= 20

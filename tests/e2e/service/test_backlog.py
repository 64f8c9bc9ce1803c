"""Many mails at once: the order in which they end, the hands that work, and what each costs the database."""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from sqlalchemy import Connection, Engine, event

from tests.e2e.backlog import accepted, ended, letter
from tests.e2e.opened import house, take
from tests.servers.sandbox import RunningJira
from triage.domain.ports import LeasedCase
from triage.pipeline.context import Services

BACKLOG = 200
THREADS = 16
REPLIES = 6
"""Mails of a thread."""
MOST_LATE = BACKLOG // 10
HANDS = 4
LONG = 50
"""Mails of a long thread."""
BESIDE = 10


def backlog() -> Iterator[bytes]:
    """Threads whose answers come one right after the other or far apart, single notices in between."""
    places = Counter[int]()
    for number in range(BACKLOG):
        thread = number // REPLIES if number % 2 else number * 7 % THREADS
        if places[thread] >= REPLIES:
            thread = THREADS + number
        yield letter(number, thread, places[thread])
        places[thread] += 1


def by_turn(folder: Path) -> list[int]:
    """The numbers of all cases, in their fair order."""
    with closing(sqlite3.connect(folder / "triage.db")) as connection:
        return [case for (case,) in connection.execute("SELECT case_id FROM jobs ORDER BY turn, case_id")]


async def test_fair(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Of the mails that wait, in threads, for four hands, none is taken later than its turn by more than a tenth of all places."""
    taken: dict[int, int] = {}
    async with house(cloud_jira, tmp_path, WORKERS=str(HANDS)) as opened:

        def noted(leased_case: LeasedCase) -> Services:
            taken.setdefault(leased_case.lease.job, len(taken))
            return opened.worker.services(leased_case)

        await accepted(opened, list(backlog()))
        await replace(opened.worker, services=noted).drain()
    turns = {case: place for place, case in enumerate(by_turn(tmp_path))}

    assert sorted(taken) == sorted(ended(tmp_path)) == list(range(1, BACKLOG + 1))
    assert {case: place for case, place in taken.items() if place - turns[case] > MOST_LATE} == {}


async def test_long_thread(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A thread of fifty waiting mails is handed from each to the next: none is taken up in vain again and again."""
    threads = [
        *(letter(place, THREADS, place) for place in range(LONG)),
        *(letter(n, 2 * THREADS + n, 0) for n in range(BESIDE)),
    ]
    async with house(cloud_jira, tmp_path, WORKERS=str(HANDS)) as opened:
        await accepted(opened, threads)
        await opened.worker.drain()
    with closing(sqlite3.connect(tmp_path / "triage.db")) as connection:
        taken = connection.execute("SELECT sum(epoch) FROM jobs").fetchone()[0]

    assert sorted(ended(tmp_path)) == list(range(1, len(threads) + 1))
    assert taken <= 4 * len(threads)


@contextmanager
def commits() -> Iterator[list[Connection]]:
    """The transactions of this process that are committed meanwhile."""
    seen: list[Connection] = []

    def committed(connection: Connection) -> None:
        seen.append(connection)

    event.listen(Engine, "commit", committed)
    try:
        yield seen
    finally:
        event.remove(Engine, "commit", committed)


FEW = b"Subject: Quokka habitat\nMessage-ID: <few@corner-shop.example>\n\nThe quokka habitat is purple.\n"
MANY = (
    b"Subject: Tracking page error\nMessage-ID: <many@corner-shop.example>\n\n"
    b"The tracking page shows an error for the shipment order of a customer, the export and the login fail.\n"
)


async def test_commits_of_many_hits(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A mail costs the same number of commits whether its search finds no ticket or dozens."""
    spent = []
    async with house(cloud_jira, tmp_path) as opened:
        await take(opened, "warm", b"From: a@corner-shop.example\nSubject: Lamp\n\nIt is out.\n")
        for raw in (FEW, MANY):
            with commits() as seen:
                report = await take(opened, raw=b"From: Ada <ada@corner-shop.example>\n" + raw)
            spent.append((len(report.case.retrieval.candidates), len(seen)))
    (few, least), (many, most) = spent

    assert few < many == 20
    assert most <= least + 1

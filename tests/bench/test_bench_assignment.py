"""Who should do it: the proposals on a real tracker in the order of time, against simple rules; and what they take."""

import gzip
import heapq
import json
import re
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from triage.domain.tickets import Person, Ticket, Workload
from triage.domain.untrusted import Untrusted
from triage.policy.assignment import Crew, Task, Weights, suggest
from triage.policy.duplicates import search_words

pytestmark = pytest.mark.bench

ASKED: Final = 2_204
"""The last so many tickets that were fixed by somebody."""
FOUND: Final = 50
RECENT: Final = 500
RECENT_DAYS: Final = timedelta(days=180)
FREQUENT_DAYS: Final = timedelta(days=90)
GIVEN_AWAY: Final = re.compile(r"\b[A-Z][A-Z0-9]+-\d+\b|\S*://\S*")
OFF: Final = Weights(similar=0.0, component=0.0)
"""What is left of the documents' rule in a Jira: there is no skill and no role in it."""

Names = tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One report as if it were a mail, and what was known when it came."""

    report: dict[str, Any]
    found: tuple[Ticket, ...]
    recent: tuple[Ticket, ...]
    open: Mapping[str, int]
    frequent: Names
    """Those who got most tickets lately."""


@dataclass
class Tally:
    """How often the right one was named."""

    first: int = 0
    among_three: int = 0
    asked: int = 0
    ms: list[float] = field(default_factory=list)

    def count(self, right: str, named: Sequence[str], ms: float = 0.0) -> None:
        """One answer more."""
        self.first += right in named[:1]
        self.among_three += right in named[:3]
        self.asked += 1
        self.ms.append(ms)

    def __str__(self) -> str:
        ms = sorted(self.ms)[len(self.ms) // 2]
        return f"{self.first / self.asked:8.3f}{self.among_three / self.asked:8.3f}{ms:9.1f}"


def reports(path: Path) -> list[dict[str, Any]]:
    """All reports of one project by age, without links and keys that give something away."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        found = [report for line in lines if (report := json.loads(line))["project"] == "TIMOB"]
    for report in found:
        report["summary"] = GIVEN_AWAY.sub(" ", report["summary"])
        report["description"] = GIVEN_AWAY.sub(" ", report["description"] or "")
        report["at"] = datetime.fromisoformat(report["created"])
        report["end"] = datetime.fromisoformat(report["resolved"]) if report["resolved"] else None
    return sorted(found, key=lambda report: str(report["created"]))


def ticket(report: dict[str, Any], now: datetime, *, text: bool) -> Ticket:
    """A report as Jira showed it then; an open one was touched last when it was made."""
    done = report["end"] is not None and report["end"] < now
    return Ticket(
        key=report["id"],
        summary=Untrusted(report["summary"]),
        description=Untrusted(report["description"] if text else ""),
        status="Closed" if done else "Open",
        category="done" if done else "new",
        issue_type=report["type"],
        components=tuple(report["component"]),
        assignee=Person(id=report["assignee"], name=Untrusted(report["assignee"])),
        updated=report["end"] if done else report["at"],
    )


def asked_in_order(found: Sequence[dict[str, Any]]) -> Iterator[Asked]:
    """The last tickets, each with the world of its moment."""
    fixed = [r["id"] for r in found if r["assignee"] and r["resolution"] in {"Fixed", "Done"}]
    wanted = set(fixed[-ASKED:])
    index = sqlite3.connect(":memory:")
    index.execute("CREATE VIRTUAL TABLE ticket USING fts5(key UNINDEXED, title, text, tokenize='porter unicode61')")
    earlier: dict[str, dict[str, Any]] = {}
    held: Counter[str] = Counter()
    ends: list[tuple[datetime, str]] = []
    for report in found:
        now = report["at"]
        while ends and ends[0][0] < now:
            held[heapq.heappop(ends)[1]] -= 1
        if report["id"] in wanted:
            yield world_of(report, index, earlier, held)
        index.execute("INSERT INTO ticket VALUES (?, ?, ?)", (report["id"], report["summary"], report["description"]))
        if report["assignee"]:
            earlier[report["id"]] = report
            held[report["assignee"]] += 1
            if report["end"]:
                heapq.heappush(ends, (report["end"], report["assignee"]))


def world_of(
    report: dict[str, Any], index: sqlite3.Connection, earlier: Mapping[str, dict[str, Any]], held: Mapping[str, int]
) -> Asked:
    """What our two searches and the workloads would have said."""
    now = report["at"]
    words = " OR ".join(f'"{word}"' for word in search_words(f"{report['summary']}\n{report['description']}"))
    rows = index.execute(
        "SELECT key FROM ticket WHERE ticket MATCH ? ORDER BY rank LIMIT ?", (words or '""', FOUND)
    ).fetchall()
    recent = list(earlier.values())[-4 * RECENT :]
    lately = Counter(r["assignee"] for r in recent if now - r["at"] <= FREQUENT_DAYS)
    shown = [ticket(r, now, text=False) for r in recent if now - r["at"] <= RECENT_DAYS]
    shown.sort(key=lambda t: str(t.updated), reverse=True)
    return Asked(
        report=report,
        found=tuple(ticket(earlier[key], now, text=True) for (key,) in rows if key in earlier),
        recent=tuple(shown[:RECENT]),
        open={person: n for person, n in held.items() if n},
        frequent=tuple(person for person, _ in lately.most_common(3)),
    )


def named(asked: Asked, weights: Weights, *, closed_only: bool = False, component: bool = False) -> Names:
    """Whom `suggest` puts first."""
    report = asked.report
    tickets = [t for t in (*asked.recent, *asked.found) if not closed_only or not t.open]
    people = {t.assignee.id: t.assignee for t in (*asked.recent, *asked.found) if t.assignee}
    text = Untrusted(report["description"])
    task = Task(
        title=report["summary"],
        text=text,
        issue_type=report["type"],
        components=tuple(report["component"]) if component else (),
        at=report["at"],
    )
    loads = {person: Workload(waiting=n) for person, n in asked.open.items()}
    crew = Crew(people=tuple(people.values()), workloads=loads, tickets=tuple(tickets))
    return tuple(suggestion.person.id for suggestion in suggest(task, crew, weights).ranked[:3])


@pytest.mark.timeout(900)
def test_the_right_person_is_named(shared_data: Path) -> None:
    """On a real tracker the first proposal is right far more often than the busiest person or the documents' rule."""
    rules: dict[str, dict[str, Any]] = {
        "the documents' points alone": {"weights": OFF},
        "as delivered": {"weights": Weights()},
        "  from closed tickets only": {"weights": Weights(), "closed_only": True},
        "  without the component": {"weights": replace(Weights(), component=0.0)},
        "  with the component known": {"weights": Weights(), "component": True},
    }
    tallies = {name: Tally() for name in ("most frequent of 90 days", *rules)}
    for asked in asked_in_order(reports(shared_data / "bugs-titanium" / "issues.jsonl.gz")):
        right = asked.report["assignee"]
        tallies["most frequent of 90 days"].count(right, asked.frequent)
        for name, options in rules.items():
            began = time.perf_counter()
            answer = named(asked, **options)
            tallies[name].count(right, answer, (time.perf_counter() - began) * 1000)
    print(f"\n{ASKED} tickets of TIMOB in the order of time{'':>10}top1    top3  ms (median)")
    for name, tally in tallies.items():
        print(f"{name:<42}{tally}")
    delivered = tallies["as delivered"]

    assert delivered.first / delivered.asked >= 0.45
    assert delivered.first > 2 * tallies["most frequent of 90 days"].first
    assert tallies["  from closed tickets only"].first > 1.8 * tallies["most frequent of 90 days"].first

"""Backtest over a tracker's history: for each ticket in order of time, the candidates and people that Triage would have proposed."""

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

from triage.config.team import Weights
from triage.domain.errors import SettingsInvalid
from triage.domain.tickets import Person, Ticket, Workload
from triage.domain.untrusted import Untrusted
from triage.policy.people.assignment import Crew, Task, suggest
from triage.policy.ticket.duplicates import search_words

FOUND: Final = 50
RECENT: Final = 500
RECENT_DAYS: Final = timedelta(days=180)
FREQUENT_DAYS: Final = timedelta(days=90)
GIVEN_AWAY: Final = re.compile(r"\b[A-Z][A-Z0-9]+-\d+\b|\S*://\S*")
"""Keys and links, removed because they may reveal the answer."""
DOCUMENTS: Final = Weights(similar=0.0, component=0.0)
"""The rule of the requirement documents without skills and roles, which a tracker's history lacks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """A ticket as it was created, and when it was done."""

    id: str
    type: str
    summary: str
    description: str
    assignee: str
    components: tuple[str, ...]
    created: datetime
    done: datetime | None
    fixed: bool

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "Past":
        """Read a line of the file; remove keys and links."""
        return cls(
            id=row["id"],
            type=row["type"],
            summary=GIVEN_AWAY.sub(" ", row["summary"]),
            description=GIVEN_AWAY.sub(" ", row["description"] or ""),
            assignee=row["assignee"] or "",
            components=tuple(row["component"]),
            created=datetime.fromisoformat(row["created"]),
            done=datetime.fromisoformat(row["resolved"]) if row["resolved"] else None,
            fixed=row["resolution"] in {"Fixed", "Done"},
        )

    def ticket(self, now: datetime, *, text: bool) -> Ticket:
        """Return the ticket as of `now`; an open one counts as last updated at its creation."""
        done = self.done if self.done is not None and self.done < now else None
        return Ticket(
            key=self.id,
            summary=Untrusted(self.summary),
            description=Untrusted(self.description if text else ""),
            status="Done" if done else "Open",
            category="done" if done else "new",
            issue_type=self.type,
            components=self.components,
            assignee=Person(id=self.assignee, name=Untrusted(self.assignee)),
            updated=done or self.created,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One ticket treated as a mail, and what was known when it came."""

    asked: Past
    found: tuple[Ticket, ...]
    recent: tuple[Ticket, ...]
    open: Mapping[str, int]
    frequent: tuple[str, ...]
    """Ids of the three people with most tickets in the last 90 days, most first."""

    def named(self, weights: Weights, *, closed_only: bool = False, component: bool = False) -> tuple[str, ...]:
        """Return the ids of the people that Triage would have proposed, best first."""
        known = [t for t in (*self.recent, *self.found) if not closed_only or not t.open]
        people = {t.assignee.id: t.assignee for t in (*self.recent, *self.found) if t.assignee}
        task = Task(
            title=self.asked.summary,
            text=self.asked.description,
            issue_type=self.asked.type,
            components=self.asked.components if component else (),
            at=self.asked.created,
        )
        loads = {person: Workload(waiting=count) for person, count in self.open.items()}
        crew = Crew(people=tuple(people.values()), workloads=loads, tickets=tuple(known))
        return tuple(suggestion.person.id for suggestion in suggest(task, crew, weights).ranked[:3])


@dataclass(slots=True)
class Tally:
    """Counts how often the right person was named first, and among the first three."""

    asked: int = 0
    first: int = 0
    among_three: int = 0
    ms: list[float] = field(default_factory=list)

    def count(self, right: str, named: Sequence[str], ms: float = 0.0) -> None:
        """Add one answer, computed in `ms` milliseconds."""
        self.asked += 1
        self.first += right in named[:1]
        self.among_three += right in named[:3]
        self.ms.append(ms)

    @property
    def figures(self) -> dict[str, float]:
        """Shares (0 to 1), and the median time in milliseconds."""
        return {
            "top1": round(self.first / self.asked, 3),
            "top3": round(self.among_three / self.asked, 3),
            "ms": round(sorted(self.ms)[len(self.ms) // 2], 1),
        }


RULES: Final[Mapping[str, Mapping[str, Any]]] = {
    "the documents' points alone": {"weights": DOCUMENTS},
    "as delivered": {"weights": Weights()},
    "as delivered, from closed tickets only": {"weights": Weights(), "closed_only": True},
    "without the component": {"weights": replace(Weights(), component=0.0)},
    "with the component known": {"weights": Weights(), "component": True},
}


def measured(path: Path, project: str, last: int) -> dict[str, Tally]:
    """Tally per rule how often it names who fixed a ticket. Raises `SettingsInvalid` for an unreadable file."""
    tallies = {name: Tally() for name in ("most frequent of 90 days", *RULES)}
    for moment in moments(tickets_of(path, project), last):
        right = moment.asked.assignee
        tallies["most frequent of 90 days"].count(right, moment.frequent)
        for name, options in RULES.items():
            began = time.perf_counter()
            answer = moment.named(**options)
            tallies[name].count(right, answer, (time.perf_counter() - began) * 1000)
    return tallies


def tickets_of(path: Path, project: str = "") -> list[Past]:
    """Read the tickets, oldest first; of one project if its key is given. Raises `SettingsInvalid`."""
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as lines:
            rows = [row for line in lines if (row := json.loads(line)) and project in {"", row["project"]}]
        found = sorted((Past.of(row) for row in rows), key=lambda past: past.created)
    except (ValueError, KeyError, TypeError) as e:
        raise SettingsInvalid((f"{path.name}: not one ticket a line as JSON ({e.__class__.__name__}: {e})",)) from e
    if not any(past.fixed and past.assignee for past in found):
        raise SettingsInvalid((f"{path.name}: no ticket of {project or 'any project'} was fixed by anybody",))
    return found


def moments(tickets: Sequence[Past], last: int) -> Iterator[Moment]:
    """Yield the last `last` tickets that somebody fixed, each with what was known at its creation."""
    wanted = {past.id for past in [past for past in tickets if past.assignee and past.fixed][-last:]}
    index = sqlite3.connect(":memory:")
    index.execute("CREATE VIRTUAL TABLE ticket USING fts5(key UNINDEXED, title, text, tokenize='porter unicode61')")
    earlier: dict[str, Past] = {}
    held: Counter[str] = Counter()
    ends: list[tuple[datetime, str]] = []
    for past in tickets:
        while ends and ends[0][0] < past.created:
            held[heapq.heappop(ends)[1]] -= 1
        if past.id in wanted:
            yield _moment(past, index, earlier, held)
        index.execute("INSERT INTO ticket VALUES (?, ?, ?)", (past.id, past.summary, past.description))
        if past.assignee:
            earlier[past.id] = past
            held[past.assignee] += 1
            if past.done:
                heapq.heappush(ends, (past.done, past.assignee))
    index.close()


def _moment(past: Past, index: sqlite3.Connection, earlier: Mapping[str, Past], held: Mapping[str, int]) -> Moment:
    """Compute what search, ticket index and workloads would have returned when the ticket was created."""
    now = past.created
    words = " OR ".join(f'"{word}"' for word in search_words(f"{past.summary}\n{past.description}"))
    wanted = (words or '""', FOUND)
    rows = index.execute("SELECT key FROM ticket WHERE ticket MATCH ? ORDER BY rank LIMIT ?", wanted).fetchall()
    latest = list(earlier.values())[-4 * RECENT :]
    recent = [each.ticket(now, text=False) for each in latest if now - each.created <= RECENT_DAYS]
    recent.sort(key=lambda ticket: str(ticket.updated), reverse=True)
    lately = Counter(each.assignee for each in latest if now - each.created <= FREQUENT_DAYS)
    return Moment(
        asked=past,
        found=tuple(earlier[key].ticket(now, text=True) for (key,) in rows if key in earlier),
        recent=tuple(recent[:RECENT]),
        open={person: count for person, count in held.items() if count},
        frequent=tuple(person for person, _ in lately.most_common(3)),
    )

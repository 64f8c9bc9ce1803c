"""A tracker's history, replayed in the order of time: for each ticket, what Triage would have known when it came."""

import heapq
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Final, Self

from cli.evaluate.data_files import GIVEN_AWAY, rows_of
from triage.domain.errors import SettingsInvalid
from triage.domain.tickets import Person, Ticket
from triage.domain.untrusted import Untrusted
from triage.policy.people.term_vectors import TEXT_LIMIT
from triage.policy.text.tokenizer import terms_in

FOUND: Final = 200
ASKED_TERMS: Final = 40
RECENT: Final = 5_000
ZONES: Final = {"EST": -5, "EDT": -4}
LONG_AGO: Final = datetime.min.replace(tzinfo=UTC)
HEADLINE: Final = 8
"""Words of a text without a summary that stand for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """A ticket as it was created, and when it was done."""

    id: str
    project: str
    type: str
    summary: str
    description: str
    assignee: str
    components: tuple[str, ...]
    created: datetime
    done: datetime | None
    fixed: bool
    fold: str = ""
    """Part of the history in the file of folds: `train1`, `test1` and so on; empty elsewhere."""

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Self:
        """Read a line of a file; remove keys and links."""
        if "fold" in row:
            return cls._of_fold(row)
        return cls(
            id=row["id"],
            project=row["project"],
            type=row["type"],
            summary=GIVEN_AWAY.sub(" ", row["summary"]),
            description=GIVEN_AWAY.sub(" ", row["description"] or ""),
            assignee=row["assignee"] or "",
            components=tuple(row["component"]),
            created=_time_of(row["created"]),
            done=_time_of(row["resolved"]) if row["resolved"] else None,
            fixed=row["resolution"] in {"Fixed", "Done"},
        )

    @classmethod
    def _of_fold(cls, row: Mapping[str, Any]) -> Self:
        """Read a line of a file of folds."""
        text = GIVEN_AWAY.sub(" ", row["text"])
        return cls(
            id=row["id"],
            project="",
            type="Bug",
            summary=" ".join(text.split()[:HEADLINE]),
            description=text,
            assignee=row["assignee"] or "",
            components=(row["component"],),
            created=_time_of(row["created"]),
            done=None,
            fixed=True,
            fold=row["fold"],
        )

    def ticket(self, *, done: bool) -> Ticket:
        """Return the ticket before or after it was done; an open one counts as last updated at its creation."""
        return Ticket(
            key=self.id,
            summary=Untrusted(self.summary),
            description=Untrusted(self.description[:TEXT_LIMIT]),
            status="Done" if done else "Open",
            category="done" if done else "new",
            issue_type=self.type,
            components=self.components,
            assignee=Person(id=self.assignee, name=Untrusted(self.assignee)) if self.assignee else None,
            updated=self.done if done and self.done else self.created,
        )


def _time_of(text: str) -> datetime:
    """Read a time; without a zone it is UTC, and the zones of the file of folds are American."""
    time, _, zone = text.rpartition(" ")
    if zone in ZONES:
        return datetime.fromisoformat(time).replace(tzinfo=timezone(timedelta(hours=ZONES[zone])))
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """One ticket treated as a mail, and what was known when it came."""

    asked: Past
    at: datetime
    """When it came; with folds, when its fold began: nothing later is known."""
    found: tuple[Ticket, ...]
    assigned: tuple[Ticket, ...]
    """The latest assigned tickets, newest first."""
    open: Mapping[str, int]
    """Open tickets per person."""
    components: tuple[str, ...]
    """All that earlier tickets have."""
    people: tuple[Person, ...]
    """Everybody who was ever given a ticket."""


def read_past(paths: Sequence[Path], project: str = "") -> list[Past]:
    """Read the tickets, oldest first; of one project if its key is given. Raises `SettingsInvalid`."""
    found = [past for path in paths for past in _read_file(path) if project in {"", past.project}]
    found.sort(key=lambda past: past.created)
    if not any(past.fixed and past.assignee for past in found):
        raise SettingsInvalid((f"{paths[0].name}: no ticket of {project or 'any project'} was fixed by anybody",))
    return found


def _read_file(path: Path) -> Iterator[Past]:
    """Yield the tickets of a file. Raises `SettingsInvalid` that names the first wrong line."""
    for number, row in rows_of(path):
        try:
            yield Past.of(row)
        except (ValueError, KeyError, TypeError, AttributeError) as e:
            where = f"{path.name}, line {number}: not a ticket as JSON ({e.__class__.__name__}: {e})"
            raise SettingsInvalid((where,)) from e


def moments(tickets: Sequence[Past], wanted: set[str], *, closed_only: bool = False) -> Iterator[Snapshot]:
    """Yield these tickets, each with what was known when it came; with folds, when its fold began.

    `closed_only` forgets whose the open tickets are: Jira's past does not say who had them before.
    """
    replay = _Replay(closed_only=closed_only)
    fold = ""
    waiting: list[Past] = []
    for past in tickets:
        if past.fold != fold:
            replay.take(waiting)
            fold, waiting = past.fold, []
        if not past.fold:
            replay.take(waiting)
            waiting = []
        if past.id in wanted:
            yield replay.moment(past, past.created if not past.fold else replay.now)
        waiting.append(past)


@dataclass(slots=True)
class _Replay:
    """The state of the tracker while its history is replayed, ticket by ticket."""

    closed_only: bool
    now: datetime = LONG_AGO
    _known: dict[str, Ticket] = field(default_factory=dict)
    """All tickets by key, as they are now."""
    _ends: list[tuple[datetime, str, Past]] = field(default_factory=list)
    _held: Counter[str] = field(default_factory=Counter)
    _people: dict[str, Person] = field(default_factory=dict)
    _components: dict[str, None] = field(default_factory=dict)
    _touched: dict[str, None] = field(default_factory=dict)
    """Keys of the tickets with a known assignee, the latest change last."""
    _assigned: tuple[Ticket, ...] | None = None
    _index: "_Search" = field(default_factory=lambda: _Search())  # noqa: PLW0108 - defined below

    def take(self, created: Sequence[Past]) -> None:
        """Learn of new tickets."""
        for past in created:
            self._end(past.created)
            self.now = max(self.now, past.created)
            self._set(past, done=bool(past.fold))  # a fold is read as a whole, and its tickets are done
            self._index.add(past)
            self._held[past.assignee] += 1
            self._components |= dict.fromkeys(past.components)
            if past.done:
                heapq.heappush(self._ends, (past.done, past.id, past))

    def _end(self, until: datetime) -> None:
        while self._ends and self._ends[0][0] < until:
            past = heapq.heappop(self._ends)[-1]
            self._held[past.assignee] -= 1
            self._set(past, done=True)

    def _set(self, past: Past, *, done: bool) -> None:
        ticket = past.ticket(done=done)
        self._known[past.id] = ticket
        if ticket.assignee and (done or not self.closed_only):
            self._people[ticket.assignee.id] = ticket.assignee
            self._touched.pop(past.id, None)
            self._touched[past.id] = None
            self._assigned = None

    def moment(self, past: Past, at: datetime) -> Snapshot:
        """Return what is known when this ticket comes."""
        self._end(at)
        if self._assigned is None:
            latest = list(self._touched)[-RECENT:]
            self._assigned = tuple(self._known[key] for key in reversed(latest))
        found = [self._known[key] for key in self._index.find(past)]
        return Snapshot(
            asked=past,
            at=at,
            found=tuple(ticket for ticket in found if not (self.closed_only and ticket.open)),
            assigned=self._assigned,
            open={person: count for person, count in self._held.items() if count > 0 and person},
            components=tuple(self._components),
            people=tuple(self._people.values()),
        )


class _Search:
    """A search over the whole history by the words of a ticket."""

    def __init__(self) -> None:
        self._tickets = sqlite3.connect(":memory:")
        self._tickets.execute("CREATE VIRTUAL TABLE ticket USING fts5(key UNINDEXED, title, text)")
        self._often: Counter[str] = Counter()

    def add(self, past: Past) -> None:
        title, text = terms_in(past.summary), terms_in(past.description[:TEXT_LIMIT])
        self._often.update({*title, *text})
        self._tickets.execute("INSERT INTO ticket VALUES (?, ?, ?)", (past.id, " ".join(title), " ".join(text)))

    def find(self, past: Past) -> list[str]:
        """Return the keys of the tickets that share most with this one, by its rarest terms."""
        terms = dict.fromkeys(terms_in(f"{past.summary}\n{past.description[:TEXT_LIMIT]}"))
        rarest = sorted((term for term in terms if self._often[term]), key=lambda term: self._often[term])[:ASKED_TERMS]
        if not rarest:
            return []
        asked = " OR ".join(f'"{term}"' for term in rarest)
        rows = self._tickets.execute(
            "SELECT key FROM ticket WHERE ticket MATCH ? ORDER BY bm25(ticket, 0, 3, 1) LIMIT ?", (asked, FOUND)
        )
        return [key for (key,) in rows]

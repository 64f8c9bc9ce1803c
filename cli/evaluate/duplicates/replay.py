"""Replays a history: each asked report meets a store, a ticket index and a live search that know what was known when it came."""

import heapq
import sqlite3
import tempfile
import time
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from cli.evaluate.duplicates.history import PROJECT, DuplicateHistory, HistoryReport
from triage.domain.cases import Case
from triage.domain.errors import TicketGone
from triage.domain.mail import Message, Received
from triage.domain.tickets import Project, Ticket, TicketQuery
from triage.policy.text.cues import cues_of

if TYPE_CHECKING:
    from triage.pipeline.context import Services

Order = Literal["relevance", "newest"]
ORDERS: Final[Mapping[Order, str]] = {"relevance": "rank", "newest": "rowid DESC"}
SETTINGS: Final = {
    "JIRA_BASE_URL": "http://127.0.0.1:9",  # nothing listens there: the tracker is replayed
    "JIRA_PROJECT_KEY": PROJECT,
    "JIRA_EMAIL": "eval@localhost.example",
    "JIRA_API_TOKEN": "none",
    "TRIAGE_CONFIG": "/dev/null",
    "LOG_LEVEL": "ERROR",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayQuestion:
    """A report asked as if it were a mail, with the keys of the earlier ones of its matter."""

    report: HistoryReport
    case: Case
    right: frozenset[str]


class ReplayedTracker:
    """Jira's search and tickets at the time of a question, for the steps that ask the tracker."""

    def __init__(self, order: Order) -> None:
        self._tickets: dict[str, Ticket] = {}
        self._order = ORDERS[order]
        self._words = sqlite3.connect(":memory:", check_same_thread=False)
        self._words.execute("CREATE VIRTUAL TABLE ticket USING fts5(title, text, tokenize='porter unicode61')")
        self.spent = 0.0
        """Seconds of processor time that its searches took; a real Jira's are no part of our time."""

    def keep(self, tickets: Sequence[Ticket]) -> None:
        """Take in new and changed tickets."""
        for ticket in tickets:
            if ticket.key not in self._tickets:
                row = (ticket.number, ticket.summary, ticket.description)
                self._words.execute("INSERT INTO ticket (rowid, title, text) VALUES (?, ?, ?)", row)
            self._tickets[ticket.key] = ticket

    async def search(self, query: TicketQuery) -> tuple[Ticket, ...]:
        """Tickets with any of the words, the best match or the newest first."""
        began = time.process_time()
        wanted = " OR ".join('"' + word.replace('"', " ") + '"' for word in query.words) or '""'
        statement = f"SELECT rowid FROM ticket WHERE ticket MATCH ? ORDER BY {self._order} LIMIT ?"  # noqa: S608 - our own words
        rows = self._words.execute(statement, (wanted, query.limit)).fetchall()
        self.spent += time.process_time() - began
        return tuple(self._tickets[f"{PROJECT}-{number}"] for (number,) in rows)

    async def get(self, key: str) -> Ticket:
        """One ticket. Raises `TicketGone`."""
        if key not in self._tickets:
            raise TicketGone(key)
        return self._tickets[key]

    async def project(self) -> Project:
        return Project(key=PROJECT, name=PROJECT, issue_types=("Bug",), priorities=())

    def __getattr__(self, name: str) -> Any:
        """Refuse what a replay has no answer for."""
        raise AttributeError(name)


@dataclass(slots=True)
class Replay:
    """Replays a history: store, index and tracker hold what was known at the time of each question."""

    history: DuplicateHistory
    services: "Services"
    tracker: ReplayedTracker
    case: str
    _next: int = 0
    _ends: list[tuple[datetime, int]] = field(default_factory=list)

    async def questions(self, asked: Collection[str]) -> AsyncIterator[ReplayQuestion]:
        """Yield the reports with these ids by age, each when all before it is known and nothing after it."""
        keys = {report.id: f"{PROJECT}-{place}" for place, report in enumerate(self.history.reports, 1)}
        for place, report in enumerate(self.history.reports):
            if report.id in asked:
                await self._move_to(place)
                group = self.history.groups.get(report.id, frozenset())
                earlier = frozenset(keys[one] for one in group if int(keys[one].rpartition("-")[2]) <= place)
                yield ReplayQuestion(report=report, case=self._asked(report), right=earlier)

    async def _move_to(self, place: int) -> None:
        """Make the earlier reports known, and those done meanwhile done."""
        now = self.history.reports[place].created
        changed = set(range(self._next, place))
        for earlier in changed:
            if (done := self.history.reports[earlier].done) is not None:
                heapq.heappush(self._ends, (done, earlier))
        while self._ends and self._ends[0][0] < now:
            changed.add(heapq.heappop(self._ends)[1])
        self._next = place
        tickets = [self.history.reports[one].ticket(f"{PROJECT}-{one + 1}", now) for one in sorted(changed)]
        self.tracker.keep(tickets)
        await self.services.ticket_store.keep(tickets)
        await self.services.index.update(PROJECT)

    def _asked(self, report: HistoryReport) -> Case:
        mail = replace(Message.of_text(report.summary, report.description), date=report.created)
        case = Case(id=self.case, source="eval", received_at=report.created, message=mail)
        return replace(case, classification=replace(case.classification, cues=cues_of(mail)))


@asynccontextmanager
async def replayed(history: DuplicateHistory, order: Order) -> "AsyncIterator[Replay]":
    """Open a store and an index in a temporary folder, with the adapters of production."""
    from cli.wiring.app import open_app
    from triage.config.settings import Isolated, load

    with tempfile.TemporaryDirectory(prefix="triage-eval-") as folder:
        settings = load(Isolated, **SETTINGS, DATABASE_URL=f"sqlite:///{Path(folder) / 'eval.db'}")
        async with open_app(settings) as app:
            raw = b"Subject: replay\r\n\r\nA mail whose case the replay works in.\r\n"
            case = await app.intake.accept(Received(source="eval", source_id="1", raw=raw, at=app.worker.clock.now()))
            lease = await app.worker.jobs.lease_case(case, "eval", 86_400.0)
            if lease is None:
                raise RuntimeError(case)
            tracker: Any = ReplayedTracker(order)
            services = app.worker.services(app.worker.jobs.open(lease))
            world = replace(services, tracker=replace(services.tracker, tickets=tracker, metadata=tracker))
            yield Replay(history=history, services=world, tracker=tracker, case=case)

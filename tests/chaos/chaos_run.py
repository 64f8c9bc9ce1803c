"""One installation under fire: a database, a mailbox, a Jira, and the two processes between them."""

import asyncio
import json
import signal
import sqlite3
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final, TypeVar

from sqlalchemy import ColumnElement, Connection, select

from integrations.sql.database.engine import Database
from integrations.sql.database.schema import cases, jobs, mails, raw_mails
from integrations.sql.mailboxes import SqlMailboxes
from tests.chaos.mails import Letters
from tests.chaos.points import intake_points, points
from tests.chaos.processes import AT_RANDOM, Plan, TriageProcess
from tests.chaos.providers import Caller
from tests.chaos.senders import Feed, Hook, Post
from tests.conftest import PATIENCE
from tests.e2e.installation import SEEDED, Installation
from tests.servers import free_port
from tests.servers.dovecot import Person
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Case, Outcome
from triage.domain.mailboxes import SyncCursor
from triage_sandbox.jira import Fault, jira_app
from triage_sandbox.server import Served

T = TypeVar("T")

SPARKS: Final = (0.25, 0.6, 0.9)
"""Seconds that the first lives of all get: they die while the database is made."""
SETTLING: Final = "2"
"""Seconds until a ticket without an answer is looked for; Jira answers in far less here."""
LOOK: Final = 0.2
ASKED: Final = frozenset({0, -signal.SIGTERM})
"""Exit codes of who is asked to go: all is well, or it was not even up yet."""

TICKETS: Final = """
    SELECT ticket.key, value FROM ticket
    LEFT JOIN property ON property.entity = 'issue' AND property.owner = ticket.id AND property.key = 'triage'
    WHERE ticket.number > ?
"""
"""All that are new, also one that would not carry our property."""
COMMENTS: Final = """
    SELECT ticket.key, value FROM comment JOIN ticket ON ticket.id = comment.issue
    JOIN property ON property.entity = 'comment' AND property.owner = comment.id AND property.key = 'triage'
"""


CLOSED: Final = """
    SELECT ticket.key FROM ticket JOIN status ON status.id = ticket.status
    WHERE ticket.number > ? AND status.category = 'done'
"""
FILES: Final = (
    "SELECT issue.id, content FROM attachment JOIN issue ON issue.id = attachment.issue WHERE issue.number > ?"
)


@dataclass(frozen=True, slots=True)
class Stored:
    """One mail as the store has it."""

    source: str
    raw: bytes
    case: Case
    due: bool
    """A worker has it, or will."""

    @property
    def unfinished(self) -> bool:
        """Nobody can say yet what became of it. One that has its end may come back to tell of a flood's last mails."""
        return self.case.outcome is None or (self.due and self.case.collects is None)


@dataclass(frozen=True, slots=True)
class Written:
    """A ticket or comment of ours, as Jira's own tables have it."""

    key: str
    """Of the ticket."""
    case: str
    """Which it says it is from."""
    label: str


@dataclass(eq=False)
class ChaosRun:
    """Everything of one run, to be looked at when it is over."""

    feed: Feed
    serve: TriageProcess
    work: TriageProcess
    jira: Path
    """The sandbox's file."""
    installation: Installation

    @property
    def processes(self) -> tuple[TriageProcess, TriageProcess]:
        """Both processes."""
        return self.serve, self.work

    @property
    def answers(self) -> Counter[str]:
        """What providers heard, by status."""
        return sum((hook.answers for hook in self.feed.hooks), Counter())

    def lose_an_answer(self) -> None:
        """Jira will make the next ticket, and hang up."""
        self.installation.jira.fault(Fault(do="reset_after", method="POST", path="/issue$"))

    async def kindle(self, plan: Plan) -> None:
        """Up to where mail may come: first lives that end too early, then one that opens mailbox and door."""
        for seconds in SPARKS:
            self.serve.start()
            await asyncio.sleep(seconds)
            self.serve.kill()
        began = time.monotonic()
        self.serve.start()
        await until(self._open, PATIENCE, self.serve)
        self.serve.kill()
        self.serve.coming_up = self.work.coming_up = max(time.monotonic() - began, 1.0)
        plan.killed[AT_RANDOM] += len(SPARKS) + 1

    async def settle(self, seconds: float) -> None:
        """Nobody is killed any more: until all is brought, taken and worked on; then the processes are asked to go."""
        for process in self.processes:
            process.start()
        await self.feed.release(len(self.feed.mails))
        await until(self._quiet, seconds, *self.processes)
        codes = {process.end() for process in self.processes}
        assert codes <= ASKED, "\n".join([str(codes), *(process.told() for process in self.processes)])

    async def replay_quarantine(self) -> int:
        """Mails that our kills have put aside are brought back, as a person would do it; how many were aside."""
        aside = [one.case.id for one in await self.stored() if one.case.outcome is Outcome.QUARANTINED]
        for case in aside:
            await asyncio.to_thread(self.installation.triage, "replay", case)
        return len(aside)

    async def stored(self, *which: ColumnElement[bool]) -> list[Stored]:
        """All mails or some, with their raw bytes."""
        both = mails.join(raw_mails, raw_mails.c.case_id == mails.c.id).join(cases, cases.c.case_id == mails.c.id)
        columns = (mails.c.source, raw_mails.c.raw, cases.c.data, jobs.c.due)
        question = select(*columns).select_from(both.join(jobs, jobs.c.case_id == mails.c.id)).where(*which)
        rows = await self._ask(lambda connection: connection.execute(question).all())
        return [Stored(row.source, bytes(row.raw), row.data, row.due is not None) for row in rows]

    async def cursor(self) -> int:
        """Up to where the mailbox is said to be taken in."""
        standing = await self._standing()
        return standing.uid if standing else 0

    def tickets(self) -> list[Written]:
        """Those that were not there before."""
        return self._written(TICKETS, SEEDED)

    def comments(self) -> list[Written]:
        """Ours."""
        return self._written(COMMENTS)

    def closed(self) -> list[str]:
        """New tickets that are done already, though nobody here works on tickets."""
        return [key for (key,) in self._of_jira(CLOSED, SEEDED)]

    def files(self) -> list[tuple[int, bytes]]:
        """What hangs on new tickets, and on which."""
        return self._of_jira(FILES, SEEDED)

    def _written(self, question: str, *values: int) -> list[Written]:
        rows = [(key, json.loads(value or "{}")) for key, value in self._of_jira(question, *values)]
        return [Written(key, str(value.get("case")), str(value.get("label"))) for key, value in rows]

    def _of_jira(self, question: str, *values: int) -> list[Any]:
        with closing(sqlite3.connect(self.jira)) as connection:
            return connection.execute(question, values).fetchall()

    async def _open(self) -> bool:
        """It listens, and has looked into the mailbox."""
        standing = await self._standing() if "listening on" in self.serve.told() else None
        return standing is not None and standing.validity > 0

    async def _quiet(self) -> bool:
        """Nothing is under way any more."""
        if not all([await sender.quiet() for sender in self.feed.senders]):
            return False
        return not any(one.unfinished for one in await self.stored(jobs.c.due.is_not(None)))

    async def _standing(self) -> SyncCursor | None:
        async with self._database() as database:
            return await SqlMailboxes(database).cursor(self.feed.post.person.name)

    async def _ask(self, work: Callable[[Connection], Sequence[T]]) -> Sequence[T]:
        async with self._database() as database:
            return await database.read(work)

    @asynccontextmanager
    async def _database(self) -> AsyncIterator[Database]:
        """Open only while it is looked into: a connection of ours would keep the files of the dead in order."""
        database = Database(self.installation.extra["DATABASE_URL"])
        try:
            yield database
        finally:
            await database.close()


@asynccontextmanager
async def open_app(
    folder: Path, url: str, person: Person, callers: Sequence[Caller], letters: Letters, chance: Random
) -> AsyncIterator[ChaosRun]:
    """An installation with an empty database and mailbox, and a Jira as the demo has it; nothing of it runs afterwards."""
    folder.mkdir()
    port, jira, post = free_port(), folder / "jira.db", Post(person)
    hooks = tuple(Hook(caller, f"http://127.0.0.1:{port}", chance) for caller in callers)
    app = jira_app(database=jira)
    with Served(app) as served:
        extra = {
            "DATABASE_URL": url,
            "PORT": str(port),
            "SETTLE_SECONDS": SETTLING,
            "LEASE_SECONDS": "3",
            "LOG_LEVEL": "WARNING",
        }
        for settings in (post.settings, *(caller.settings for caller in callers)):
            extra |= settings
        installation = Installation(folder=folder, jira=RunningJira(served, app), extra=extra)
        everywhere, behind = points(), tuple(point for point in points() if point not in intake_points())
        serve, work = (
            TriageProcess((word,), names, folder, installation.environment, chance)
            for word, names in (("serve", everywhere), ("work", behind))
        )
        try:
            yield ChaosRun(Feed(deque(letters.planned), letters.spare, post, hooks), serve, work, jira, installation)
        finally:
            serve.kill()
            work.kill()
            for hook in hooks:
                await hook.stop()


async def until(look: Callable[[], Awaitable[bool]], seconds: float, *processes: TriageProcess) -> None:
    """Wait for it, while those live who are to bring it about."""
    deadline = time.monotonic() + seconds
    while not await look():
        for process in processes:
            process.must_live()
        assert time.monotonic() < deadline, "\n".join([f"not within {seconds:g} s:", *(v.told() for v in processes)])
        await asyncio.sleep(LOOK)

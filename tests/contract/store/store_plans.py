"""What every store must do after years: nothing on the way of a mail or of a page looks at all that is finished."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any, Final

from sqlalchemy import (
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Engine,
    Insert,
    Integer,
    LargeBinary,
    Table,
    Text,
    cast,
    event,
    func,
    insert,
    literal,
    select,
    text,
    true,
    update,
)
from sqlalchemy.types import Double

from integrations.sql.database.schema import JobState, jobs, metadata
from integrations.sql.database.types import JsonDataclass, UtcDateTime
from integrations.sql.store import SqlStore
from tests.contract.store.leased_case.fence import BOOK_WRITES
from tests.contract.store.store_samples import (
    HOUR,
    MESSAGE,
    MORNING,
    OPENING,
    SAME,
    TICKET,
    TURN,
    full,
    leased,
    mail,
    step,
)
from triage.domain.cases import Case, Outcome
from triage.domain.conversation import Usage
from triage.domain.effects import EffectState
from triage.domain.findings import Disposition
from triage.domain.letters import Letter, LetterKind, LetterState
from triage.domain.mail import Address, CopyState
from triage.domain.queueing.fair_order import Flow
from triage.domain.reports import CaseFilter
from triage.domain.traces import Group, Sketch

FINISHED: Final = 3000
"""Cases that are done: enough for a planner to see what reading all of them costs."""
FIRST: Final = 100
"""The number of the first of them."""
SMALL: Final = frozenset(
    {
        "api_tokens",
        "accounts",
        "sessions",
        "saved_views",
        "webhooks_out",
        "webhook_deliveries",
        "ticket_numbers",
        "secrets",
        "mailboxes",
        "webhook_seen",
        "ticket_coverage",
        "ticket_changes",
        "articles",
        "article_sources",
        "article_changes",
    }
)
"""Tables that do not grow with the mails, or only where somebody is told of each."""
BIG: Final = tuple(table for table in metadata.sorted_tables if table.name not in SMALL)
NARROW: Final = frozenset(
    {
        "ix_jobs_open",
        "ix_jobs_turn",
        "ix_jobs_sender",
        "ix_jobs_mailbox",
        "ix_jobs_behind",
        "ix_tickets_doubted_at",
        "ix_archived_mails_state",
    }
)
"""Indexes of what is not finished: all of them may be read."""
COUNTED: Final = "ix_cases_outcome"
"""What `counts` reads of each case: a few bytes, and nothing of the case."""
FEW_VALUES: Final = ("INDEX ix_cases_outcome (outcome=? AND case_id<?)", "INDEX ix_traces_brake (brake=? AND at<?)")
"""Searches that find nearly every case, unless they stop at the first page of them."""
LETTER: Final = Letter(
    key="case-100:reply:1",
    case="case-100",
    kind=LetterKind.ANSWER,
    to=(Address(address="ada@example.com"),),
    subject="Re: export",
    body="It works again.",
    message_id="1.case-100@example.org",
    state=LetterState.SENT,
)

Asked = tuple[str, Any]
"""A statement with its values."""


def value_of(column: Column[Any], number: int) -> Any:
    """Something for a column of a finished case's row."""
    known = {
        "outcome": Outcome.TICKETED,
        "case_id": number,
        "id": number,
        "run": f"case-{number}/1",
        "brake": "",
        "status": "completed",
        "number": 1,
        "opening": OPENING,
        "answer": TURN,
        "usage": Usage(),
        "facts": {},
        "tool_calls_log": (),
        "people": ("a",),
        "disposition": Disposition.WORK,
    }
    states = {
        "letters": "sent",
        "jobs": JobState.DONE,
        "effects": EffectState.DONE,
        "approvals": "accepted",
        "archived_mails": CopyState.KEPT,
    }
    if column.name == "state":
        return states[column.table.name]
    if column.name == "data":
        nouns = {"tickets": TICKET, "letters": LETTER}
        return nouns.get(column.table.name, Case(id="x", source="file", received_at=MORNING))
    if column.name in known:
        return known[column.name]
    if column.nullable and column.name not in {"ticket", "updated"}:
        return None
    kinds = {UtcDateTime: MORNING, Integer: 0, Boolean: False, LargeBinary: b"x", Double: 0.0, JsonDataclass: None}
    return next((some for kind, some in kinds.items() if isinstance(column.type, kind)), f"{column.name}-{number}")


def _multiply(table: Table) -> Insert:
    """The first row again under each later number; the database does it, in a tenth of the time of encoding each."""
    numbers = select(literal(FIRST + 1).label("number")).cte("numbers", recursive=True)
    more = select(numbers.c.number + 1).where(numbers.c.number < FIRST + FINISHED - 1)
    number = numbers.union_all(more).c.number

    def of(column: Column[Any]) -> ColumnElement[Any]:
        some = value_of(column, FIRST)
        if some == value_of(column, FIRST + 1):
            return column
        return number if isinstance(some, int) else func.replace(column, str(FIRST), cast(number, Text))

    values = select(*map(of, table.columns)).select_from(table.join(number.table, true()))
    return insert(table).from_select([c.name for c in table.columns], values)


def fill(connection: Connection) -> None:
    """Thousands of finished cases, in every table, and what the database knows of them."""
    for table in BIG:
        connection.execute(insert(table), {c.name: value_of(c, FIRST) for c in table.columns})
        connection.execute(_multiply(table))
    if connection.dialect.name == "postgresql":  # SQLite is not told to look at its tables, here as elsewhere
        for table in (table for table in BIG if table.c.get("id") is not None):
            connection.execute(text(f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), {FIRST + FINISHED})"))
        connection.execute(text("ANALYZE"))


@contextmanager
def asked_meanwhile() -> Iterator[list[Asked]]:
    """The statements that all stores of this process run meanwhile, each once."""
    seen: dict[str, Any] = {}

    def running(_c: object, _cursor: object, statement: str, values: Any, _context: object, many: bool) -> None:  # noqa: FBT001 - SQLAlchemy's call
        if not statement.startswith(("PRAGMA", "BEGIN", "EXPLAIN")):
            seen.setdefault(statement, values[0] if many else values)

    event.listen(Engine, "before_cursor_execute", running)
    found: list[Asked] = []
    try:
        yield found
    finally:
        event.remove(Engine, "before_cursor_execute", running)
        found += seen.items()


def whole_reads(connection: Connection, asked: Sequence[Asked]) -> list[str]:
    """The tables that a statement would read from end to end, or nearly so."""
    if connection.dialect.name == "postgresql":
        return [read for one in asked for read in _by_postgres(connection, *one)]
    return [read for one in asked for read in _by_sqlite(connection, *one)]


def _by_sqlite(connection: Connection, statement: str, values: Any) -> Iterator[str]:
    if statement.startswith("INSERT") and "SELECT" not in statement:
        return  # its plan names the tables that refer to it, which SQLite reads only while a reference is broken
    for *_, told in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values).all():
        name = told.split()[1] if told.startswith("SCAN ") else ""
        common = any(index in told for index in FEW_VALUES) and "ORDER BY" not in statement
        # Without a condition it is the newest page of all.
        whole = name in _names(statement) and "WHERE" in statement and not any(index in told for index in NARROW)
        if common or whole:
            yield f"{told}: {statement}"


def _names(statement: str) -> set[str]:
    """Big tables, under the names that the statement gives them."""
    words = statement.replace(",", " ").replace("(", " ").replace(")", " ").split()
    aliases = {
        words[at + 2].strip('"')
        for at, word in enumerate(words[:-2])
        if word in {table.name for table in BIG} and words[at + 1] == "AS"
    }
    return {table.name for table in BIG} | aliases


def _by_postgres(connection: Connection, statement: str, values: Any) -> Iterator[str]:
    # As if all were in memory: by the cost of a disk, some thousand rows are hardly dearer than fifty of them.
    connection.exec_driver_sql("SET LOCAL random_page_cost = 1")
    told = connection.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement}", values).scalar()
    plan = told if isinstance(told, list) else json.loads(str(told))
    for node in _nodes(plan[0]["Plan"]):
        if node["Node Type"] == "Seq Scan" and node["Relation Name"] in {table.name for table in BIG}:
            yield f"Seq Scan {node['Relation Name']} {node.get('Filter', '')}: {statement}"


def _nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for below in node.get("Plans", ()):
        yield from _nodes(below)


def plans(asked: Sequence[Asked], connection: Connection, *, cheap_reads: bool = False) -> list[str]:
    """How the database would answer; with `cheap_reads` as if PostgreSQL had all in memory and knew how many jobs wait."""
    postgres = connection.dialect.name == "postgresql"
    if postgres and cheap_reads:
        connection.execute(text("ANALYZE jobs"))
        connection.exec_driver_sql("SET LOCAL random_page_cost = 1")
    explain = "EXPLAIN" if postgres else "EXPLAIN QUERY PLAN"
    return [str(row[-1]) for one, values in asked for row in connection.exec_driver_sql(f"{explain} {one}", values)]


class PlansContract:
    """What is asked of a database full of finished cases."""

    async def test_way_of_a_mail(self, store: SqlStore) -> None:
        """From the door to the end no statement of a mail's way reads a table from end to end.

        The next job, and the turn of a new one, are found by indexes without sorting, however many wait.
        """
        await store._database.write(fill)
        with asked_meanwhile() as asked:
            await self._handled(store)

        assert [one for one, _ in asked if one.startswith("UPDATE cases")]
        assert await self._whole(store, asked) == []

        await store._database.write(lambda c: c.execute(update(jobs).values(state=JobState.READY, due=MORNING)))
        with asked_meanwhile() as asked:
            await store.inbox.accept(replace(mail(1), flow=Flow("ada")))
            await store.jobs.lease("w", 60)
        about = [one for one in asked if "turn" in one[0] and not one[0].startswith("INSERT")]
        told = await store._database.write(partial(plans, about, cheap_reads=True))

        assert len(about) == 2
        assert [line for line in told if "Sort" in line or "TEMP B-TREE" in line or "Seq Scan on jobs" in line] == []
        assert {name for name in NARROW if any(name in line for line in told)} >= {"ix_jobs_turn", "ix_jobs_sender"}

    async def test_questions(self, store: SqlStore) -> None:
        """Each count, list, page and report is found by an index, and so is what the archive is asked every hour and of each of its mails.

        Whether a sender has reported is asked of his own mails, and not of all that made a ticket.
        """
        await store._database.write(fill)
        await self._counts(store)
        with asked_meanwhile() as asked:
            await self._pages(store)
            await self._archive(store)
        assert await self._whole(store, asked) == []

        await store.inbox.accept(mail(1))
        with asked_meanwhile() as asked:
            assert not await store.jobs.open(await leased(store)).history.reported()
        about = [one for one in asked if "traces.sender" in one[0]]
        told = "\n".join(await store._database.write(partial(plans, about)))
        assert "ix_traces_sender" in told
        assert "case_id<?" not in told

        with asked_meanwhile() as asked:  # the look at plans finds a question that no index answers
            await store._database.read(lambda c: c.execute(text("SELECT id FROM effects WHERE note = 'x'")).all())
        assert len(await self._whole(store, asked)) == 1

    async def _whole(self, store: SqlStore, asked: Sequence[Asked]) -> list[str]:
        return await store._database.read(lambda c: whole_reads(c, asked))

    async def _counts(self, store: SqlStore) -> None:
        """Cases are counted by a narrow index, without a look at the cases or their jobs."""
        with asked_meanwhile() as asked:
            counts = await store.archive.counts()
        reads = await self._whole(store, asked)

        assert counts == {"ticketed": FINISHED}
        assert [read for read in reads if COUNTED not in read and "Seq Scan cases" not in read] == []

    async def _pages(self, store: SqlStore) -> None:
        """Lists of each state, page by page, a report, what waits for people, health."""
        for state in (None, *Outcome, "ready", "working", "retrying", "dead"):
            await store.archive.cases(50, state)
            await store.archive.cases(50, state, before="case-2000")
        for where in (
            CaseFilter(needs_at=MORNING),
            CaseFilter(snoozed_at=MORNING),
            CaseFilter(one_per_thread=True),
        ):
            await store.case_lists.page(50, None, where)
            await store.case_lists.page(50, "case-2000", where)
        await store.archive.cases(20, where=CaseFilter(ticket="ticket-200"))
        await store.case_lists.thread("case-200", 10)
        await store.case_lists.changes((await store.case_lists.changes(None)).pulse)
        await store.archive.report("case-200")
        await store.archive.raw("case-200")
        await store.archive.approvals()
        await store.health.probe()
        await store.jobs.next_due()

    async def _archive(self, store: SqlStore) -> None:
        """A mail that moves to the archive, and what is unwanted there."""
        [found] = await store.mail_archive.movable(MORNING + timedelta(hours=1), "", 1)
        await store.mail_archive.begin(found)
        await store.mail_archive.keep(found)
        await store.mail_archive.unwanted()

    async def _handled(self, store: SqlStore) -> None:
        """A mail through everything that the store is asked on its way."""
        for number in range(4):
            await store.inbox.accept(mail(f"new-{number}"))
        lease = await leased(store)
        leased_case = store.jobs.open(lease)
        case = full(await leased_case.cases.load())
        await leased_case.cases.save(case, step())
        await leased_case.cases.peek("case-200")
        await leased_case.cases.raw()
        await leased_case.threads.ahead("a@x", [])
        for write in BOOK_WRITES.values():
            await write(store, leased_case, lease)
        await leased_case.journal.opening("case-1/1")
        await leased_case.journal.turn("case-1/1", 1)
        await leased_case.journal.result("case-1/1", "call-1")
        await leased_case.ledger.effects()
        await leased_case.ledger.attached("OPS-1", "hash")
        await leased_case.ledger.reports("OPS-1")
        await leased_case.ledger.highest("OPS")
        ids = MESSAGE.ids
        await leased_case.threads.thread_ticket(ids)
        await leased_case.threads.unfinished(ids)
        await leased_case.threads.related(ids)
        await leased_case.threads.participants(ids, "OPS-1")
        await leased_case.threads.trace(replace(SAME, sketch=Sketch()), HOUR)
        await leased_case.history.reported()
        await leased_case.throttle.group_counts(HOUR)
        await leased_case.threads.earlier_tickets(HOUR)
        await leased_case.threads.earlier_tickets(HOUR, alike=False)
        for group in Group:
            await leased_case.throttle.group_state(group, HOUR)
            await leased_case.throttle.throttle(group, seconds=HOUR, every=10, apart=60)
            await leased_case.throttle.digest(group, HOUR)
        await store.tickets.keep([TICKET])
        await store.tickets.tickets(["OPS-1", "OPS-2"])
        await store.tickets.changes("OPS", 0, 20)
        await store.tickets.changes("OPS", 0, 20, latest=True)
        await store.tickets.between("OPS", 1, 50)
        await store.tickets.mark_stale(["OPS-7"])
        await store.tickets.stale("OPS", 10)
        await store.jobs.open(lease).cases.finish()
        for end in (
            store.jobs.postpone(await leased(store), 5, "later"),
            store.jobs.dead_letter(await leased(store), "dead"),
        ):
            await end
        await store.jobs.lease_case("case-4", "w", 60)

"""Statements of one commit: neighbours that are alike run as one, and none loses a value."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Column, Engine, Integer, MetaData, Table, Text, create_engine, event, insert, select

from integrations.sql.leased_case.fence import Statement, run_all
from integrations.sql.store import open_store
from tests.contract.store.store_samples import HeldClock, full, opened, step
from tests.database import migrated

LINES = Table("lines", MetaData(), Column("id", Integer, primary_key=True), Column("a", Text), Column("b", Text))
PUT = insert(LINES)
BACK = insert(LINES).returning(LINES.c.a)


@pytest.mark.parametrize(
    ("statements", "runs"),
    [
        pytest.param([(PUT, {"a": "1"}), (PUT, {"a": "2"}), (PUT, {"a": "3"})], 1, id="alike"),
        pytest.param([(PUT, {"a": "1"}), (PUT, {"a": "2", "b": "x"}), (PUT, {"b": "y"})], 3, id="other columns"),
        pytest.param([(PUT, [{"a": "1"}, {"a": "2"}]), (PUT, {"a": "3"})], 2, id="several rows already"),
        pytest.param([(PUT, {"a": "1"}), (select(LINES.c.a), {}), (PUT, {"a": "2"})], 3, id="another between"),
    ],
)
def test_alike_statements_run_as_one(statements: list[Statement], runs: int) -> None:
    """In their order, with all their values; only statements of the same columns are joined."""
    engine, sent = create_engine("sqlite://"), []
    event.listen(engine, "before_cursor_execute", lambda *said: sent.append(said[2]))
    with engine.connect() as connection:
        LINES.create(connection)
        sent.clear()
        run_all(connection, statements)
        assert len(sent) == runs
        kept = [tuple(row) for row in connection.execute(select(LINES.c.a, LINES.c.b).order_by(LINES.c.id))]

    rows = [row for _, given in statements for row in ([given] if isinstance(given, Mapping) else given) if row]
    assert kept == [(row.get("a"), row.get("b")) for row in rows]


async def test_lines_of_several_steps_are_one_statement(tmp_path: Path) -> None:
    """Whatever is deferred between them, and in their order; the first lease of a case asks for nothing that only it can have written."""
    store, sent = await open_store(f"sqlite:///{migrated(tmp_path / 'triage.db')}", HeldClock()), []
    leased_case = await opened(store)
    case = full(await leased_case.cases.load())
    event.listen(Engine, "before_cursor_execute", seen := lambda *said: sent.append(said[2]))
    try:
        for name in ("route", "classify"):
            await leased_case.cases.save(replace(case, done=(*case.done, name)), step(name), calls=1, deferred=True)
            await leased_case.threads.link([f"{name}@x"], "hash", None, deferred=True)
        assert (await leased_case.ledger.effects(), await leased_case.journal.opening("case-1/1"), sent) == (
            (),
            None,
            [],
        )
        await leased_case.cases.flush()
    finally:
        event.remove(Engine, "before_cursor_execute", seen)

    assert [sum(f"INTO {table} " in one for one in sent) for table in ("steps", "email_events")] == [1, 1]
    assert [line.name for line in (await store.archive.report(case.id)).steps] == ["route", "classify"]
    await store.close()


def test_the_rows_of_the_last_statement() -> None:
    """Two alike that return rows stay two, so that those of the last one alone come back."""
    engine = create_engine("sqlite://")
    with engine.connect() as connection:
        LINES.create(connection)

        assert [row.a for row in run_all(connection, [(BACK, {"a": "1"}), (BACK, {"a": "2"})])] == ["2"]

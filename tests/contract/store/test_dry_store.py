"""The store of a dry run: it knows what the real one knows, and the real one learns nothing of it."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, select

from integrations.sql.database import schema
from integrations.sql.database.engine import Database
from integrations.sql.dry_run import LEFT_OUT, dry_store
from integrations.sql.store import SqlStore, open_store
from tests.contract.store.store_samples import HeldClock, mail
from triage.domain.operations.errors import MailGone


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Of a database with our tables or a file that is not there yet."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'triage.db'}"
    return str(request.getfixturevalue("postgres_url"))


async def content(url: str) -> dict[str, list[Any]]:
    """All rows of all tables."""
    database = Database(url)

    def rows(connection: Connection) -> dict[str, list[Any]]:
        return {table.name: list(connection.execute(select(table)).all()) for table in schema.metadata.sorted_tables}

    try:
        return await database.read(rows)
    finally:
        await database.close()


async def worked_on(url: str) -> None:
    """Two cases, one of them with a ticket, a thread and an effect of its own."""
    store = await open_store(url, HeldClock())
    for number in range(2):
        await store.inbox.accept(mail(str(number)))
    lease = await store.jobs.lease("real", 60)
    assert lease
    leased_case = store.jobs.open(lease)
    await leased_case.threads.link(["<parent@a.example>"], "content", "OPS-7", ["ada@a.example"])
    await leased_case.ledger.saw("OPS", 7)
    await leased_case.cases.flush()
    await store.health.secret()
    await store.jobs.open(lease).cases.finish()
    await store.close()


async def told(store: SqlStore) -> tuple[Any, ...]:
    """What a new mail's case reads of those before it."""
    case = await store.inbox.accept(mail("new"))
    lease = await store.jobs.lease_case(case, "dry", 60)
    assert lease
    leased_case = store.jobs.open(lease)
    parent = ["<parent@a.example>"]
    await leased_case.threads.link(["<new@a.example>"], "content", "OPS-8")
    return (
        case,
        await leased_case.threads.thread_ticket(parent),
        await leased_case.threads.participants(parent, "OPS-7"),
        await leased_case.ledger.highest("OPS"),
        [line.id for line in await store.archive.cases()],
    )


async def test_it_knows_and_leaves_alone(url: str) -> None:
    """Threads, people, ticket numbers and cases are those of the real store; not one of its rows changes."""
    await worked_on(url)
    before = await content(url)
    async with dry_store(url, HeldClock()) as store:
        seen, secret = await told(store), await store.health.secret()

    assert seen == ("case-3", "OPS-7", frozenset({"ada@a.example"}), 7, ["case-3", "case-2", "case-1"])
    assert secret == before["secrets"][0].value
    assert await content(url) == before


async def test_the_mail_of_one_case_comes_along(url: str) -> None:
    """A dry replay reads the mail anew; no other mail's bytes are in the copy."""
    await worked_on(url)
    async with dry_store(url, HeldClock(), "case-2") as store:
        raw = await store.archive.raw("case-2")
        with pytest.raises(MailGone):
            await store.archive.raw("case-1")

    assert raw == mail("1").raw


async def test_a_store_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    """A dry run on a new machine leaves no file."""
    file = tmp_path / "none.db"
    async with dry_store(f"sqlite:///{file}", HeldClock()) as store:
        case = await store.inbox.accept(mail())

    assert (case, file.exists()) == ("case-1", False)


def test_only_journals_and_bytes_are_left_out() -> None:
    """A new table is copied unless it is named here: what decisions look at must be there."""
    assert set(schema.metadata.tables) > LEFT_OUT
    assert LEFT_OUT.isdisjoint({"cases", "mails", "jobs", "effects", "thread_ids", "traces", "tickets", "approvals"})

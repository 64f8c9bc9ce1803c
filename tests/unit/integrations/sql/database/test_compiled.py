"""A statement is compiled once by the process, whichever of its databases asks first, and then run by the driver as SQLAlchemy would run it."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta, timezone
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import (
    BindParameter,
    Column,
    Connection,
    Executable,
    Integer,
    MetaData,
    Table,
    bindparam,
    column,
    delete,
    event,
    func,
    insert,
    literal,
    make_url,
    select,
    text,
    update,
)
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import StatementError

from integrations.sql.database.compiled import SHARED, DirectConnection, SharedCacheSqlite
from integrations.sql.database.engine import Database
from integrations.sql.database.sqlite import plain_engine
from integrations.sql.database.types import JsonDataclass, SafeText, UtcDateTime
from triage.domain.errors import StoreDown

LINES: Final = Table(
    "lines",
    MetaData(),
    Column("id", Integer, primary_key=True),
    Column("name", SafeText, nullable=False, unique=True),
    Column("at", UtcDateTime),
    Column("of", JsonDataclass(tuple[int, ...]), nullable=False, default=()),
    Column("note", SafeText, nullable=False, default="none", onupdate="changed"),
)
NOON: Final = datetime(2026, 11, 20, 12, tzinfo=timezone(timedelta(hours=2)))
ONE: Final = {"name": "one", "at": NOON, "of": (1, 2)}
NAMES: Final[BindParameter[Any]] = bindparam("names", expanding=True)
UPSERT: Final = sqlite.insert(LINES)


async def test_another_database_knows_what_one_has_compiled(tmp_path: Path) -> None:
    """The writer and the readers of two files share it, each with the values of its own question."""
    known, found = SHARED["compiled_cache"], []

    def ask(number: int, connection: Connection) -> int:
        return int(connection.execute(select(literal(number).label("shared_by_all"), column("1"))).one()[0])

    for number, name in enumerate(("a.db", "b.db")):
        database = Database(f"sqlite:///{tmp_path / name}")
        for way in (database.write, database.read):
            found.append(await way(partial(ask, number)))
            assert len([key for key in known if "shared_by_all" in str(known[key])]) == 1
        await database.close()

    assert found == [0, 0, 1, 1]


def test_another_version_compiles_anew() -> None:
    """What one version of a server understands another one may not."""
    old, new, same = SharedCacheSqlite(), SharedCacheSqlite(), SharedCacheSqlite()
    old.server_version_info, new.server_version_info, same.server_version_info = (3, 34), (3, 40), (3, 40)

    assert (old == new, new == same, new == "sqlite") == (False, True, False)
    assert len({old, new, same}) == 2


def connected() -> DirectConnection:
    """A connection to a database in memory that has three lines."""
    connection = DirectConnection(plain_engine(make_url("sqlite://")))
    LINES.create(connection)
    rows = ((name, number) for number, name in enumerate(("a", "b", "c"), 1))
    connection.execute(LINES.insert(), [{"name": name, "of": (number,), "at": NOON} for name, number in rows])
    return connection


def kept(connection: Connection) -> Sequence[Any]:
    """All lines."""
    return connection.execute(select(LINES).order_by(LINES.c.id)).all()


@pytest.mark.parametrize(
    ("statement", "values"),
    [
        pytest.param(select(LINES).order_by(LINES.c.id), {}, id="types of columns"),
        pytest.param(select(LINES.c.of).where(LINES.c.at == bindparam("at")), {"at": NOON}, id="type of a value"),
        pytest.param(select(LINES.c.id).where(LINES.c.name == "b"), None, id="a constant"),
        pytest.param(select(LINES.c.id).where(LINES.c.name.in_(["a", "c"])), {}, id="constants in a list"),
        pytest.param(select(LINES.c.id).where(LINES.c.name.in_(NAMES)), {"names": ["c", "a"]}, id="a list"),
        pytest.param(select(LINES.c.id).where(LINES.c.name.in_(NAMES)), {"names": []}, id="an empty list"),
        pytest.param(select(LINES.c.id).where(LINES.c.name.in_(NAMES)), {"names": [*"abcdef"]}, id="a long list"),
        pytest.param(select(LINES.c.id, func.count().label("id")), {}, id="two columns of one name"),
        pytest.param(insert(LINES), ONE, id="defaults"),
        pytest.param(insert(LINES), ONE | {"note": "x\0", "at": None}, id="what would be a default"),
        pytest.param(insert(LINES), [ONE | {"name": "x"}, ONE | {"name": "y"}], id="several rows"),
        pytest.param(insert(LINES).returning(LINES.c.of), ONE, id="a row back"),
        pytest.param(insert(LINES).returning(LINES.c.id), [ONE, ONE | {"name": "y"}], id="several rows back"),
        pytest.param(
            UPSERT.on_conflict_do_update(index_elements=["name"], set_={"of": UPSERT.excluded.of}),
            ONE | {"name": "a"},
            id="a conflict",
        ),
        pytest.param(update(LINES).where(LINES.c.name == "a"), {"of": (9,)}, id="a column by its value"),
        pytest.param(
            update(LINES).where(LINES.c.id > 1).values(of=(7,)).returning(LINES.c.name), {}, id="changed rows"
        ),
        pytest.param(delete(LINES).where(LINES.c.name == bindparam("gone")), {"gone": "b"}, id="a row less"),
        pytest.param(text("SELECT name FROM lines WHERE id = :id"), {"id": 2}, id="a text"),
    ],
)
def test_the_driver_runs_it_alike(statement: Executable, values: Any) -> None:
    """Rows, their types and number, and what is stored are those of SQLAlchemy, the first time and each time after it."""
    with connected() as plain, connected() as direct:
        wanted = Connection.execute(plain, statement, values)
        rows = (wanted.all() if wanted.returns_rows else None, wanted.returns_rows, wanted.rowcount)
        for _ in range(3):
            direct.execute(delete(LINES))
            direct.execute(insert(LINES), [{**row._mapping} for row in kept(connected())])
            found = direct.execute(statement, values)

            assert (found.all() if found.returns_rows else None, found.returns_rows, found.rowcount) == rows
            assert kept(direct) == kept(plain)


def test_other_values_of_the_same_statement() -> None:
    """Each use has its own values, also where they are more, fewer or others than before."""
    statement = update(LINES).where(LINES.c.name.in_(NAMES))
    with connected() as direct:
        uses: Sequence[tuple[Sequence[str], Mapping[str, Any]]] = [
            (["a"], {"of": (1, 1)}),
            (["b"], {"of": (2, 2)}),
            (["a", "c"], {"of": (3,), "at": NOON}),
            (["b", "a"], {"at": None, "note": "last"}),
            (["c"], {"of": (4,)}),
        ]
        for names, columns in uses:
            direct.execute(statement, {"names": [*names], **columns})
        rows = [(row.name, row.of, row.at, row.note) for row in kept(direct)]

    assert rows == [("a", (3,), None, "last"), ("b", (2, 2), None, "last"), ("c", (4,), NOON, "changed")]
    assert {row[2].tzinfo for row in rows if row[2]} == {UTC}


def test_a_value_that_lacks() -> None:
    """A statement without one of its values is refused, however often it ran with all of them."""
    statement = select(LINES.c.id).where(LINES.c.name == bindparam("name"))
    with connected() as direct:
        assert [direct.scalar(statement, {"name": "b"}) for _ in range(3)] == [2, 2, 2]
        with pytest.raises(StatementError):
            direct.execute(statement, {})


def test_who_listens_hears_all() -> None:
    """No statement passes somebody who listens to what is executed."""
    statement, heard = select(LINES.c.name), []
    with connected() as direct:
        names = [direct.scalars(statement).all() for _ in range(3)]
        event.listen(direct.engine, "before_cursor_execute", lambda *call: heard.append(call[2]))
        names += [direct.scalars(statement).all() for _ in range(2)]

    assert names == [["a", "b", "c"]] * 5
    assert len(heard) == 2


async def test_a_refusal_rolls_back(tmp_path: Path) -> None:
    """What the driver refuses is the store's error as before, and nothing of its transaction stays."""
    database = Database(f"sqlite:///{tmp_path / 'lines.db'}")
    await database.write(LINES.create)

    def twice(connection: Connection) -> None:
        connection.execute(insert(LINES), ONE | {"name": "new"})
        connection.execute(insert(LINES), ONE)

    await database.write(lambda c: c.execute(insert(LINES), ONE))
    for _ in range(3):
        with pytest.raises(StoreDown, match="UNIQUE"):
            await database.write(twice)

    assert [row.name for row in await database.look(kept)] == ["one"]
    await database.close()

"""A statement is compiled once by the process, whichever of its databases asks first."""

from functools import partial
from pathlib import Path

from sqlalchemy import Connection, column, literal, select

from integrations.sql.database.compiled import SHARED, SharedCacheSqlite
from integrations.sql.database.engine import Database


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

"""Runs the migrations when the store is opened."""

from pathlib import Path
from typing import Final

from sqlalchemy import Column, Connection, MetaData, Table, Text, func, inspect, select

from integrations.sql import migrations
from integrations.sql.database.engine import Database
from integrations.sql.database.schema import metadata
from triage.domain.errors import SettingsInvalid

LOCK: Final = 0x7472_6961_6765  # "triage"
VERSION: Final = Table("alembic_version", MetaData(), Column("version_num", Text))


async def migrate(database: Database) -> None:
    """Migrate older tables. Newer ones stay: each version can read what the next one wrote. Raises `SettingsInvalid` for tables of another program."""
    if await database.read(version) < migrations.HEAD:
        await database.rebuild(_upgrade_alone)


def version(connection: Connection) -> str:
    """The newest revision in the database, empty for a new database."""
    if not inspect(connection).has_table(VERSION.name):
        return ""
    return connection.scalar(select(VERSION.c.version_num)) or ""


def _upgrade_alone(connection: Connection) -> None:
    """Upgrade, unless another process did while we waited for the lock; SQLite's transaction is a lock itself."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(LOCK)))
    found = version(connection)
    if not found and (foreign := sorted({*inspect(connection).get_table_names()} & {*metadata.tables})):
        raise SettingsInvalid(
            (f"DATABASE_URL: it holds another program's tables ({foreign[0]}): name an empty database",)
        )
    if found and found < migrations.OLDEST:
        raise SettingsInvalid(
            (
                f"DATABASE_URL: its tables (revision {found}) are older than any that can be migrated: name an empty database",
            )
        )
    if found < migrations.HEAD:
        upgrade(connection)


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Run the revisions up to this one inside the connection's transaction."""
    from alembic import command  # noqa: PLC0415 - loaded only where there is something to do
    from alembic.config import Config  # noqa: PLC0415

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(Path(migrations.__file__).parent).replace("%", "%%"))
    command.upgrade(config, revision)

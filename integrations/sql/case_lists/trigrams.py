"""The index that serves PostgreSQL's searches of parts of words, where its extension `pg_trgm` can be had (decision 198)."""

from typing import Final

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

NAME: Final = "ix_cases_trigrams"
"""Stands outside the schema, since a database may lack it."""
PATIENCE: Final = "45s"
"""What a migration may take to make it: a statement ends after 60 seconds, and the service waits for it at its start."""
_EXTENSION: Final = text("CREATE EXTENSION IF NOT EXISTS pg_trgm")
_PLACE: Final = text(
    "SELECT quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace "
    "WHERE e.extname = 'pg_trgm'"
)
_HURRY: Final = text("SELECT set_config('statement_timeout', :patience, true)")
_WORKS: Final = text(f"SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('{NAME}')")  # noqa: S608 - our own name


def make_index(connection: Connection) -> None:
    """Make it, and the extension; leave both where the database has no such extension, refuses it, or has too many cases."""
    if connection.dialect.name != "postgresql":
        return
    try:
        with connection.begin_nested():
            connection.execute(_HURRY, {"patience": PATIENCE})
            connection.execute(_EXTENSION)
            place = connection.scalar(_PLACE)
            connection.execute(
                text(f"CREATE INDEX IF NOT EXISTS {NAME} ON cases USING gin (words {place}.gin_trgm_ops)")
            )
            connection.execute(_HURRY, {"patience": "0"})
    except DBAPIError as e:
        if e.connection_invalidated:
            raise


def missing(connection: Connection) -> tuple[str, ...]:
    """Return the statements by which an administrator of the database makes what is missing; empty: nothing is."""
    if connection.dialect.name != "postgresql" or (works := connection.scalar(_WORKS)):
        return ()
    place = connection.scalar(_PLACE)
    return (
        *(() if place else ("CREATE EXTENSION pg_trgm",)),
        *(() if works is None else (f"DROP INDEX {NAME}",)),
        f"CREATE INDEX CONCURRENTLY {NAME} ON cases USING gin (words {place or 'public'}.gin_trgm_ops)",
    )

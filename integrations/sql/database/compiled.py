"""Shares compiled statements among all engines of the process.

SQLAlchemy keeps them per engine and dialect object. A store has two engines, and a command or a test opens a store for a few
questions: to compile those took a sixth of what the main thread does for the first mail.
"""

from typing import Any, Final

from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache

SHARED: Final[dict[str, Any]] = {"compiled_cache": LRUCache(1000)}
"""Execution options of every engine."""
SQLITE: Final = "sqlite+alike"
"""The driver's name in the URL of an engine."""


class SharedCacheDialect:
    """Makes dialects of one kind equal where their servers have the same version, so that what one has compiled serves all."""

    server_version_info: Any = None

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.server_version_info == getattr(other, "server_version_info", None)

    def __hash__(self) -> int:
        return hash(type(self))


class SharedCacheSqlite(SharedCacheDialect, SQLiteDialect_pysqlite):
    """SQLite by the standard driver."""

    supports_statement_cache = True


registry.register("sqlite.alike", __name__, SharedCacheSqlite.__name__)

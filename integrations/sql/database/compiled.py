"""Shares compiled statements among all engines of the process, and gives those of SQLite to the driver itself.

SQLAlchemy keeps them per engine and dialect object. A store has two engines, and a command or a test opens a store for a few
questions: to compile those took a sixth of what the main thread does for the first mail. What SQLAlchemy does around a compiled
statement costs several times what SQLite does for a few rows (decision 302).
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Self
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Delete, Dialect, Insert, IteratorResult, Select, Update
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.engine.result import SimpleResultMetaData
from sqlalchemy.util import LRUCache

SHARED: Final[dict[str, Any]] = {"compiled_cache": LRUCache(1000)}
"""Execution options of every engine."""
SQLITE: Final = "sqlite+alike"
"""The driver's name in the URL of an engine."""
SHORT: Final = 4
"""Values of a list in a condition, up to which a statement is compiled for each number of them."""


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


class _Compiled:
    """A statement for values of a certain form: its text for the driver, where each value comes from, how its rows are read."""

    def __init__(self, compiled: Any, first: Mapping[str, Any]) -> None:
        state = compiled.construct_expanded_state(first)
        given: dict[str, tuple[str, int | None]]
        given = {name: (bind.key, None) for bind, name in compiled.bind_names.items() if bind.key in first}
        for name, parts in state.parameter_expansion.items():
            if name in given:
                given |= {part: (given[name][0], at) for at, part in enumerate(parts)}
        fixed = state.parameters | {column.key: column.default.arg for column in _defaults(compiled)}
        names, processors = state.positiontup, compiled._bind_processors | state.processors  # noqa: SLF001 - not public
        self.text: str = state.statement
        self._given = [(at, *given[name], processors.get(name)) for at, name in enumerate(names) if name in given]
        self._fixed = [
            processors[name](fixed[name]) if name in processors and name not in given else fixed[name] for name in names
        ]
        dialect, columns = compiled.dialect, compiled._result_columns or ()  # noqa: SLF001 - the driver's rows have no types
        readers = [one.type.dialect_impl(dialect).result_processor(dialect, None) for one in columns]
        self.rows = SimpleResultMetaData([one.keyname for one in columns], _processors=readers)
        self.returns_rows = bool(columns)

    @classmethod
    def of(cls, statement: Any, first: Mapping[str, Any], dialect: Dialect) -> Self | None:
        """Compile it for values like the first ones; None if values of this form may need another text or a default of SQLAlchemy's."""
        if not isinstance(statement, Select | Insert | Update | Delete):
            return None
        compiled: Any = statement.compile(dialect=dialect, column_keys=[*first], for_executemany=True)
        lists = [first[bind.key] for bind in compiled.post_compile_params if bind.key in first]
        if compiled.literal_execute_params or (compiled.isupdate and compiled.update_prefetch):
            return None
        if not all(type(one) is list and 0 < len(one) <= SHORT for one in lists):
            return None
        if any(bind.callable or (bind.required and bind.key not in first) for bind in compiled.bind_names):
            return None
        return cls(compiled, first) if all(column.default.is_scalar for column in _defaults(compiled)) else None

    def values(self, given: Mapping[str, Any]) -> list[Any]:
        """The values in the order of the text, as the driver takes them."""
        values = self._fixed.copy()
        for at, key, place, process in self._given:
            value = given[key] if place is None else given[key][place]
            values[at] = process(value) if process else value
        return values


def _defaults(compiled: Any) -> Sequence[Any]:
    """The columns whose values are Python's defaults."""
    return compiled.insert_prefetch if compiled.isinsert else ()


_COMPILED: Final[WeakKeyDictionary[Any, dict[tuple[Any, ...], _Compiled | None]]] = WeakKeyDictionary()
"""By statement, from its second use on, and by the form of its values."""


class DirectResult(IteratorResult[Any]):
    """What a statement returned, read whole."""

    def __init__(self, compiled: _Compiled, rows: Sequence[Any], rowcount: int) -> None:
        super().__init__(compiled.rows, iter(rows))
        self.rowcount = rowcount
        self.returns_rows = compiled.returns_rows


class DirectConnection(Connection):
    """A connection to SQLite that gives a statement to the driver itself if the same object was executed before.

    All others are SQLAlchemy's, and so are all while somebody listens to `before_cursor_execute`. Errors of the driver are not wrapped.
    """

    def execute(self, statement: Any, parameters: Any = None, *, execution_options: Any = None) -> Any:
        """As SQLAlchemy's."""
        compiled = (
            None if execution_options or self.dispatch.before_cursor_execute else self._known(statement, parameters)
        )
        if compiled is None:
            return super().execute(statement, parameters, execution_options=execution_options)
        if not self.in_transaction():
            self.begin()
        driver: Any = self.connection.dbapi_connection
        if isinstance(parameters, list):
            cursor = driver.executemany(compiled.text, map(compiled.values, parameters))
        else:
            cursor = driver.execute(compiled.text, compiled.values(parameters or {}))
        return DirectResult(compiled, cursor.fetchall(), cursor.rowcount)

    def scalar(self, statement: Any, parameters: Any = None, *, execution_options: Any = None) -> Any:
        """As SQLAlchemy's."""
        return self.execute(statement, parameters, execution_options=execution_options).scalar()

    def scalars(self, statement: Any, parameters: Any = None, *, execution_options: Any = None) -> Any:
        """As SQLAlchemy's."""
        return self.execute(statement, parameters, execution_options=execution_options).scalars()

    def _known(self, statement: Any, parameters: Any) -> _Compiled | None:
        """What was compiled of the statement for these values; None where SQLAlchemy has to run it."""
        rows = parameters if isinstance(parameters, list) else [parameters or {}]
        if not rows or not isinstance(rows[0], dict):
            return None
        known = _COMPILED.get(statement)
        if known is None:
            _COMPILED[statement] = {}
            return None
        form = tuple([(key, min(len(one), SHORT + 1)) if type(one) is list else key for key, one in rows[0].items()])
        if form not in known:
            known[form] = _Compiled.of(statement, rows[0], self.dialect)
        found = known[form]
        return None if found and found.returns_rows and rows is parameters else found

"""Kinds of fields: which operators each has, and what its clauses are in SQL."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar, Final, Protocol, TypeAlias

from integrations.sandbox.jira.database import Database
from integrations.sandbox.jira.jql import words
from integrations.sandbox.jira.jql.moments import moment_of
from integrations.sandbox.jira.jql.syntax import Clause, Empty, Function, JqlError, Literal, Operand, Several
from integrations.sandbox.jira.stamps import milliseconds_of

Sql: TypeAlias = tuple[str, tuple[Any, ...]]
"""A condition on `issue i`, and its values."""

EQUAL: Final = frozenset({"=", "!=", "IN", "NOT IN", "IS", "IS NOT"})
ORDERED: Final = EQUAL | {"<", "<=", ">", ">="}
TEXT: Final = frozenset({"~", "!~", "IS", "IS NOT"})


@dataclass(frozen=True, slots=True)
class Asker:
    """Who searches, when, and in what."""

    db: Database
    me: str | None
    now: datetime


class Kind(Protocol):
    """A kind of field."""

    operators: ClassVar[frozenset[str]]

    def sql(self, clause: Clause, asker: Asker) -> Sql:
        """The clause; its operator is one of `operators`."""

    @property
    def order(self) -> tuple[str, ...]:
        """Expressions to sort by, none where it cannot be sorted by."""


Resolve: TypeAlias = Callable[[Literal | Function, Clause, Asker], Any]
"""What the database has for a value as written."""


@dataclass(frozen=True, slots=True)
class Column:
    """A field with one value."""

    expression: str
    resolve: Resolve
    order: tuple[str, ...] = ()
    operators: ClassVar[frozenset[str]] = EQUAL

    def sql(self, clause: Clause, asker: Asker) -> Sql:
        """NULL is neither equal nor unequal to anything, in Jira as in SQL."""
        values, with_empty = _members(clause, asker, self.resolve)
        negative = clause.operator in {"!=", "NOT IN", "IS NOT"}
        test = f"{self.expression} {'NOT IN' if negative else 'IN'} ({_marks(values)})"
        empty = f"{self.expression} IS {'NOT ' if negative else ''}NULL"
        if not with_empty:
            return test, values
        return f"({test} {'AND' if negative else 'OR'} {empty})" if values else empty, values


@dataclass(frozen=True, slots=True)
class Ranked:
    """A field with one value that is more or less than another."""

    expression: str
    resolve: Resolve
    rank: str
    """SQL for the rank of a value: more is larger."""
    order: tuple[str, ...] = ()
    operators: ClassVar[frozenset[str]] = ORDERED

    def sql(self, clause: Clause, asker: Asker) -> Sql:
        """Larger and smaller by rank."""
        if clause.operator in EQUAL:
            return Column(self.expression, self.resolve).sql(clause, asker)
        value = self.resolve(_single(clause), clause, asker)
        rank, other = self.rank.format(self.expression), self.rank.format("?")
        return f"{rank} {clause.operator} {other}", (value,)


@dataclass(frozen=True, slots=True)
class Members:
    """A field with several values."""

    table: str
    column: str
    resolve: Resolve
    order: tuple[str, ...] = ()
    operators: ClassVar[frozenset[str]] = EQUAL

    def sql(self, clause: Clause, asker: Asker) -> Sql:
        """`labels != x` means: some labels, and x is none of them."""
        values, with_empty = _members(clause, asker, self.resolve)
        some = f"EXISTS (SELECT 1 FROM {self.table} r WHERE r.issue = i.id)"
        one = f"i.id IN (SELECT issue FROM {self.table} WHERE {self.column} IN ({_marks(values)}))"
        if clause.operator in {"!=", "NOT IN", "IS NOT"}:
            return f"({some} AND NOT {one})", values
        return f"({one} OR NOT {some})" if with_empty else one, values


@dataclass(frozen=True, slots=True)
class Text:
    """A field with words in it."""

    columns: tuple[str, ...]
    """Of the index."""
    filled: str
    """SQL: there is any text."""
    order: tuple[str, ...] = ()
    operators: ClassVar[frozenset[str]] = TEXT

    def sql(self, clause: Clause, asker: Asker) -> Sql:
        """All words in one and the same column."""
        del asker
        if isinstance(clause.operand, Empty):
            return (self.filled if clause.operator == "IS NOT" else f"NOT ({self.filled})"), ()
        value = _single(clause)
        wanted = words.match(value.text) if isinstance(value, Literal) else None
        if wanted is None:
            return "0", ()
        # One word is looked for once; several have to meet in the same column.
        each = self.columns if " AND " in wanted else (f"{{{' '.join(self.columns)}}}",)
        match = " OR ".join(f"{column} : ({wanted})" for column in each)
        found = f"i.id {'NOT ' if clause.operator == '!~' else ''}IN (SELECT rowid FROM words WHERE words MATCH ?)"
        return (f"({found} AND {self.filled})" if clause.operator == "!~" else found), (match,)


@dataclass(frozen=True, slots=True)
class Moment:
    """A point in time, or a day where `days` says so."""

    expression: str
    days: bool = False
    order: tuple[str, ...] = field(default=())
    operators: ClassVar[frozenset[str]] = ORDERED

    def sql(self, clause: Clause, asker: Asker) -> Sql:
        """Compared as the database stores it."""
        if clause.operator in EQUAL:
            return Column(self.expression, self._resolve).sql(clause, asker)
        return f"{self.expression} {clause.operator} ?", (self._resolve(_single(clause), clause, asker),)

    def _resolve(self, value: Literal | Function, clause: Clause, asker: Asker) -> Any:
        when = moment_of(value, clause.field, asker.now)
        return when.date().isoformat() if self.days else milliseconds_of(when)


def _members(clause: Clause, asker: Asker, resolve: Resolve) -> tuple[tuple[Any, ...], bool]:
    """What the operand names, and whether EMPTY is among it."""
    operand: Operand = clause.operand
    members = operand.members if isinstance(operand, Several) else (operand,)
    values = tuple(resolve(member, clause, asker) for member in members if not isinstance(member, Empty))
    return values, any(isinstance(member, Empty) for member in members)


def _single(clause: Clause) -> Literal | Function:
    if isinstance(clause.operand, Literal | Function):
        return clause.operand
    raise JqlError(f"The operator '{clause.operator}' does not support EMPTY for the field '{clause.field}'.")


def _marks(values: tuple[Any, ...]) -> str:
    return ", ".join("?" * len(values))

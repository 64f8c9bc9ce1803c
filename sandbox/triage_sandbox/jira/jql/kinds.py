"""Kinds of JQL fields: the operators that each accepts, and the SQL of its clauses."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Protocol, TypeAlias

from triage_sandbox.jira.ground.stamps import milliseconds_of, seconds_of
from triage_sandbox.jira.jql import words
from triage_sandbox.jira.jql.asker import Asker
from triage_sandbox.jira.jql.domains import Domain, single, values
from triage_sandbox.jira.jql.moments import moment_of
from triage_sandbox.jira.jql.syntax import Clause, Empty, Function, JqlError, Literal, Several

Sql: TypeAlias = tuple[str, tuple[Any, ...]]
"""A condition on `issue i`, and its values."""

EQUAL: Final = frozenset({"=", "!=", "IN", "NOT IN", "IS", "IS NOT"})
ORDERED: Final = EQUAL | {"<", "<=", ">", ">="}
TEXT: Final = frozenset({"~", "!~", "IS", "IS NOT"})
_NEGATIVE: Final = frozenset({"!=", "NOT IN", "IS NOT"})
_MOST_MARKS: Final = 100


class Kind(Protocol):
    """How a kind of field is compared and sorted: the protocol of the classes below."""

    @property
    def operators(self) -> frozenset[str]:
        """The operators that the field takes."""

    @property
    def java(self) -> str:
        """Jira's name for the type of its values."""

    def sql(self, clause: Clause, asker: Asker) -> Sql:
        """Return the SQL clause of a comparison; its operator is one of `operators`."""

    @property
    def order(self) -> tuple[str, ...]:
        """SQL expressions to sort by; empty if it cannot be sorted by."""

    @property
    def descending(self) -> bool:
        """Whether the largest comes first by default."""


def _compared(expression: str, found: Sequence[Any], *, with_empty: bool, negative: bool) -> Sql:
    """NULL is neither equal nor unequal to anything, in Jira as in SQL."""
    empty = f"{expression} IS {'NOT ' if negative else ''}NULL"
    if not found:
        return (empty if with_empty or negative else "0"), ()
    test, bound = member_of(expression, found, negative=negative)
    return (f"({test} {'AND' if negative else 'OR'} {empty})" if with_empty else test), bound


def member_of(expression: str, found: Sequence[Any], *, negative: bool = False) -> Sql:
    """Return SQL for "one of these values" or, negated, "none of them"."""
    if len(found) == 1:
        return f"{expression} {'<>' if negative else '='} ?", (found[0],)
    word = "NOT IN" if negative else "IN"
    if len(found) > _MOST_MARKS:
        return f"{expression} {word} (SELECT value FROM json_each(?))", (json.dumps(list(found)),)
    return f"{expression} {word} ({', '.join('?' * len(found))})", tuple(found)


class Valued:
    """A field with one value of a domain."""

    __slots__ = ()
    domain: Domain
    order: tuple[str, ...]
    descending: bool

    @property
    def java(self) -> str:
        """As its domain."""
        return self.domain.java

    @property
    def operators(self) -> frozenset[str]:
        """Equal or not, empty or not."""
        return EQUAL


@dataclass(frozen=True, slots=True)
class Column(Valued):
    """A field with one value that may be greater or less than another."""

    expression: str
    domain: Domain
    order: tuple[str, ...] = ()
    rank: str = ""
    """SQL for the rank of a value, of the braces: more is larger."""
    descending: bool = False

    @property
    def operators(self) -> frozenset[str]:
        """Larger and smaller only where there is a rank."""
        return ORDERED if self.rank else EQUAL

    def sql(self, clause: Clause, asker: Asker) -> Sql:
        """Equal or not, empty or not; larger and smaller by rank."""
        if clause.operator in EQUAL:
            found, with_empty = values(clause, asker, self.domain)
            return _compared(self.expression, found, with_empty=with_empty, negative=clause.operator in _NEGATIVE)
        value = single(_filled(clause), asker, self.domain)
        return f"{self.rank.format(self.expression)} {clause.operator} {self.rank.format('?')}", (value,)


@dataclass(frozen=True, slots=True)
class Members(Valued):
    """A field with several values."""

    table: str
    """Or a query with brackets: the column `issue`, and the one with the values."""
    column: str
    domain: Domain
    order: tuple[str, ...] = ()
    descending: bool = False

    def sql(self, clause: Clause, asker: Asker) -> Sql:
        """`labels != x` means: some labels, and x is none of them."""
        found, with_empty = values(clause, asker, self.domain)
        some = f"EXISTS (SELECT 1 FROM {self.table} r WHERE r.issue = i.id)"
        if not found:
            negative = clause.operator in _NEGATIVE
            return (some if negative else f"NOT {some}" if with_empty else "0"), ()
        test, bound = member_of(self.column, found)
        one = f"i.id IN (SELECT issue FROM {self.table} WHERE {test})"
        if clause.operator in _NEGATIVE:
            return f"({some} AND NOT {one})", bound
        return (f"({one} OR NOT {some})" if with_empty else one), bound


@dataclass(frozen=True, slots=True)
class Text:
    """A text field of issues, searched by words."""

    columns: tuple[str, ...]
    """Of the index."""
    filled: str
    """SQL: there is any text."""
    order: tuple[str, ...] = ()
    also: str = ""
    """SQL for the issues that have the words elsewhere."""
    descending: bool = False
    java: str = "java.lang.String"
    operators: ClassVar[frozenset[str]] = TEXT

    def sql(self, clause: Clause, asker: Asker) -> Sql:
        """All words in one and the same column."""
        return _worded(clause, asker, self.filled, self._found)

    def _found(self, wanted: str) -> Sql:
        # One word is looked for once; several have to meet in the same column.
        each = self.columns if " AND " in wanted else (f"{{{' '.join(self.columns)}}}",)
        match = " OR ".join(f"{column} : ({wanted})" for column in each)
        sql = "SELECT rowid FROM words WHERE words MATCH ?"
        return (f"{sql} UNION {self.also}", (match, wanted)) if self.also else (sql, (match,))


@dataclass(frozen=True, slots=True)
class CustomText:
    """A custom text field, searched by words."""

    field: int
    descending: bool = False
    java: str = "java.lang.String"
    operators: ClassVar[frozenset[str]] = TEXT

    @property
    def order(self) -> tuple[str, ...]:
        return (held(self.field),)

    def sql(self, clause: Clause, asker: Asker) -> Sql:
        """All words in the field."""
        filled = f"i.id IN (SELECT issue FROM custom_value WHERE field = {self.field})"
        return _worded(clause, asker, filled, lambda wanted: (f"{CUSTOM_WORDS} AND v.field = {self.field}", (wanted,)))


def _worded(clause: Clause, asker: Asker, filled: str, found: Callable[[str], Sql]) -> Sql:
    """The issues that a query of their words finds; the negative leaves out those without any text, too."""
    if isinstance(clause.operand, Empty):
        return (filled if clause.operator == "IS NOT" else f"NOT ({filled})"), ()
    wanted = wanted_words(clause, asker)
    if wanted is None:
        return "0", ()
    sql, bound = found(wanted)
    return (f"(i.id NOT IN ({sql}) AND {filled})" if clause.operator == "!~" else f"i.id IN ({sql})"), bound


CUSTOM_WORDS: Final = (
    "SELECT v.issue FROM custom_words w JOIN custom_value v ON v.id = w.rowid WHERE custom_words MATCH ?"
)


def held(field: int) -> str:
    """Return SQL for the value that an issue has in a custom field."""
    return f"(SELECT value FROM custom_value WHERE issue = i.id AND field = {field})"


@dataclass(frozen=True, slots=True)
class Number:
    """A number; with `work` a duration such as `2h`, or minutes."""

    expression: str
    work: bool = False
    descending: bool = False
    java: str = "java.lang.Number"
    operators: ClassVar[frozenset[str]] = ORDERED

    @property
    def order(self) -> tuple[str, ...]:
        return (self.expression,)

    def sql(self, clause: Clause, asker: Asker) -> Sql:
        domain = Domain("duration" if self.work else "number", self._meaning)
        if clause.operator in EQUAL:
            return Column(self.expression, domain).sql(clause, asker)
        return f"{self.expression} {clause.operator} ?", (single(_filled(clause), asker, domain),)

    def _meaning(self, text: str, clause: Clause, _: Asker) -> Sequence[Any]:
        if self.work and (seconds := seconds_of(text)) is not None:
            return (seconds,)
        try:
            return (float(text),)
        except ValueError:
            raise JqlError(f"The value '{text}' for field '{clause.field}' is invalid; it must be a number.") from None


@dataclass(frozen=True, slots=True)
class Moment:
    """A point in time; with `days` a day."""

    expression: str
    days: bool = False
    order: tuple[str, ...] = ()
    descending: bool = True
    java: str = "java.util.Date"
    operators: ClassVar[frozenset[str]] = ORDERED

    def sql(self, clause: Clause, asker: Asker) -> Sql:
        """Compared as the database stores it."""
        if clause.operator not in EQUAL:
            operand = _filled(clause).operand
            value = self._stored(operand, clause, asker) if isinstance(operand, Literal | Function) else None
            return f"{self.expression} {clause.operator} ?", (value,)
        operand = clause.operand
        members = operand.members if isinstance(operand, Several) else (operand,)
        found = [self._stored(member, clause, asker) for member in members if not isinstance(member, Empty)]
        with_empty = any(isinstance(member, Empty) for member in members)
        return _compared(self.expression, found, with_empty=with_empty, negative=clause.operator in _NEGATIVE)

    def _stored(self, value: Literal | Function, clause: Clause, asker: Asker) -> Any:
        when = moment_of(value, clause.field, asker.now)
        return when.date().isoformat() if self.days else milliseconds_of(when)


def wanted_words(clause: Clause, asker: Asker) -> str | None:
    """Return the words to look for in the index; None if none are left. Raises `JqlError`."""
    if not isinstance(clause.operand, Literal):
        raise JqlError(f"The operator '{clause.operator}' does not support functions for the field '{clause.field}'.")
    text = clause.operand.text
    if not text.strip():
        raise JqlError(f"The field '{clause.field}' does not support searching for an empty string.")
    if not asker.cloud and text.lstrip()[0] in "*?" and len(text.strip()) > 1:
        raise JqlError(
            f"The text query '{text}' for field '{clause.field}' is not allowed to start with '{text.lstrip()[0]}'."
        )
    return words.match(text)


def _filled(clause: Clause) -> Clause:
    if isinstance(clause.operand, Literal | Function):
        return clause
    raise JqlError(f"The operator '{clause.operator}' does not support EMPTY for the field '{clause.field}'.")

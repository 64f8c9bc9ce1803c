"""Compiles a JQL query to SQL and runs it."""

import json
from dataclasses import dataclass, replace
from typing import Any, Final

from triage_sandbox.jira.jql import table
from triage_sandbox.jira.jql.asker import Asker
from triage_sandbox.jira.jql.functions import gives_several
from triage_sandbox.jira.jql.kinds import Sql, member_of
from triage_sandbox.jira.jql.parser import parse
from triage_sandbox.jira.jql.syntax import (
    Both,
    Clause,
    Condition,
    Function,
    JqlError,
    Literal,
    MissingValueError,
    Not,
    Order,
    Query,
    Several,
    written,
)

_MOST_KEYS: Final = 7
_DEEPEST_FILTER: Final = 5
_IN_A_ROW: Final = 100


@dataclass(frozen=True, slots=True)
class Search:
    """A compiled query over `issue i`."""

    where: str
    values: tuple[Any, ...]
    order: str
    bounded: bool
    """It restricts what is found."""

    def ids(self, asker: Asker, limit: int, offset: int) -> list[int]:
        """Return a page of issue ids."""
        sql = f"SELECT i.id FROM issue i WHERE {self.where} ORDER BY {self.order} LIMIT ? OFFSET ?"
        return [row[0] for row in asker.db.all(sql, *self.values, limit, offset)]

    def count(self, asker: Asker) -> int:
        return int(asker.db.value(f"SELECT count(*) FROM issue i WHERE {self.where}", *self.values))

    def among(self, asker: Asker, issues: list[int]) -> list[int]:
        sql = f"SELECT i.id FROM issue i WHERE {self.where} AND i.id IN (SELECT value FROM json_each(?)) ORDER BY i.id"
        return [row[0] for row in asker.db.all(sql, *self.values, json.dumps(issues))]


NOTHING: Final = Search("0", (), "i.id", bounded=True)


def search(jql: str, asker: Asker) -> Search:
    """Parse and compile a query. Raises `JqlError` with Jira's messages."""
    return planned(parse(jql), asker)


def planned(query: Query, asker: Asker) -> Search:
    where, values = ("1", ()) if query.where is None else _condition(query.where, asker, 0)
    order = _order(query.order, asker)
    if asker.me is None:
        return replace(NOTHING, bounded=query.where is not None)  # strangers see no issues, and are not told so
    for sql, more in _seen(asker):
        where, values = f"{where} AND {sql}", (*values, *more)
    return Search(where, values, order, bounded=query.where is not None)


def _seen(asker: Asker) -> list[Sql]:
    """What the caller may see, and the index shows already."""
    seen: list[Sql] = []
    if asker.projects is not None:
        seen.append(member_of("i.project", sorted(asker.projects)) if asker.projects else ("0", ()))
    if asker.cleared is not None:
        among, projects = member_of("i.project", sorted(asker.cleared)) if asker.cleared else ("0", ())
        level = f"(i.security IS NULL OR i.reporter = ? OR i.assignee = ? OR {among})"
        seen.append((level, (asker.me, asker.me, *projects)))
    if asker.hidden:
        seen.append(("i.id NOT IN (SELECT value FROM json_each(?))", (json.dumps(list(asker.hidden)),)))
    return seen


def _condition(condition: Condition, asker: Asker, depth: int) -> Sql:
    match condition:
        case Clause():
            return (
                _filtered(condition, asker, depth)
                if condition.field.casefold() in _FILTER
                else clause(condition, asker)
            )
        case Not(part):
            sql, values = _condition(part, asker, depth)
            return f"NOT ({sql})", values
        case Both(word, parts):
            pieces = [_condition(part, asker, depth) for part in parts]
            return _joined(word, [sql for sql, _ in pieces]), tuple(value for _, values in pieces for value in values)


def _joined(word: str, parts: list[str]) -> str:
    """Halves of halves: SQLite takes a thousand conditions in a row, and any number in a tree."""
    if len(parts) > _IN_A_ROW:
        middle = len(parts) // 2
        parts = [_joined(word, parts[:middle]), _joined(word, parts[middle:])]
    return f"({f' {word} '.join(parts)})"


def clause(condition: Clause, asker: Asker) -> Sql:
    kind = table.find(condition.field, asker.db)
    if kind is None:
        raise JqlError(f"Field '{condition.field}' does not exist or you do not have permission to view it.")
    if condition.operator not in kind.operators:
        raise _unsupported(condition)
    _check_operand(condition)
    return kind.sql(condition, asker)


def _unsupported(condition: Clause) -> JqlError:
    return JqlError(f"The operator '{condition.operator.lower()}' is not supported by the '{condition.field}' field.")


def _check_operand(condition: Clause) -> None:
    """Lists go with IN, single values with all else; functions may be either."""
    operand, operator, field = condition.operand, condition.operator, condition.field
    if operator in {"IN", "NOT IN"}:
        if isinstance(operand, Literal):
            words = f"does not support the non-list value '\"{operand.text}\"' for field '{field}'."
            raise JqlError(f"Operator '{operator.lower()}' {words}")
    elif isinstance(operand, Several) or (
        isinstance(operand, Function) and operator in {"=", "!="} and gives_several(operand)
    ):
        raise JqlError(
            f"Operator '{operator}' does not support the list value '{written(operand)}' for field '{field}'."
        )


_FILTER: Final = frozenset({"filter", "request", "savedfilter", "searchrequest"})


def _filtered(condition: Clause, asker: Asker, depth: int) -> Sql:
    """`filter = 10001`: the saved search in its place."""
    if condition.operator not in {"=", "!=", "IN", "NOT IN"}:
        raise _unsupported(condition)
    operand = condition.operand
    members = operand.members if isinstance(operand, Several) else (operand,)
    if depth >= _DEEPEST_FILTER:
        raise JqlError(f"The filters that field '{condition.field}' names are nested too deeply.")
    pieces = [_saved(member, condition, asker, depth) for member in members]
    joined = " OR ".join(f"({sql})" for sql, _ in pieces)
    negative = "NOT " if condition.operator in {"!=", "NOT IN"} else ""
    return f"{negative}({joined})", tuple(value for _, values in pieces for value in values)


def _saved(member: object, condition: Clause, asker: Asker, depth: int) -> Sql:
    text = member.text if isinstance(member, Literal) else ""
    sql = (
        "SELECT jql FROM filter f WHERE (id = ?1 OR name = ?1)"
        " AND (owner = ?2 OR EXISTS (SELECT 1 FROM share WHERE filter = f.id)) ORDER BY id = ?1 DESC, owner = ?2 DESC"
    )
    saved = asker.db.value(sql, text, asker.me)
    if saved is None:
        raise MissingValueError(f"The value '{text}' does not exist for the field '{condition.field}'.")
    where = parse(saved).where
    return ("1", ()) if where is None else _condition(where, asker, depth + 1)


def _order(keys: tuple[Order, ...], asker: Asker) -> str:
    if len(keys) > _MOST_KEYS:
        raise JqlError(f"The maximum number of fields to sort by is {_MOST_KEYS}.")
    pieces = [piece for key in keys for piece in _sorted(key, asker)]
    return ", ".join(dict.fromkeys([*pieces, "i.id DESC"]))


def _sorted(key: Order, asker: Asker) -> list[str]:
    kind = table.find(key.field, asker.db)
    if kind is None or not kind.order:
        raise JqlError(f"Not able to sort using field '{key.field}'.")
    direction = key.direction or ("DESC" if kind.descending else "ASC")
    nulls = f" NULLS {'LAST' if direction == 'ASC' else 'FIRST'}"
    return [f"{piece} {direction}{'' if piece in table.NOT_NULL else nulls}" for piece in kind.order]

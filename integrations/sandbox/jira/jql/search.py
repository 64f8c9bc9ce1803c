"""Queries to SQL: a table of fields by their names in JQL."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from integrations.sandbox.jira.jql.kinds import Asker, Column, Kind, Members, Moment, Ranked, Resolve, Sql, Text
from integrations.sandbox.jira.jql.parser import parse
from integrations.sandbox.jira.jql.sprints import InSprint, Rank
from integrations.sandbox.jira.jql.syntax import Both, Clause, Condition, Function, JqlError, Literal, Not, Order, Query

_MOST_KEYS: Final = 7


@dataclass(frozen=True, slots=True)
class Search:
    """A query, ready to run over `issue i`."""

    where: str
    values: tuple[Any, ...]
    order: str
    bounded: bool
    """It restricts what is found."""

    def ids(self, asker: Asker, limit: int, offset: int) -> list[int]:
        """A page of issue ids."""
        sql = f"SELECT i.id FROM issue i WHERE {self.where} ORDER BY {self.order} LIMIT ? OFFSET ?"
        return [row[0] for row in asker.db.all(sql, *self.values, limit, offset)]

    def count(self, asker: Asker) -> int:
        """How many there are."""
        return int(asker.db.value(f"SELECT count(*) FROM issue i WHERE {self.where}", *self.values))


def search(jql: str, asker: Asker) -> Search:
    """What the query asks for. Raises `JqlError` in Jira's words."""
    return planned(parse(jql), asker)


def planned(query: Query, asker: Asker) -> Search:
    """What a query asks for that has been read, or put together of several. Raises `JqlError`."""
    where, values = ("1", ()) if query.where is None else _condition(query.where, asker)
    if asker.me is None:
        where, values = "0", ()  # strangers see no issues, and are not told so
    return Search(where, values, _order(query.order), bounded=query.where is not None)


def _condition(condition: Condition, asker: Asker) -> Sql:
    match condition:
        case Clause():
            return _clause(condition, asker)
        case Not(part):
            sql, values = _condition(part, asker)
            return f"NOT ({sql})", values
        case Both(word, parts):
            pieces = [_condition(part, asker) for part in parts]
            joined = f" {word} ".join(sql for sql, _ in pieces)
            return f"({joined})", tuple(value for _, values in pieces for value in values)


def _clause(clause: Clause, asker: Asker) -> Sql:
    kind = _FIELDS.get(clause.field.casefold())
    if kind is None:
        raise JqlError(f"Field '{clause.field}' does not exist or you do not have permission to view it.")
    if clause.operator not in kind.operators:
        raise JqlError(f"The operator '{clause.operator.lower()}' is not supported by the '{clause.field}' field.")
    return kind.sql(clause, asker)


def _order(keys: tuple[Order, ...]) -> str:
    if len(keys) > _MOST_KEYS:
        raise JqlError(f"The maximum number of fields to sort by is {_MOST_KEYS}.")
    return ", ".join([*(piece for key in keys for piece in _sorted(key)), "i.id DESC"])


def _sorted(key: Order) -> list[str]:
    kind = _FIELDS.get(key.field.casefold())
    if kind is None or not kind.order:
        raise JqlError(f"Not able to sort using field '{key.field}'.")
    natural = "DESC" if isinstance(kind, Moment) or key.field.casefold() == "priority" else "ASC"
    direction = key.direction or natural
    return [f"{piece} {direction} NULLS {'LAST' if direction == 'ASC' else 'FIRST'}" for piece in kind.order]


# --- what values mean -------------------------------------------------------------------------


def _unknown(value: str, clause: Clause) -> JqlError:
    return JqlError(f"The value '{value}' does not exist for the field '{clause.field}'.")


def _literal(value: Literal | Function) -> str:
    if isinstance(value, Function):
        raise JqlError(f"Unable to find JQL function '{value.name}({', '.join(value.arguments)})'.")
    return value.text


def _entry(table: str, *names: str) -> Resolve:
    """A row by its id or one of its names."""

    def resolve(value: Literal | Function, clause: Clause, asker: Asker) -> Any:
        text = _literal(value)
        for name in (*names, "id"):
            found = asker.db.value(f"SELECT id FROM {table} WHERE {name} = ?", text)
            if found is not None:
                return found
        raise _unknown(text, clause)

    return resolve


def _person(value: Literal | Function, clause: Clause, asker: Asker) -> Any:
    if isinstance(value, Function) and value.name.casefold() == "currentuser":
        return asker.me
    text = _literal(value)
    sql = "SELECT id FROM account WHERE id = ?1 OR name = ?1 OR email = ?1 OR shown = ?1 COLLATE NOCASE"
    found = asker.db.value(sql, text)
    if found is None:
        raise _unknown(text, clause)
    return found


def _issue(value: Literal | Function, clause: Clause, asker: Asker) -> Any:
    text = _literal(value)
    project, _, number = text.rpartition("-")
    sql = "SELECT id FROM issue WHERE id = ?1 OR (project = (SELECT id FROM project WHERE key = ?2) AND number = ?3)"
    found = asker.db.value(sql, text, project, number if number.isascii() and number.isdecimal() else None)
    if found is None:
        raise JqlError(f"An issue with key '{text}' does not exist for field '{clause.field}'.")
    return found


def _component(value: Literal | Function, clause: Clause, asker: Asker) -> Any:
    return _entry("component", "name")(value, clause, asker)


def _label(value: Literal | Function, clause: Clause, asker: Asker) -> Any:
    del clause, asker
    return _literal(value)


_CATEGORIES: Final = {
    "new": "new", "to do": "new", "2": "new",
    "indeterminate": "indeterminate", "in progress": "indeterminate", "4": "indeterminate",
    "done": "done", "complete": "done", "3": "done",
}  # fmt: skip


def _category(value: Literal | Function, clause: Clause, asker: Asker) -> Any:
    del asker
    text = _literal(value)
    if text.casefold() not in _CATEGORIES:
        raise _unknown(text, clause)
    return _CATEGORIES[text.casefold()]


# --- the fields -------------------------------------------------------------------------------

_KEY: Final = Ranked(
    "i.id", _issue, "(SELECT project * 1000000000 + number FROM issue WHERE id = {})", ("i.project", "i.number")
)
_PROJECT: Final = Column("i.project", _entry("project", "key", "name"), ("i.project",))
_TYPE: Final = Column("i.type", _entry("issue_type", "name"), ("(SELECT rank FROM issue_type WHERE id = i.type)",))
_CREATED: Final = Moment("i.created", order=("i.created",))
_UPDATED: Final = Moment("i.updated", order=("i.updated",))
_RESOLVED: Final = Moment("i.resolved", order=("i.resolved",))
_DUE: Final = Moment("i.due", days=True, order=("i.due",))


def _people(column: str) -> Column:
    return Column(f"i.{column}", _person, (f"(SELECT shown FROM account WHERE id = i.{column})",))


_FIELDS: Final[Mapping[str, Kind]] = {
    "project": _PROJECT,
    "key": _KEY,
    "issuekey": _KEY,
    "issue": _KEY,
    "id": _KEY,
    "parent": Column("i.parent", _issue),
    "epic link": Column("i.parent", _issue),
    "sprint": InSprint(),
    "rank": Rank(),
    "issuetype": _TYPE,
    "type": _TYPE,
    "status": Column("i.status", _entry("status", "name"), ("(SELECT rank FROM status WHERE id = i.status)",)),
    "statuscategory": Column("(SELECT category FROM status WHERE id = i.status)", _category),
    "resolution": Column(
        "i.resolution",
        _entry("resolution", "name"),
        ("(SELECT rank FROM resolution WHERE id = i.resolution)",),
    ),
    "priority": Ranked(
        "i.priority",
        _entry("priority", "name"),
        "(SELECT -rank FROM priority WHERE id = {})",
        ("(SELECT -rank FROM priority WHERE id = i.priority)",),
    ),
    "assignee": _people("assignee"),
    "reporter": _people("reporter"),
    "creator": _people("creator"),
    "labels": Members("issue_label", "label", _label),
    "component": Members("issue_component", "component", _component),
    "fixversion": Members("issue_version", "version", _entry("version", "name")),
    "summary": Text(("summary",), "1", ("i.summary",)),
    "description": Text(("description",), "i.description IS NOT NULL", ("i.description_plain",)),
    "comment": Text(("comment",), "EXISTS (SELECT 1 FROM comment c WHERE c.issue = i.id)"),
    "text": Text(("summary", "description", "comment"), "1"),
    "created": _CREATED,
    "createddate": _CREATED,
    "updated": _UPDATED,
    "updateddate": _UPDATED,
    "resolved": _RESOLVED,
    "resolutiondate": _RESOLVED,
    "due": _DUE,
    "duedate": _DUE,
}

"""Sprints in queries: by number, by name, and by how far they are."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from integrations.sandbox.jira.jql.kinds import EQUAL, Asker, Sql
from integrations.sandbox.jira.jql.syntax import Clause, Empty, Function, JqlError, Literal, Operand, Several

_STATES: Final = {"opensprints": "active", "closedsprints": "closed", "futuresprints": "future"}


@dataclass(frozen=True, slots=True)
class InSprint:
    """The sprints that an issue is or was in; a name may mean several, a function usually does."""

    order: tuple[str, ...] = ("(SELECT max(sprint) FROM issue_sprint WHERE issue = i.id)",)
    operators: ClassVar[frozenset[str]] = EQUAL

    def sql(self, clause: Clause, asker: Asker) -> Sql:
        """`sprint != x` means: some sprint, and x is none of them."""
        members = list(_members(clause.operand))
        found = [sprint for member in members for sprint in _resolved(member, clause, asker)]
        some = "EXISTS (SELECT 1 FROM issue_sprint r WHERE r.issue = i.id)"
        marks = ", ".join("?" * len(found))
        one = f"i.id IN (SELECT issue FROM issue_sprint WHERE sprint IN ({marks}))"
        if clause.operator in {"!=", "NOT IN", "IS NOT"}:
            return f"({some} AND NOT {one})", tuple(found)
        empty = any(isinstance(member, Empty) for member in members)
        return f"({one} OR NOT {some})" if empty else one, tuple(found)


def _members(operand: Operand) -> Iterator[Literal | Function | Empty]:
    yield from operand.members if isinstance(operand, Several) else (operand,)


def _resolved(member: Literal | Function | Empty, clause: Clause, asker: Asker) -> list[Any]:
    if isinstance(member, Empty):
        return []
    if isinstance(member, Function):
        state = _STATES.get(member.name.casefold())
        if state is None:
            raise JqlError(f"Unable to find JQL function '{member.name}({', '.join(member.arguments)})'.")
        return [row[0] for row in asker.db.all("SELECT id FROM sprint WHERE state = ?", state)]
    rows = asker.db.all("SELECT id FROM sprint WHERE name = ?1 COLLATE NOCASE OR id = ?1", member.text)
    if not rows:
        raise JqlError(
            f"Sprint with name '{member.text}' does not exist or you do not have permission to view it."
            if not member.text.isdecimal()
            else f"The value '{member.text}' does not exist for the field '{clause.field}'."
        )
    return [row[0] for row in rows]


@dataclass(frozen=True, slots=True)
class Rank:
    """The order of the backlog: something to sort by, nothing to compare with."""

    order: tuple[str, ...] = ("i.rank",)
    operators: ClassVar[frozenset[str]] = frozenset()

    def sql(self, clause: Clause, asker: Asker) -> Sql:
        """Never asked: it has no operators."""
        raise JqlError(f"The field '{clause.field}' cannot be searched by, at {asker.now}.")

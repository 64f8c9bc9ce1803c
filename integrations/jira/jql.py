"""Builds JQL from typed parts; text from outside appears only as an escaped literal."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

Field = Literal["assignee", "labels", "status"]

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
# The text index reads these as syntax even when escaped; replaced by blanks, the words are still found.
_LUCENE: Final = re.compile(r"[-+&|!(){}\[\]^~*?\\:/\"'<>=@#%$,;.`]+")
_LONGEST: Final = 200


class JqlOrder(StrEnum):
    """The sort order. Jira documents no default, so every search for tickets names one."""

    UPDATED = "updated DESC"
    NUMBER = "key DESC"
    CREATED = "created DESC"


@dataclass(frozen=True, slots=True)
class Clause:
    """One JQL condition."""

    jql: str


ASSIGNED: Final = Clause("assignee IS NOT EMPTY")
BY_US: Final = Clause("creator = currentUser()")
NOT_DONE: Final = Clause("statusCategory != Done")
"""JQL takes a category's English name or its key; for Done both are the same."""


def literal(value: str) -> str:
    """Return a quoted, escaped string; unquoted, words such as INT or AND are syntax."""
    bare = _CONTROL.sub(" ", value)[:_LONGEST]
    return '"' + bare.replace("\\", "\\\\").replace('"', '\\"') + '"'


def equals(field: Field, value: str) -> Clause:
    return Clause(f"{field} = {literal(value)}")


def mentions(words: str) -> Clause | None:
    """Summary, description or comments contain all of these words; None if they hold no letter or digit."""
    bare = " ".join(_LUCENE.sub(" ", _CONTROL.sub(" ", words)).lower().split())[:_LONGEST]
    return Clause(f"text ~ {literal(bare)}") if any(char.isalnum() for char in bare) else None


def updated_within(days: int) -> Clause:
    return Clause(f"updated >= {_ago(days)}")


def touched_within(minutes: int) -> Clause:
    """Updated in the last `minutes`; relative, since Jira reads an absolute time in the user's time zone."""
    return Clause(f"updated >= -{min(max(minutes, 1), 500_000)}m")


def created_within(days: int) -> Clause:
    return Clause(f"created >= {_ago(days)}")


def older_than(key: str) -> Clause:
    """The number is lower than that of this ticket, which must exist in the project."""
    return Clause(f"key < {literal(key)}")


def _ago(days: int) -> str:
    return f"-{min(max(days, 1), 36_500)}d"


def in_sprints(sprints: Sequence[int]) -> Clause:
    """The ticket is or was in one of these sprints."""
    return Clause(f"sprint IN ({', '.join(str(int(sprint)) for sprint in sprints)})")


def any_of(*clauses: Clause) -> Clause:
    """At least one of the conditions holds."""
    alternatives = " OR ".join(dict.fromkeys(clause.jql for clause in clauses))
    return Clause(f"({alternatives})" if len(clauses) > 1 else alternatives)


def anywhere(*clauses: Clause) -> str:
    """Return the query for all conditions, in any project."""
    return " AND ".join(clause.jql for clause in clauses)


def within(project: str, *clauses: Clause, order: JqlOrder | None = None) -> str:
    conditions = anywhere(*clauses)
    where = f"project = {literal(project)}" + (f" AND ({conditions})" if conditions else "")
    return f"{where} ORDER BY {order}" if order else where

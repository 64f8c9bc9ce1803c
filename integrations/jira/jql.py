"""Builds JQL from typed parts; text from outside appears only as an escaped literal."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

Field = Literal["assignee", "labels", "status"]

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
# What the text index reads as syntax, also behind a backslash; words apart from it are found as well.
_LUCENE: Final = re.compile(r"[-+&|!(){}\[\]^~*?\\:/\"'<>=@#%$,;.`]+")
_LONGEST: Final = 200


class Order(StrEnum):
    """How the answer is sorted. Jira documents no order of its own, so every search of tickets names one."""

    UPDATED = "updated DESC"
    NUMBER = "key DESC"
    CREATED = "created DESC"


@dataclass(frozen=True, slots=True)
class Clause:
    """A condition that can stand beside others."""

    jql: str


ASSIGNED: Final = Clause("assignee IS NOT EMPTY")
BY_US: Final = Clause("creator = currentUser()")
NOT_DONE: Final = Clause("statusCategory != Done")
"""The category goes by its English name or its key, and in this case both are the same."""


def literal(value: str) -> str:
    """A quoted string, whatever is in it; unquoted, words such as INT or AND are syntax."""
    bare = _CONTROL.sub(" ", value)[:_LONGEST]
    return '"' + bare.replace("\\", "\\\\").replace('"', '\\"') + '"'


def equals(field: Field, value: str) -> Clause:
    """The field holds exactly this."""
    return Clause(f"{field} = {literal(value)}")


def mentions(words: str) -> Clause | None:
    """Summary, description or comments contain all of these words; None where no letter or digit is in them."""
    bare = " ".join(_LUCENE.sub(" ", _CONTROL.sub(" ", words)).lower().split())[:_LONGEST]
    return Clause(f"text ~ {literal(bare)}") if any(char.isalnum() for char in bare) else None


def updated_within(days: int) -> Clause:
    """Touched in the last so many days."""
    return Clause(f"updated >= {_ago(days)}")


def touched_within(minutes: int) -> Clause:
    """Touched in the last so many minutes; relative, since Jira takes a time for one in its user's zone."""
    return Clause(f"updated >= -{min(max(minutes, 1), 500_000)}m")


def created_within(days: int) -> Clause:
    """Made in the last so many days."""
    return Clause(f"created >= {_ago(days)}")


def older_than(key: str) -> Clause:
    """With a lower number than this ticket of the project, which must exist."""
    return Clause(f"key < {literal(key)}")


def _ago(days: int) -> str:
    return f"-{min(max(days, 1), 36_500)}d"


def in_sprints(sprints: Sequence[int]) -> Clause:
    """Was or is in one of these time boxes."""
    return Clause(f"sprint IN ({', '.join(str(int(sprint)) for sprint in sprints)})")


def any_of(*clauses: Clause) -> Clause:
    """At least one of them holds."""
    alternatives = " OR ".join(dict.fromkeys(clause.jql for clause in clauses))
    return Clause(f"({alternatives})" if len(clauses) > 1 else alternatives)


def anywhere(*clauses: Clause) -> str:
    """The query: all the conditions, in whichever project."""
    return " AND ".join(clause.jql for clause in clauses)


def within(project: str, *clauses: Clause, order: Order | None = None) -> str:
    """The query: one project, and all the conditions."""
    conditions = anywhere(*clauses)
    where = f"project = {literal(project)}" + (f" AND ({conditions})" if conditions else "")
    return f"{where} ORDER BY {order}" if order else where

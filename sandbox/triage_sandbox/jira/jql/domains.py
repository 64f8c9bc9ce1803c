"""Resolves the values of JQL clauses by id, name or function, for each kind of value."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from triage_sandbox.jira.ground import tickets
from triage_sandbox.jira.jql.asker import Asker
from triage_sandbox.jira.jql.functions import values_of
from triage_sandbox.jira.jql.syntax import Clause, Empty, Function, Literal, MissingValueError, Operand, Several

Meaning = Callable[[str, Clause, Asker], Sequence[Any]]
"""What the database has for a word of the query; None among it: an empty field."""


@dataclass(frozen=True, slots=True)
class Domain:
    """A set of values that operands of a field can name, such as users or versions."""

    name: str
    meaning: Meaning
    java: str = "java.lang.String"
    """What Jira calls the type where it tells clients what can be searched."""
    names: str = ""
    """SQL for the words that can stand in a query, for suggestions."""


def values(clause: Clause, asker: Asker, domain: Domain) -> tuple[list[Any], bool]:
    """Return the ids that an operand names, and whether `EMPTY` is among its values. Raises `JqlError`."""
    operand: Operand = clause.operand
    found: list[Any] = []
    for member in operand.members if isinstance(operand, Several) else (operand,):
        found += _values(member, clause, asker, domain)
    return [value for value in found if value is not None], None in found


def _values(member: Literal | Function | Empty, clause: Clause, asker: Asker, domain: Domain) -> Sequence[Any]:
    if isinstance(member, Empty):
        return (None,)
    if isinstance(member, Function):
        return values_of(member, domain.name, clause.field, asker)
    return domain.meaning(member.text, clause, asker)


def single(clause: Clause, asker: Asker, domain: Domain) -> Any:
    """Return the one id that an operand names; None if there is no such value."""
    found, _ = values(clause, asker, domain)
    return found[0] if found else None


def unknown(value: str, clause: Clause) -> MissingValueError:
    """Return Jira's message for an unknown value."""
    return MissingValueError(f"The value '{value}' does not exist for the field '{clause.field}'.")


def _entry(table: str, *names: str) -> Meaning:
    """Rows by one of their names, else by their id."""

    def meaning(text: str, clause: Clause, asker: Asker) -> Sequence[Any]:
        for name in (*names, "id"):
            found = asker.db.all(f"SELECT id FROM {table} WHERE {name} = ?", text)
            if found:
                return [row[0] for row in found]
        raise unknown(text, clause)

    return meaning


def _person(text: str, clause: Clause, asker: Asker) -> Sequence[Any]:
    sql = "SELECT id FROM account WHERE id = ?1 OR name = ?1 OR email = ?1 OR shown = ?1 COLLATE NOCASE"
    found = asker.db.value(sql, text)
    if found is None:
        raise unknown(text, clause)
    return (found,)


def _issue(text: str, clause: Clause, asker: Asker) -> Sequence[Any]:
    row = tickets.find(asker.db, text.strip()) if text.isascii() else None
    if row is None:
        raise MissingValueError(f"An issue with key '{text}' does not exist for field '{clause.field}'.")
    return (row["id"],)


def _label(text: str, _: Clause, __: Asker) -> Sequence[Any]:
    return (text,)


def _resolution(text: str, clause: Clause, asker: Asker) -> Sequence[Any]:
    return (None,) if text.casefold() == "unresolved" else _entry("resolution", "name")(text, clause, asker)


def _sprint(text: str, clause: Clause, asker: Asker) -> Sequence[Any]:
    rows = asker.db.all("SELECT id FROM sprint WHERE name = ?1 COLLATE NOCASE OR id = ?1", text)
    if not rows and not text.isdecimal():
        raise MissingValueError(f"Sprint with name '{text}' does not exist or you do not have permission to view it.")
    if not rows:
        raise unknown(text, clause)
    return [row[0] for row in rows]


_CATEGORIES: Final = {
    "new": "new", "to do": "new", "2": "new",
    "indeterminate": "indeterminate", "in progress": "indeterminate", "4": "indeterminate",
    "done": "done", "complete": "done", "3": "done",
}  # fmt: skip


def _category(text: str, clause: Clause, asker: Asker) -> Sequence[Any]:
    """The states of a category: a table so small that the issues are looked up by it."""
    if text.casefold() not in _CATEGORIES:
        raise unknown(text, clause)
    sql = "SELECT id FROM status WHERE category = ?"
    return [row[0] for row in asker.db.all(sql, _CATEGORIES[text.casefold()])]


def _of_kind(text: str, clause: Clause, asker: Asker) -> Sequence[Any]:
    if text.casefold() not in {"software", "service_desk", "business"}:
        raise unknown(text, clause)
    return [row[0] for row in asker.db.all("SELECT id FROM project WHERE kind = ?", text.casefold())]


def _in_category(text: str, clause: Clause, asker: Asker) -> Sequence[Any]:
    category = asker.db.value("SELECT id FROM project_category WHERE name = ?1 OR id = ?1", text)
    if category is None:
        raise unknown(text, clause)
    return [row[0] for row in asker.db.all("SELECT id FROM project WHERE category = ?", category)]


def _links(text: str, clause: Clause, asker: Asker) -> Sequence[Any]:
    found = asker.db.all("SELECT id FROM link_type WHERE ?1 IN (name, inward, outward) OR id = ?1", text)
    if not found:
        raise unknown(text, clause)
    return [row[0] for row in found]


_JIRA: Final = "com.atlassian.jira."

PROJECT: Final = Domain(
    "project", _entry("project", "key", "name"), f"{_JIRA}project.Project", "SELECT key FROM project"
)
PROJECT_KIND: Final = Domain("projecttype", _of_kind)
PROJECT_CATEGORY: Final = Domain("projectcategory", _in_category, names="SELECT name FROM project_category")
ISSUE: Final = Domain("issue", _issue, f"{_JIRA}issue.Issue")
TYPE: Final = Domain(
    "issuetype", _entry("issue_type", "name"), f"{_JIRA}issue.issuetype.IssueType", "SELECT name FROM issue_type"
)
STATUS: Final = Domain("status", _entry("status", "name"), f"{_JIRA}issue.status.Status", "SELECT name FROM status")
CATEGORY: Final = Domain("statuscategory", _category, f"{_JIRA}issue.status.category.StatusCategory")
RESOLUTION: Final = Domain(
    "resolution", _resolution, f"{_JIRA}issue.resolution.Resolution", "SELECT name FROM resolution"
)
PRIORITY: Final = Domain(
    "priority", _entry("priority", "name"), f"{_JIRA}issue.priority.Priority", "SELECT name FROM priority"
)
USER: Final = Domain("user", _person, f"{_JIRA}user.ApplicationUser", "SELECT shown FROM account")
LABEL: Final = Domain("label", _label, f"{_JIRA}issue.label.Label", "SELECT DISTINCT label FROM issue_label")
COMPONENT: Final = Domain(
    "component",
    _entry("component", "name"),
    f"{_JIRA}bc.project.component.ProjectComponent",
    "SELECT name FROM component",
)
VERSION: Final = Domain(
    "version", _entry("version", "name"), f"{_JIRA}project.version.Version", "SELECT name FROM version"
)
SPRINT: Final = Domain("sprint", _sprint, "java.lang.Number", "SELECT name FROM sprint")
LEVEL: Final = Domain(
    "level",
    _entry("security_level", "name"),
    f"{_JIRA}issue.security.IssueSecurityLevel",
    "SELECT name FROM security_level",
)
LINK: Final = Domain("linktype", _links, f"{_JIRA}issue.link.IssueLinkType", "SELECT name FROM link_type")


def options(field: int) -> Domain:
    """Return the domain of a select field's options."""
    return Domain(
        f"option:{field}",
        _entry(f"(SELECT * FROM custom_option WHERE field = {field})", "value"),
        f"{_JIRA}issue.customfields.option.Option",
        f"SELECT value FROM custom_option WHERE field = {field}",
    )

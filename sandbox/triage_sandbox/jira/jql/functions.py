"""JQL functions that return values, such as `currentUser()` and `openSprints()`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from triage_sandbox.jira.ground import permissions
from triage_sandbox.jira.jql.asker import Asker
from triage_sandbox.jira.jql.syntax import Function, JqlError, written

Run = Callable[[Asker, Sequence[str]], Sequence[Any]]


@dataclass(frozen=True, slots=True)
class JqlFunction:
    """A JQL function such as `currentUser()`."""

    name: str
    gives: str
    """The name of the domain that its values are of."""
    run: Run
    several: bool = True
    """It stands for a list, so that IN takes it and = does not."""
    least: int = 0
    most: int = 0


def _rows(sql: str) -> Run:
    """The first column of a query that may use ?1 for the caller."""
    return lambda asker, _: [row[0] for row in asker.db.all(sql, asker.me)]


def _members(asker: Asker, arguments: Sequence[str]) -> Sequence[Any]:
    crowd = permissions.group(asker.db, arguments[0])
    if crowd is None:
        raise JqlError(
            f"Function 'membersOf' can not generate a list of usernames for group '{arguments[0]}'; the group does not"
            " exist."
        )
    return [row[0] for row in asker.db.all("SELECT account FROM member WHERE crowd = ?", crowd["id"])]


def _linked(asker: Asker, arguments: Sequence[str]) -> Sequence[Any]:
    sql = "SELECT id FROM ticket WHERE key = ?1 COLLATE NOCASE OR id = ?1"
    issue = asker.db.value(sql, arguments[0])
    if issue is None:
        raise JqlError(f"Issue '{arguments[0]}' could not be found in function 'linkedIssues'.")
    both = (
        "SELECT l.target, k.outward AS words FROM link l JOIN link_type k ON k.id = l.type WHERE l.source = ?1"
        " UNION SELECT l.source, k.inward FROM link l JOIN link_type k ON k.id = l.type WHERE l.target = ?1"
    )
    rows = asker.db.all(both, issue)
    if len(arguments) == 1:
        return [row[0] for row in rows]
    wanted = arguments[1].casefold()
    known = {
        row[0].casefold() for row in asker.db.all("SELECT outward FROM link_type UNION SELECT inward FROM link_type")
    }
    if wanted not in known:
        raise JqlError(f"Issue link type '{arguments[1]}' could not be found in function 'linkedIssues'.")
    return [row[0] for row in rows if row["words"].casefold() == wanted]


def _by_global_id(asker: Asker, arguments: Sequence[str]) -> Sequence[Any]:
    sql = f"SELECT issue FROM remote_link WHERE global_id IN ({', '.join('?' * len(arguments))})"
    return [row[0] for row in asker.db.all(sql, *arguments)]


def _project(asker: Asker, name: str) -> int:
    found: int | None = asker.db.value("SELECT id FROM project WHERE key = ?1 OR id = ?1 OR name = ?1", name)
    if found is None:
        raise JqlError(f"Could not resolve the project '{name}' provided to the function.")
    return found


def _versions(where: str) -> Run:
    def run(asker: Asker, arguments: Sequence[str]) -> Sequence[Any]:
        projects = [_project(asker, name) for name in arguments]
        rows = asker.db.all(f"SELECT id, project FROM version WHERE {where} ORDER BY rank, id")
        return [row["id"] for row in rows if not projects or row["project"] in projects]

    return run


def _version_at(where: str, place: int) -> Run:
    def run(asker: Asker, arguments: Sequence[str]) -> Sequence[Any]:
        found = _versions(where)(asker, arguments)
        return found[place : place + 1 or None]

    return run


def _led(sql: str) -> Run:
    def run(asker: Asker, arguments: Sequence[str]) -> Sequence[Any]:
        who = arguments[0] if arguments else asker.me
        account = asker.db.value("SELECT id FROM account WHERE id = ?1 OR name = ?1", who)
        return [row[0] for row in asker.db.all(sql, account)]

    return run


_SPRINTS: Final = "SELECT id FROM sprint WHERE state = '{}' AND ?1 IS NOT NULL"
_UNRELEASED: Final = "NOT released AND NOT archived"
_MANY: Final = 100

_ALL: Final = (
    JqlFunction("currentUser", "user", _rows("SELECT ?1 WHERE ?1 IS NOT NULL"), several=False),
    JqlFunction("membersOf", "user", _members, least=1, most=1),
    JqlFunction("openSprints", "sprint", _rows(_SPRINTS.format("active"))),
    JqlFunction("closedSprints", "sprint", _rows(_SPRINTS.format("closed"))),
    JqlFunction("futureSprints", "sprint", _rows(_SPRINTS.format("future"))),
    JqlFunction("linkedIssues", "issue", _linked, least=1, most=2),
    JqlFunction("issuesWithRemoteLinksByGlobalId", "issue", _by_global_id, least=1, most=_MANY),
    JqlFunction("watchedIssues", "issue", _rows("SELECT issue FROM watcher WHERE account = ?1")),
    JqlFunction("votedIssues", "issue", _rows("SELECT issue FROM vote WHERE account = ?1")),
    JqlFunction("issueHistory", "issue", lambda _, __: ()),
    JqlFunction("releasedVersions", "version", _versions("released"), most=_MANY),
    JqlFunction("unreleasedVersions", "version", _versions(_UNRELEASED), most=_MANY),
    JqlFunction("latestReleasedVersion", "version", _version_at("released", -1), several=False, least=1, most=1),
    JqlFunction("earliestUnreleasedVersion", "version", _version_at(_UNRELEASED, 0), several=False, least=1, most=1),
    JqlFunction("componentsLeadByUser", "component", _led("SELECT id FROM component WHERE lead = ?"), most=1),
    JqlFunction("projectsLeadByUser", "project", _led("SELECT id FROM project WHERE lead = ?"), most=1),
    JqlFunction("standardIssueTypes", "issuetype", _rows("SELECT id FROM issue_type WHERE NOT subtask AND ?1 IS NOT 0")),
    JqlFunction("subTaskIssueTypes", "issuetype", _rows("SELECT id FROM issue_type WHERE subtask AND ?1 IS NOT 0")),
)  # fmt: skip
FUNCTIONS: Final = {function.name.casefold(): function for function in _ALL}


def values_of(function: Function, gives: str, field: str, asker: Asker) -> Sequence[Any]:
    """Return what a function stands for in a field of this domain. Raises `JqlError`."""
    known = FUNCTIONS.get(function.name.casefold())
    if known is None:
        raise JqlError(f"Unable to find JQL function '{written(function)}'.")
    if known.gives != gives:
        raise JqlError(f"A value provided by the function '{known.name}' is invalid for the field '{field}'.")
    if not known.least <= len(function.arguments) <= known.most:
        raise JqlError(f"Function '{known.name}' expected {_expected(known)} but received '{len(function.arguments)}'.")
    return known.run(asker, function.arguments)


def _expected(function: JqlFunction) -> str:
    if function.least == function.most:
        return f"'{function.least}' arguments"
    return f"between '{function.least}' and '{function.most}' arguments"


def gives_several(function: Function) -> bool:
    """Tell whether the function stands for a list."""
    known = FUNCTIONS.get(function.name.casefold())
    return known is not None and known.several

"""The table of JQL field names: system fields, and the site's custom fields."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from triage_sandbox.jira.ground.database import Database, Row
from triage_sandbox.jira.jql import domains
from triage_sandbox.jira.jql.domains import Domain
from triage_sandbox.jira.jql.kinds import (
    CUSTOM_WORDS,
    Column,
    CustomText,
    Kind,
    Members,
    Moment,
    Number,
    Text,
    held,
)

_KEY: Final = Column(
    "i.id", domains.ISSUE, ("i.project", "i.number"), "(SELECT project * 1000000000 + number FROM issue WHERE id = {})"
)
_RANK: Final = Column("i.id", domains.ISSUE, ("i.rank",), "(SELECT rank FROM issue WHERE id = {})")


def _catalogue(name: str, domain: Domain) -> Column:
    return Column(f"i.{name}", domain, (f"(SELECT rank FROM {domain.name} WHERE id = i.{name})",))


def _people(column: str) -> Column:
    return Column(f"i.{column}", domains.USER, (f"(SELECT shown FROM account WHERE id = i.{column})",))


def _count(table: str) -> Number:
    return Number(f"(SELECT count(*) FROM {table} WHERE issue = i.id)")


def _filled(table: str) -> str:
    return f"EXISTS (SELECT 1 FROM {table} c WHERE c.issue = i.id)"


_FIELDS: Final[Mapping[str, Kind]] = {
    "project": Column("i.project", domains.PROJECT, ("i.project",)),
    "projectType": Column("i.project", domains.PROJECT_KIND),
    "category": Column("i.project", domains.PROJECT_CATEGORY),
    "issuekey": _KEY,
    "key": _KEY,
    "issue": _KEY,
    "id": _KEY,
    "parent": Column("i.parent", domains.ISSUE, ("i.parent",)),
    "issuetype": Column("i.type", domains.TYPE, ("(SELECT rank FROM issue_type WHERE id = i.type)",)),
    "status": _catalogue("status", domains.STATUS),
    "statusCategory": Column("i.status", domains.CATEGORY, ("(SELECT category FROM status WHERE id = i.status)",)),
    "resolution": _catalogue("resolution", domains.RESOLUTION),
    "priority": Column(
        "i.priority",
        domains.PRIORITY,
        ("(SELECT -rank FROM priority WHERE id = i.priority)",),
        "(SELECT -rank FROM priority WHERE id = {})",
        descending=True,
    ),
    "assignee": _people("assignee"),
    "reporter": _people("reporter"),
    "creator": _people("creator"),
    "watcher": Members("watcher", "account", domains.USER),
    "voter": Members("vote", "account", domains.USER),
    "watchers": _count("watcher"),
    "votes": _count("vote"),
    "labels": Members("issue_label", "label", domains.LABEL),
    "component": Members("issue_component", "component", domains.COMPONENT),
    "fixVersion": Members("issue_version", "version", domains.VERSION),
    "affectedVersion": Members("issue_affected", "version", domains.VERSION),
    "sprint": Members(
        "issue_sprint", "sprint", domains.SPRINT, ("(SELECT max(sprint) FROM issue_sprint WHERE issue = i.id)",)
    ),
    "level": Column("i.security", domains.LEVEL),
    "attachments": Members("attachment", "name", domains.LABEL),
    "issueLinkType": Members(
        "(SELECT source AS issue, type FROM link UNION ALL SELECT target, type FROM link)", "type", domains.LINK
    ),
    "worklogAuthor": Members("worklog", "author", domains.USER),
    "summary": Text(("summary",), "1", ("i.summary",)),
    "description": Text(("description",), "i.description IS NOT NULL", ("i.description_plain",)),
    "environment": Text(("environment",), "i.environment IS NOT NULL", ("i.environment_plain",)),
    "comment": Text(("comment",), _filled("comment")),
    "text": Text(("summary", "description", "comment", "environment"), "1", also=CUSTOM_WORDS),
    "created": Moment("i.created", order=("i.created",)),
    "updated": Moment("i.updated", order=("i.updated",)),
    "resolved": Moment("i.resolved", order=("i.resolved",)),
    "statusCategoryChangedDate": Moment("i.moved", order=("i.moved",)),
    "lastViewed": Moment("NULL", order=("i.id",)),
    "due": Moment("i.due", days=True, order=("i.due",)),
    "originalEstimate": Number("i.estimate", work=True),
    "remainingEstimate": Number("i.remaining", work=True),
    "workRatio": Number(
        "CASE WHEN i.estimate THEN 100 * coalesce((SELECT sum(seconds) FROM worklog WHERE issue = i.id), 0) / i.estimate"
        " ELSE -1 END"
    ),
    "timespent": Number("(SELECT sum(seconds) FROM worklog WHERE issue = i.id)", work=True),
}
_ALIASES: Final = {
    "type": "issuetype",
    "createdDate": "created",
    "updatedDate": "updated",
    "resolutiondate": "resolved",
    "duedate": "due",
    "timeoriginalestimate": "originalEstimate",
    "timeestimate": "remainingEstimate",
}
NOT_NULL: Final = frozenset(
    {"i.id", "i.project", "i.number", "i.created", "i.updated", "i.rank", "i.summary", "i.moved"}
)
"""Sorted by these no NULL comes up, so an index can give the order."""


def _by_name() -> Iterator[tuple[str, Kind]]:
    for name, kind in _FIELDS.items():
        yield name, kind
    for alias, name in _ALIASES.items():
        yield alias, _FIELDS[name]


SYSTEM: Final[Mapping[str, Kind]] = dict(_by_name())
"""As Jira writes them."""
_FOLDED: Final = {name.casefold(): kind for name, kind in SYSTEM.items()}


def find(name: str, db: Database) -> Kind | None:
    """Return a field by name in any case, by `cf[10030]`, or by the name of a custom field."""
    folded = name.casefold()
    known = _FOLDED.get(folded)
    if known is not None:
        return known
    number = folded[3:-1] if folded.startswith("cf[") else folded.removeprefix("customfield_")
    sql = "SELECT id, kind FROM custom_field WHERE id = ?1 OR name = ?2 ORDER BY id = ?1 DESC, id"
    row = db.one(sql, int(number[:9]) if number.isascii() and number.isdecimal() else None, name)
    return None if row is None else custom_kind(row)


def custom_kind(row: Row) -> Kind | None:
    """Return how a custom field is searched."""
    made = _CUSTOM.get(row["kind"])
    return None if made is None else made(row["id"])


def _held_by(field: int, domain: Domain) -> Members:
    return Members(f"(SELECT issue, value FROM custom_value WHERE field = {field})", "value", domain)


_CUSTOM: Final[Mapping[str, Callable[[int], Kind]]] = {
    **dict.fromkeys(("text", "textarea", "epic_name", "url"), CustomText),
    **dict.fromkeys(("number", "points"), lambda field: Number(held(field))),
    **dict.fromkeys(
        ("select", "radio", "multiselect", "checkboxes", "epic_status"),
        lambda field: _held_by(field, domains.options(field)),
    ),
    "date": lambda field: Moment(held(field), days=True, order=(held(field),)),
    "user": lambda field: _held_by(field, domains.USER),
    "labels": lambda field: _held_by(field, domains.LABEL),
    "epic_link": lambda _: Column("i.parent", domains.ISSUE),
    "sprint": lambda _: _FIELDS["sprint"],
    "rank": lambda _: _RANK,
}
"""By the kinds of custom_kinds.py."""

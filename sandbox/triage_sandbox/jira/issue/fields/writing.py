"""Checks and converts the values that clients send for fields; errors use Jira's words."""

import re
from collections.abc import Callable
from typing import Any, Final

from triage_sandbox.jira.call import Call
from triage_sandbox.jira.ground import permissions, projects
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.ground.stamps import day_of, seconds_of
from triage_sandbox.jira.markup.adf import is_document
from triage_sandbox.jira.markup.body import Body

SUMMARY_LIMIT: Final = 255
TEXT_LIMIT: Final = 32_767
LABEL_LIMIT: Final = 255

Values = dict[str, Any]
"""Columns of the issue by name, and relations (`labels`, `components`, `fixVersions`) by field."""
Writer = Callable[[Call, Row, Any], Values]
"""Takes the call, the project and what was sent."""


class FieldRefused(ValueError):  # noqa: N818 - it becomes a line of Jira's `errors`
    """The error message for one field."""


def summary(call: Call, _: Row, value: Any) -> Values:
    """Check a summary: one line."""
    if value is not None and not isinstance(value, str):
        raise FieldRefused("Operation value must be a string")
    if value is None or not value.strip():
        raise FieldRefused("You must specify a summary of the issue.")
    if "\n" in value or "\r" in value:
        raise FieldRefused("The summary is invalid because it contains newline characters.")
    if len(value) > SUMMARY_LIMIT:
        limit = "can't exceed" if call.site.cloud else "must be less than"
        raise FieldRefused(f"Summary {limit} {SUMMARY_LIMIT} characters.")
    return {"summary": value.strip()}


def rich(name: str) -> Writer:
    """Return a check of rich text in the format of the API version."""

    def write(call: Call, _: Row, value: Any) -> Values:
        if value is None or value == "":
            return {name: None, f"{name}_markup": None, f"{name}_plain": ""}
        return dict(body(call, value).stored_as(name))

    return write


def body(call: Call, value: Any) -> Body:
    """Convert rich text: a document for v3, a string for v2."""
    if call.version == "3" and not is_document(value):
        raise FieldRefused("Operation value must be an Atlassian Document (see the Atlassian Document Format)")
    if call.version != "3" and not isinstance(value, str):
        raise FieldRefused("Operation value must be a string")
    sent = Body.of(value)
    if len(sent.plain) > TEXT_LIMIT:
        raise FieldRefused(f"The entered text is too long. It exceeds the allowed limit of {TEXT_LIMIT:,} characters.")
    return sent


def priority(call: Call, _: Row, value: Any) -> Values:
    """Resolve a priority by id or name; None is possible."""
    if value is None:
        return {"priority": None}
    row = call.chosen("priority", value)
    if row is None:
        named = isinstance(value, dict) and "name" in value and "id" not in value
        raise FieldRefused(
            f"Priority name '{value['name']}' is not valid" if named else "The priority selected is invalid."
        )
    return {"priority": row["id"]}


def issue_type(call: Call, project: Row, value: Any) -> Values:
    """Resolve an issue type of the project by id or name."""
    return {"type": kind_of(call, project, value)}


def kind_of(call: Call, project: Row, value: Any) -> int:
    """Return the id of an issue type that a client sent."""
    row = call.chosen("issue_type", value)
    if row is None and not call.site.cloud:
        raise FieldRefused("issue type is required")  # it does not tell a kind that is unknown from none
    if row is None or row["id"] not in {kind["id"] for kind in projects.kinds(call.db, project["id"])}:
        raise FieldRefused("Specify a valid issue type" if call.site.cloud else "valid issue type is required")
    return int(row["id"])


def resolution(call: Call, _: Row, value: Any) -> Values:
    """Resolve a resolution by id or name; only transition screens have it."""
    row = call.chosen("resolution", value)
    if row is None:
        name = value.get("name", value.get("id")) if isinstance(value, dict) else value
        raise FieldRefused(f"Resolution name '{name}' is not valid")
    return {"resolution": row["id"]}


def assignee(call: Call, project: Row, value: Any) -> Values:
    """Resolve an assignable person, nobody, or (-1) the project's default assignee."""
    if value is None or (isinstance(value, dict) and value and all(part is None for part in value.values())):
        return {"assignee": None}
    if isinstance(value, dict) and "-1" in map(str, value.values()):
        return {"assignee": default_assignee(project)}
    return {"assignee": account(call, value, "cannot be assigned issues.", project)}


def default_assignee(project: Row) -> str | None:
    """Return the assignee of an issue for which none is named."""
    return project["lead"] if project["assigning"] == "PROJECT_LEAD" else None


def reporter(call: Call, _: Row, value: Any) -> Values:
    """Resolve the reporter: any account."""
    return {"reporter": account(call, value)}


def account(call: Call, value: Any, refusal: str = "does not exist.", assignable_in: Row | None = None) -> str:
    """Return the id of an account that a client sent."""
    key = "accountId" if call.site.cloud else "name"
    if not isinstance(value, dict) or not {key, "id", "key"} & value.keys():
        raise FieldRefused(f"expected an object containing the user's {key}")
    row = call.account_of(value)
    if row is None:
        raise FieldRefused(f"User '{value.get(key, value.get('id'))}' does not exist.")
    if assignable_in is not None and not permissions.assignable(call.db, row, assignable_in["id"]):
        raise FieldRefused(f"User '{row['id'] if call.site.cloud else row['name']}' {refusal}")
    return str(row["id"])


def labels(_: Call, __: Row, value: Any) -> Values:
    """Check labels: words without blanks."""
    return {"labels": words(value)}


def words(value: Any) -> list[str]:
    """Return words without blanks, each once."""
    if not isinstance(value, list) or not all(isinstance(label, str) for label in value):
        raise FieldRefused("data was not an array" if not isinstance(value, list) else "string expected at index 0")
    for label in value:
        if re.search(r"\s", label):
            raise FieldRefused(f"The label '{label}' contains spaces which is invalid.")
        if not 0 < len(label) <= LABEL_LIMIT:
            raise FieldRefused(f"The label '{label}' exceeds the maximum length of {LABEL_LIMIT} characters.")
    return sorted(set(value))


def parts(name: str, table: str) -> Writer:
    """Return a check of components or versions of the project, by id or name."""

    def write(call: Call, project: Row, value: Any) -> Values:
        if not isinstance(value, list):
            raise FieldRefused("data was not an array")
        return {name: sorted({_part(call, project, part, table) for part in value})}

    return write


def security(call: Call, project: Row, value: Any) -> Values:
    """Resolve a security level of the project."""
    if value is None:
        return {"security": None}
    by = next((name for name in ("id", "name") if isinstance(value, dict) and name in value), "id")
    sent = value.get(by) if isinstance(value, dict) else value
    found = call.db.value(f"SELECT id FROM security_level WHERE project = ? AND {by} = ?", project["id"], str(sent))
    if found is None:
        raise FieldRefused(f"Security level {by} '{sent}' is not valid")
    return {"security": found}


def timetracking(_: Call, __: Row, value: Any) -> Values:
    """Check original and remaining estimate."""
    if not isinstance(value, dict):
        raise FieldRefused("data was not an object")
    first, rest = value.get("originalEstimate"), value.get("remainingEstimate")
    values: Values = {}
    if first is not None:
        values |= {"estimate": _seconds(first), "remaining": _seconds(first)}
    return values | ({} if rest is None else {"remaining": _seconds(rest)})


def _seconds(value: Any) -> int:
    seconds = seconds_of(value)
    if seconds is None:
        raise FieldRefused(f"'{value}' is not a valid duration. The valid format is e.g. 4d 6h 30m.")
    return seconds


def _part(call: Call, project: Row, value: Any, table: str) -> int:
    by = next((name for name in ("id", "name") if isinstance(value, dict) and name in value), None)
    if by is None:
        raise FieldRefused(
            "expected Object containing a 'name' property" if isinstance(value, str) else "id is missing"
        )
    row = call.chosen(table, value, project=project["id"])
    if row is None:
        raise FieldRefused(f"{table.capitalize()} {by} '{value[by]}' is not valid")
    return int(row["id"])


def due(_: Call, __: Row, value: Any) -> Values:
    day = None if value is None else day_of(value)
    if value is not None and day is None:
        raise FieldRefused(f"Error parsing date string: {value}")
    return {"due": day}


def parent(call: Call, _: Row, value: Any) -> Values:
    if value is None:
        return {"parent": None}
    key = (value.get("key") or value.get("id")) if isinstance(value, dict) else None
    row = call.seen(str(key)) if key else None
    if row is None:
        raise FieldRefused("Could not find issue by id or key.")
    return {"parent": row["id"]}

"""Moves issues to other projects: gives a new key, keeps the old key as an alias, drops values the project lacks."""

from triage_sandbox.jira.call import Call
from triage_sandbox.jira.ground import projects
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.issue import history, issues
from triage_sandbox.jira.issue.fields.writing import Values


def move(call: Call, issue: Row, project: Row, *, by: str = "") -> str:
    """Move an issue to another project; return its new key. Without `by` the project's lead counts as author."""
    if issue["project"] == project["id"]:
        return str(issue["key"])
    number = call.db.value("UPDATE project SET counter = counter + 1 WHERE id = ? RETURNING counter", project["id"])
    for table in ("issue_component", "issue_version", "issue_affected"):
        call.db.run(f"DELETE FROM {table} WHERE issue = ?", issue["id"])
    columns = {"project": project["id"], "number": number, "security": None, **_fitting(call, issue, project)}
    call.db.update("issue", issue["id"], columns)
    old = {"project": issue["project"], "number": issue["number"], "issue": issue["id"]}
    call.db.insert("old_key", old)
    _log(call, issue, project, f"{project['key']}-{number}", by or project["lead"])
    return f"{project['key']}-{number}"


def _fitting(call: Call, issue: Row, project: Row) -> Values:
    """The kind and the state that the new project has for it."""
    kinds = [row["id"] for row in projects.kinds(call.db, project["id"])]
    fitting: Values = {} if issue["type"] in kinds else {"type": kinds[0]}
    if not projects.ways(call.db, project["id"], issue["status"]):
        fitting["status"] = project["initial"] or call.db.value("SELECT id FROM status ORDER BY rank LIMIT 1")
    return fitting


def _log(call: Call, issue: Row, project: Row, key: str, author: str) -> None:
    was = call.entry("project", issue["project"])
    moved = history.item("project", "project", (was["id"], was["name"]), (project["id"], project["name"]))
    renamed = history.item("Key", "issuekey", (None, issue["key"]), (None, key))
    issues.log(call, issue["id"], [moved, renamed], author=author)

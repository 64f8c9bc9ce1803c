"""Creates service desks over projects, each with a team and request types."""

from typing import Final

from triage_sandbox.jira.ground.database import Database, Row

AGENT: Final = "SERVICEDESK_AGENT"
TEAM: Final = "Service Desk Team"
_ROLES: Final = {
    TEAM: "People who answer customers.",
    "Service Desk Customers": "People who ask for help.",
}
_TYPES: Final = (
    ("Ask a question", "Something you would like to know.", "Service Request", "summary! description"),
    ("Report a problem", "Something does not do what it should.", "Incident", "summary! description! priority"),
    ("Request access", "You need to get in somewhere.", "Service Request", "summary! description duedate"),
)
_RIGHTS: Final = (
    "BROWSE_PROJECTS", "CREATE_ISSUES", "EDIT_ISSUES", "ASSIGN_ISSUES", "ASSIGNABLE_USER", "TRANSITION_ISSUES",
    "ADD_COMMENTS", AGENT,
)  # fmt: skip


def opened(db: Database, project: int) -> int:
    """Create a service desk over a project with three request types; return its id."""
    desk = db.insert("service_desk", {"project": project})
    for name, description, kind, fields in _TYPES:
        row = {"desk": desk, "name": name, "description": description, "fields": fields}
        db.insert("request_type", row | {"type": _kind(db, project, kind)})
    for name, description in _ROLES.items():
        db.run("INSERT OR IGNORE INTO role (name, description) VALUES (?, ?)", name, description)
    team, scheme = role(db, TEAM), db.value("SELECT scheme FROM project WHERE id = ?", project)
    known = "SELECT 1 FROM permission_grant WHERE scheme = ? AND holder = 'projectRole' AND parameter = ?"
    if db.one(known, scheme, str(team)) is None:
        for permission in _RIGHTS:
            row = {"scheme": scheme, "permission": permission, "holder": "projectRole", "parameter": str(team)}
            db.insert("permission_grant", row)
    return desk


def _kind(db: Database, project: int, name: str) -> int:
    """The kind of issue by its name, else the first one of the project."""
    found = "SELECT t.id FROM issue_type t JOIN project_type p ON p.type = t.id WHERE p.project = ? ORDER BY t.name != ?, t.rank"
    return int(db.value(found, project, name))


def role(db: Database, name: str) -> int:
    return int(db.value("SELECT id FROM role WHERE name = ?", name))


def of_project(db: Database, project: int) -> Row | None:
    return db.find("service_desk", project=project)

"""Lists the permissions, checks who holds each, and words Jira's refusals."""

from dataclasses import dataclass
from typing import Final
from uuid import NAMESPACE_URL, uuid5

from triage_sandbox.jira.ground.database import Database, Row

GLOBAL: Final = {
    "ADMINISTER": (0, "Administer Jira"),
    "SYSTEM_ADMIN": (44, "Jira System Administrators"),
    "USER_PICKER": (27, "Browse users and groups"),
    "CREATE_SHARED_OBJECTS": (22, "Share dashboards and filters"),
    "MANAGE_GROUP_FILTER_SUBSCRIPTIONS": (24, "Manage group filter subscriptions"),
    "BULK_CHANGE": (33, "Make bulk changes"),
}
PROJECT: Final = {
    "ADMINISTER_PROJECTS": (23, "Administer Projects"),
    "BROWSE_PROJECTS": (10, "Browse Projects"),
    "MANAGE_SPRINTS_PERMISSION": (-1, "Manage Sprints"),
    "SERVICEDESK_AGENT": (-1, "Service Project Agent"),
    "VIEW_DEV_TOOLS": (29, "View Development Tools"),
    "VIEW_READONLY_WORKFLOW": (45, "View Read-Only Workflow"),
    "CREATE_ISSUES": (11, "Create Issues"),
    "EDIT_ISSUES": (12, "Edit Issues"),
    "TRANSITION_ISSUES": (46, "Transition Issues"),
    "SCHEDULE_ISSUES": (28, "Schedule Issues"),
    "MOVE_ISSUES": (25, "Move Issues"),
    "ASSIGN_ISSUES": (13, "Assign Issues"),
    "ASSIGNABLE_USER": (17, "Assignable User"),
    "RESOLVE_ISSUES": (14, "Resolve Issues"),
    "CLOSE_ISSUES": (18, "Close Issues"),
    "MODIFY_REPORTER": (30, "Modify Reporter"),
    "DELETE_ISSUES": (16, "Delete Issues"),
    "LINK_ISSUES": (21, "Link Issues"),
    "SET_ISSUE_SECURITY": (26, "Set Issue Security"),
    "VIEW_VOTERS_AND_WATCHERS": (31, "View Voters and Watchers"),
    "MANAGE_WATCHERS": (32, "Manage Watchers"),
    "ADD_COMMENTS": (15, "Add Comments"),
    "EDIT_ALL_COMMENTS": (34, "Edit All Comments"),
    "EDIT_OWN_COMMENTS": (35, "Edit Own Comments"),
    "DELETE_ALL_COMMENTS": (36, "Delete All Comments"),
    "DELETE_OWN_COMMENTS": (37, "Delete Own Comments"),
    "CREATE_ATTACHMENTS": (19, "Create Attachments"),
    "DELETE_ALL_ATTACHMENTS": (38, "Delete All Attachments"),
    "DELETE_OWN_ATTACHMENTS": (39, "Delete Own Attachments"),
    "WORK_ON_ISSUES": (20, "Work On Issues"),
    "EDIT_OWN_WORKLOGS": (40, "Edit Own Worklogs"),
    "EDIT_ALL_WORKLOGS": (41, "Edit All Worklogs"),
    "DELETE_OWN_WORKLOGS": (42, "Delete Own Worklogs"),
    "DELETE_ALL_WORKLOGS": (43, "Delete All Worklogs"),
}
KNOWN: Final = GLOBAL | PROJECT

ADMINS_ONLY: Final = frozenset({"ADMINISTER", "SYSTEM_ADMIN"})
ADMIN_GROUPS: Final = ("jira-administrators", "administrators")
USER_GROUPS: Final = ("jira-software-users", "jira-servicedesk-users")
ADMINISTRATORS: Final = 10002
DEVELOPERS: Final = 10001
MEMBERS: Final = 10000


@dataclass(frozen=True, slots=True)
class Refusal:
    """Jira's message for a missing permission."""

    cloud: int
    server: int
    words: str
    field: str = ""
    """It is this field of a form that is refused."""


REFUSALS: Final = {
    "ADMINISTER": Refusal(403, 403, "You do not have the required permission to administer Jira."),
    "ADMINISTER_PROJECTS": Refusal(403, 401, "The user does not have permission to complete this operation."),
    "CREATE_ISSUES": Refusal(400, 400, "You do not have permission to create issues in this project.", "project"),
    "ASSIGN_ISSUES": Refusal(403, 401, "You do not have permission to assign issues.", "assignee"),
    "DELETE_ISSUES": Refusal(403, 403, "You do not have permission to delete issues in this project."),
    "ADD_COMMENTS": Refusal(400, 400, "You do not have the permission to comment on this issue."),
    "CREATE_ATTACHMENTS": Refusal(403, 403, "You do not have permission to create attachments for this issue."),
    "LINK_ISSUES": Refusal(404, 401, "No Link Issue Permission for this issue."),
    "MANAGE_WATCHERS": Refusal(403, 401, "You do not have permission to manage the watcher list."),
    "WORK_ON_ISSUES": Refusal(400, 400, "You do not have the permission to associate a worklog to this issue."),
}
FALLBACK: Final = Refusal(403, 403, "You do not have permission to perform this operation.")


def holds(db: Database, account: str, permission: str, project: int) -> bool:
    sql = "SELECT 1 FROM holding WHERE account = ? AND permission = ? AND project = ?"
    return db.one(sql, account, permission, project) is not None


def assignable(db: Database, account: Row, project: int) -> bool:
    """Tell whether an account can be assignee in a project."""
    return account["kind"] == "atlassian" and holds(db, account["id"], "ASSIGNABLE_USER", project)


def holds_globally(db: Database, account: str, permission: str) -> bool:
    """Tell whether an account has a global permission; for a project permission, whether it has it in any project."""
    if permission in PROJECT:
        return bool(projects_with(db, account, permission))
    if db.one("SELECT 1 FROM denial WHERE account = ? AND permission = ?", account, permission):
        return False
    return permission not in ADMINS_ONLY or _in_any(db, account, ADMIN_GROUPS)


def group(db: Database, reference: str) -> Row | None:
    """Return a group by name or id."""
    return db.one("SELECT * FROM crowd WHERE name = ?1 OR id = ?1", reference)


def in_group(db: Database, account: str, crowd: str) -> bool:
    return db.one("SELECT 1 FROM member WHERE account = ? AND crowd = ?", account, crowd) is not None


def in_role(db: Database, account: str, role: int, project: int) -> bool:
    """Tell whether an account has a role in a project, directly or by a group."""
    sql = (
        "SELECT 1 FROM actor WHERE role = ?1 AND project = ?2"
        " AND (account = ?3 OR crowd IN (SELECT crowd FROM member WHERE account = ?3))"
    )
    return db.one(sql, role, project, account) is not None


def _in_any(db: Database, account: str, crowds: tuple[str, ...]) -> bool:
    marks = ", ".join("?" * len(crowds))
    sql = f"SELECT 1 FROM member m JOIN crowd c ON c.id = m.crowd WHERE m.account = ? AND c.name IN ({marks})"
    return db.one(sql, account, *crowds) is not None


def projects_with(db: Database, account: str, permission: str) -> set[int]:
    sql = "SELECT DISTINCT project FROM holding WHERE account = ? AND permission = ?"
    return {row[0] for row in db.all(sql, account, permission)}


# --- who is in which group ------------------------------------------------------------------------


def enrol(db: Database, account: str, *, admin: bool) -> None:
    """Add a new account to the groups of users and, if asked, of administrators."""
    for name in (*USER_GROUPS, *(ADMIN_GROUPS if admin else ())):
        db.run("INSERT OR IGNORE INTO member (crowd, account) VALUES (?, ?)", crowd_id(name), account)


def crowd_id(name: str) -> str:
    """Return a group's id, which follows from its name."""
    return str(uuid5(NAMESPACE_URL, f"group:{name.casefold()}"))

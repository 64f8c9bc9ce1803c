"""Creates groups, roles and the default permission scheme of a new site, and assigns roles in new projects."""

from typing import Final

from triage_sandbox.jira.ground.database import Database
from triage_sandbox.jira.ground.permissions import (
    ADMIN_GROUPS,
    ADMINISTRATORS,
    DEVELOPERS,
    MEMBERS,
    PROJECT,
    USER_GROUPS,
    crowd_id,
    enrol,
)

_SCHEME: Final = 10000
_ROLES: Final = {
    ADMINISTRATORS: ("Administrators", "A project role that represents administrators in a project"),
    DEVELOPERS: ("Developers", "A project role that represents developers in a project"),
    MEMBERS: ("Users", "A project role that represents users in a project"),
}
_NOT_FOR_MEMBERS: Final = frozenset(
    name for name in PROJECT if name.startswith(("ADMINISTER", "SERVICEDESK", "SET_")) or "_ALL_" in name
) | {"DELETE_ISSUES", "MODIFY_REPORTER", "MOVE_ISSUES", "MANAGE_SPRINTS_PERMISSION"}


def found(db: Database) -> None:
    """Create groups, roles and the default permission scheme of a new site."""
    for name in (*ADMIN_GROUPS, *USER_GROUPS):
        db.insert("crowd", {"id": crowd_id(name), "name": name})
    for number, (name, description) in _ROLES.items():
        db.insert("role", {"id": number, "name": name, "description": description})
    for permission, holder, parameter in _grants():
        row = {"scheme": _SCHEME, "permission": permission, "holder": holder, "parameter": parameter}
        db.insert("permission_grant", row)


def settle(db: Database, admins: frozenset[str]) -> None:
    """Add all accounts to the groups of users and administrators, and to the roles of every project."""
    for account, name in db.all("SELECT id, name FROM account"):
        enrol(db, account, admin=name in admins)
    for project, lead in db.all("SELECT id, lead FROM project WHERE id NOT IN (SELECT project FROM actor)"):
        staff(db, project, lead)


def staff(db: Database, project: int, lead: str) -> None:
    """Set the roles in a new project: its lead and the administrators, and all users."""
    administers = {"project": project, "role": ADMINISTRATORS}
    db.insert("actor", {**administers, "account": lead})
    for name in ADMIN_GROUPS:
        db.insert("actor", {**administers, "crowd": crowd_id(name)})
    db.insert("actor", {"project": project, "role": MEMBERS, "crowd": crowd_id(USER_GROUPS[0])})


def _grants() -> list[tuple[str, str, str]]:
    """The default scheme: permission, kind of holder, and which one."""
    to_members = [name for name in PROJECT if name not in _NOT_FOR_MEMBERS]
    return [
        *((name, "projectRole", str(ADMINISTRATORS)) for name in PROJECT),
        *((name, "projectRole", str(MEMBERS)) for name in to_members),
    ]

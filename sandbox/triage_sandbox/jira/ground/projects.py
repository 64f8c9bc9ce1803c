"""Reads what a project may use: issue types, statuses and transitions, its own or the site's."""

from typing import Final

from triage_sandbox.jira.ground.database import Database, Row

_WORKFLOW: Final = "FROM transition WHERE project IS (SELECT max(project) FROM transition WHERE project = ?1)"
"""A project's own, or that of all which have none."""


def kinds(db: Database, project: int) -> list[Row]:
    """Return the issue types of a project: the chosen ones, or all."""
    chosen = "SELECT type FROM project_type WHERE project = ?1"
    sql = f"SELECT * FROM issue_type WHERE id IN ({chosen}) OR NOT EXISTS ({chosen}) ORDER BY rank"
    return db.all(sql, project)


def states(db: Database, project: int) -> list[Row]:
    """Return the statuses of a project's workflow."""
    return db.all(f"SELECT * FROM status WHERE id IN (SELECT source {_WORKFLOW}) ORDER BY rank", project)


def ways(db: Database, project: int, status: int) -> list[Row]:
    """Return the transitions out of a status."""
    return db.all(f"SELECT * {_WORKFLOW} AND source = ?2 ORDER BY id", project, status)

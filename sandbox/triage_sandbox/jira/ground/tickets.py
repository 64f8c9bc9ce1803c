"""Finds an issue by key or id."""

from triage_sandbox.jira.ground.database import Database, Row


def find(db: Database, key_or_id: str) -> Row | None:
    if key_or_id.isdecimal():
        return db.find("ticket", id=int(key_or_id[:18]))
    key, _, number = key_or_id.rpartition("-")
    if not number.isdecimal():
        return None
    there = "project = (SELECT id FROM project WHERE key = ?) AND number = ?"
    values = (key, int(number[:18]))
    found = db.one(f"SELECT * FROM ticket WHERE {there}", *values)
    # Moved to another project: the old key still leads there.
    return found or db.one(f"SELECT * FROM ticket WHERE id = (SELECT issue FROM old_key WHERE {there})", *values)

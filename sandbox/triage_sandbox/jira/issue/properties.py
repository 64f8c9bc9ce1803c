"""Stores properties: JSON values that clients attach to issues, comments, projects, boards and sprints."""

import json
from typing import Any, Final

from triage_sandbox.jira.call import JiraError, items_of
from triage_sandbox.jira.ground.database import Database
from triage_sandbox.jira.shapes import Shape

LIMIT: Final = 32_768


def listed(db: Database, entity: str, owner: int) -> list[Shape]:
    rows = db.all("SELECT key, value FROM property WHERE entity = ? AND owner = ? ORDER BY key", entity, owner)
    return [{"key": row["key"], "value": json.loads(row["value"])} for row in rows]


def value(db: Database, entity: str, owner: int, key: str) -> Any:
    sql = "SELECT value FROM property WHERE entity = ? AND owner = ? AND key = ?"
    return json.loads(db.value(sql, entity, owner, key) or "null")


def put(db: Database, entity: str, owner: int, key: str, value: Any) -> bool:
    """Set a property; return whether it is new."""
    text = json.dumps(value, ensure_ascii=False)
    if not 0 < len(key) <= 255:
        raise JiraError(400, "The property key must not be empty and no longer than 255 characters.")
    if len(text) > LIMIT:
        raise JiraError(400, f"The property value is too long. It must not exceed {LIMIT} characters.")
    known = db.one("SELECT 1 FROM property WHERE entity = ? AND owner = ? AND key = ?", entity, owner, key)
    db.run("REPLACE INTO property (entity, owner, key, value) VALUES (?, ?, ?, ?)", entity, owner, key, text)
    return known is None


def take(db: Database, entity: str, owner: int, data: dict[str, Any]) -> None:
    """Set the properties that were sent with an issue or a comment."""
    for item in items_of(data, "properties"):
        if not isinstance(item, dict) or not isinstance(item.get("key"), str) or "value" not in item:
            raise JiraError(400, "A property needs a key and a value.")
        put(db, entity, owner, item["key"], item["value"])

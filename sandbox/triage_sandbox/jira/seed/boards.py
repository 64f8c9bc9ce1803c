"""Creates a project's boards with past, current and future sprints, filled with its tickets."""

from collections import Counter
from typing import Final

from triage_sandbox.jira.ground.database import Database, Row

_DAY: Final = 86_400_000
_LENGTH: Final = 14
"""Days of a sprint."""
_RUNNING: Final = 5
"""Days since the present one began."""
_LOAD: Final = 4
"""Tickets that somebody has in a sprint, done ones included."""


def board(db: Database, project: Row, kind: str, name: str = "", jql: str = "") -> int:
    """Create a board over a project, with a filter shared with that project; return its id."""
    columns = {"name": f"Filter for {name or project['key']} board", "description": "", "owner": project["lead"]}
    order = jql or f"project = {project['key']} ORDER BY Rank ASC"
    saved = db.insert("filter", {**columns, "jql": order})
    db.insert("share", {"filter": saved, "kind": "project", "project": project["id"]})
    row = {"name": f"{name or project['key']} board", "kind": kind, "filter": saved}
    return db.insert("board", {**row, "project": project["id"], "owner": project["lead"]})


def furnish(db: Database, key: str, now: int) -> None:
    """Create a scrum board with a closed, an active and a future sprint, and a kanban board."""
    project = db.find("project", key=key)
    if project is None:
        return
    scrum = board(db, project, "scrum")
    board(db, project, "kanban", f"{key} flow", f"project = {key} AND statusCategory != Done ORDER BY Rank ASC")
    begun = now - _RUNNING * _DAY
    before, after = begun - _LENGTH * _DAY, begun + _LENGTH * _DAY
    row = {"board": scrum, "created": before}
    past = {"state": "closed", "goal": "Fewer calls from depots.", "starts": before, "ends": begun, "completed": begun}
    present = {"state": "active", "goal": "Customs papers without paper.", "starts": begun, "ends": after}
    numbers = [
        db.insert("sprint", {**row, "name": f"{key} Sprint {number}", "position": number, **columns})
        for number, columns in ((11, past | {"activated": before}), (12, present | {"activated": begun}), (13, {}))
    ]
    _fill(db, project["id"], numbers, (before, begun))


def _fill(db: Database, project: int, sprints: list[int], starts: tuple[int, int]) -> None:
    """What was done then was in the closed sprint; what is being done is in the active one; what is next, in the next."""
    tickets = db.all(
        "SELECT i.id, i.assignee, i.created, i.resolved, s.category FROM issue i JOIN status s ON s.id = i.status"
        " JOIN issue_type k ON k.id = i.type LEFT JOIN priority p ON p.id = i.priority"
        " WHERE i.project = ? AND k.name != 'Epic' AND NOT k.subtask"
        " ORDER BY s.category != 'done', s.category != 'indeterminate', p.rank, i.id",
        project,
    )
    load: Counter[tuple[str, int]] = Counter()
    for ticket in tickets:
        sprint = _place(ticket, sprints, starts, load)
        if sprint == sprints[0]:
            db.run("INSERT INTO past_sprint (issue, sprint) VALUES (?, ?)", ticket["id"], sprint)
        elif sprint is not None:
            db.run("UPDATE issue SET sprint = ? WHERE id = ?", sprint, ticket["id"])
            if ticket["category"] == "indeterminate" and ticket["created"] < starts[0]:
                db.run("INSERT INTO past_sprint (issue, sprint) VALUES (?, ?)", ticket["id"], sprints[0])


def _place(ticket: Row, sprints: list[int], starts: tuple[int, int], load: Counter[tuple[str, int]]) -> int | None:
    """The sprint of a ticket, None where it stays in the backlog."""
    person, (past, present, following) = ticket["assignee"], sprints
    if person is None:
        return None
    if ticket["category"] == "done":
        if ticket["resolved"] is None or ticket["resolved"] < starts[0]:
            return None
        return past if ticket["resolved"] < starts[1] else present
    for sprint, most in ((present, _LOAD), (following, _LOAD - 1)):
        if ticket["category"] == "indeterminate" or load[person, sprint] < most:
            load[person, sprint] += 1
            return sprint
    return None

"""The issue picker: suggestions while somebody types."""

import re
from typing import Final

from triage_sandbox.jira.call import API, Answer, Call, Route
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.rest.search.search import asker_of, plan_of
from triage_sandbox.jira.shapes import Shape, marked

_MOST_PICKED: Final = 20


def pick(call: Call) -> Answer:
    """Return suggestions of issues: the latest ones, and matches of the current search."""
    text = call.query("query").strip()
    recent = _picked(call, text, "")
    history = _section("History Search", "hs", recent, text)
    jql = call.query("currentJQL")
    if not jql:
        return Answer({"sections": [history]})
    return Answer({"sections": [history, _section("Current Search", "cs", _picked(call, text, jql), text)]})


def _picked(call: Call, text: str, jql: str) -> list[Row]:
    asker = asker_of(call)
    plan = plan_of(call, jql, asker)
    like = "%" + re.sub(r"([\\%_])", r"\\\1", text) + "%"
    current = call.query("currentIssueKey")
    return call.db.all(
        f"SELECT t.* FROM ticket t JOIN issue i ON i.id = t.id WHERE {plan.where} AND t.key != ? COLLATE NOCASE"
        r" AND (t.summary LIKE ? ESCAPE '\' OR t.key LIKE ? ESCAPE '\') ORDER BY t.updated DESC LIMIT ?",
        *plan.values, current, like, like, _MOST_PICKED,
    )  # fmt: skip


def _section(label: str, section: str, rows: list[Row], text: str) -> Shape:
    if not rows:
        return {"label": label, "id": section, "msg": "No matching issues found", "issues": []}
    shown = [_choice(row, text) for row in rows]
    return {
        "label": label,
        "sub": f"Showing {len(rows)} of {len(rows)} matching issues",
        "id": section,
        "issues": shown,
    }


def _choice(row: Row, text: str) -> Shape:
    return {
        "id": row["id"],
        "key": row["key"],
        "keyHtml": marked(row["key"], text),
        "img": f"/images/icons/issuetypes/{row['type']}.svg",
        "summary": marked(row["summary"], text),
        "summaryText": row["summary"],
    }


ROUTES: Final = (Route("GET", f"{API}/issue/picker", pick),)

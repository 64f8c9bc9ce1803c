"""Creates the company's help desk: a service project with customers and some requests."""

from pathlib import Path
from typing import Final

import yaml

from triage_sandbox.jira.ground.database import Database
from triage_sandbox.jira.issue import issues, properties, said
from triage_sandbox.jira.markup.body import Body
from triage_sandbox.jira.seed import desks, templates
from triage_sandbox.jira.seed.story import Story

KEY: Final = "HELP"
_MINUTE: Final = 60_000
_TOLD: Final = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))


def plant(db: Database, story: Story, now: int) -> None:
    """Create the service desk; customers and requests only if the company has tickets."""
    with db.write():
        _keep_kinds(db, story.project.key)
        lead = db.value("SELECT lead FROM project WHERE key = ?", story.project.key)
        project = templates.make(
            db, {"key": KEY, "name": f"{story.project.company} Help", "lead": lead}, "service_desk"
        )
        found = desks.of_project(db, project)
        desk = desks.opened(db, project) if found is None else found["id"]
        team = desks.role(db, desks.TEAM)
        for person in story.project.people:
            if person.role == "Support":
                db.insert("actor", {"project": project, "role": team, "account": person.id})
        if story.tickets:
            _ask(db, story, project, desk, now)


def _keep_kinds(db: Database, key: str) -> None:
    """The company's own project keeps to its kinds of issues: a desk brings others."""
    db.run(
        "INSERT OR IGNORE INTO project_type (project, type)"
        " SELECT p.id, t.id FROM project p, issue_type t WHERE p.key = ?",
        key,
    )


def _ask(db: Database, story: Story, project: int, desk: int, now: int) -> None:
    accounts = {person.username: person.id for person in story.project.people}
    for person in _TOLD["customers"]:
        row = (person["id"], person["email"], person["name"], person["email"], 0, 1, "customer", None)
        db.insert_all("account", [row])
        db.insert("customer", {"desk": desk, "account": person["id"]})
    initial = db.value("SELECT initial FROM project WHERE id = ?", project)
    for place, asked in enumerate(_TOLD["asked"]):
        kind = db.find("request_type", desk=desk, name=asked["kind"])
        if kind is None:
            continue
        at, who = now - (3 - place) * 1440 * _MINUTE, asked["customer"]
        values = {"summary": asked["summary"], "type": kind["type"], "reporter": who, "creator": who, "status": initial}
        issue = issues.insert(db, project, values | Body.of(asked["text"]).stored_as("description"), at)
        db.insert("request", {"issue": issue, "type": kind["id"]})
        for each in asked["said"]:
            if each["author"] in accounts:
                at += 20 * _MINUTE
                _say(db, issue, accounts[each["author"]], each["text"], at, internal=each.get("internal", False))


def _say(db: Database, issue: int, author: str, text: str, at: int, *, internal: bool) -> None:
    columns = {**Body.of(text).stored, "created": at, "updated": at}
    comment = db.insert("comment", {"issue": issue, "author": author, **columns})
    if internal:
        properties.put(db, "comment", comment, said.PUBLIC, {"internal": True})
    db.run("UPDATE issue SET updated = ? WHERE id = ?", at, issue)
    issues.index(db, issue)

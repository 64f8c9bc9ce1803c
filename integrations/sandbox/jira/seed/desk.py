"""The company's help desk: a project where customers ask, with some who have asked already."""

from typing import Any, Final

from integrations.sandbox.jira.ground.database import Database
from integrations.sandbox.jira.issue import issues, properties, said
from integrations.sandbox.jira.markup.body import Body
from integrations.sandbox.jira.seed import desks, templates
from integrations.sandbox.jira.seed.story import Story

KEY: Final = "HELP"
_MINUTE: Final = 60_000
_CUSTOMERS: Final = (
    ("acc-cust-91c04fb2e7d8", "nils.brandt@northsea-tools.example", "Nils Brandt"),
    ("acc-cust-3a7e60d915fc", "amara.okoye@lumen-textiles.example", "Amara Okoye"),
    ("acc-cust-c85d217ab064", "pilar.santos@olivar-foods.example", "Pilar Santos"),
)
_ASKED: Final = (
    (0, "Ask a question", "How long are proofs of delivery kept?", "We need them for an audit, back to 2023.", (
        ("carla.jimenez", "Two years in the portal, ten on request. Which shipments do you need?", False),
        ("carla.jimenez", "Archive access is with DevOps, ask Ben before promising a date.", True),
    )),
    (1, "Report a problem", "Label printer prints every second label", "Since this morning, Zebra ZD421, on two desks.", (
        ("rory.mcallister", "Please send us the shipment numbers of two labels that are missing.", False),
    )),
    (2, "Request access", "Second login for our warehouse", "For the night shift, read only.", ()),
)  # fmt: skip


def plant(db: Database, story: Story, now: int) -> None:
    """The desk; its customers and what they asked only where the company has tickets, too."""
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
    for account, email, name in _CUSTOMERS:
        db.insert_all("account", [(account, email, name, email, 0, 1, "customer")])
        db.insert("customer", {"desk": desk, "account": account})
    for place, (who, kind_name, summary, text, comments) in enumerate(_ASKED):
        kind = db.one("SELECT * FROM request_type WHERE desk = ? AND name = ?", desk, kind_name)
        if kind is None:
            continue
        at, body, customer = now - (3 - place) * 1440 * _MINUTE, Body.of(text), _CUSTOMERS[who][0]
        values: dict[str, Any] = {"summary": summary, "type": kind["type"], "reporter": customer, "creator": customer}
        values |= {
            **body.stored_as("description"),
            "status": db.value("SELECT initial FROM project WHERE id = ?", project),
        }
        issue = issues.insert(db, project, values, at)
        db.insert("request", {"issue": issue, "type": kind["id"]})
        for author, said_, internal in comments:
            if author in accounts:
                at += 20 * _MINUTE
                _say(db, issue, accounts[author], said_, at, internal=internal)


def _say(db: Database, issue: int, author: str, text: str, at: int, *, internal: bool) -> None:
    columns = {**Body.of(text).stored, "created": at, "updated": at}
    comment = db.insert("comment", {"issue": issue, "author": author, **columns})
    if internal:
        properties.put(db, "comment", comment, said.PUBLIC, {"internal": True})
    db.run("UPDATE issue SET updated = ? WHERE id = ?", at, issue)
    issues.index(db, issue)

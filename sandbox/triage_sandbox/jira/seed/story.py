"""Fills a site from a story: a project, its people and tickets, with times relative to now."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final, Self

from triage_sandbox.company import (
    DemoLink,
    DemoPerson,
    DemoProject,
    DemoTicket,
    load_project,
    load_tickets,
)
from triage_sandbox.company.past import past
from triage_sandbox.jira.ground.database import Database
from triage_sandbox.jira.ground.stamps import moment
from triage_sandbox.jira.issue import issues
from triage_sandbox.jira.issue.fields import custom
from triage_sandbox.jira.markup.body import Body
from triage_sandbox.jira.seed import boards as seed_boards

_DAY: Final = 86_400_000
_MINUTE: Final = 60_000
_FIELDS: Final = (
    (10011, "Epic Name", "epic_name"),
    (10012, "Epic Status", "epic_status"),
    (10014, "Epic Link", "epic_link"),
    (10016, "Story Points", "points"),
    (10019, "Rank", "rank"),
    (10020, "Sprint", "sprint"),
)
"""What the agile half of a Jira brings; their numbers differ from site to site, these are frequent."""


_EPIC_STATES: Final = 10000
"""The first option of a new site, and the only ones it begins with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """The content of a site before its first request."""

    project: DemoProject
    tickets: Sequence[DemoTicket] = ()
    generated: int = 0
    """A number other than 0 adds the larger past that belongs to it: more projects, hundreds of tickets."""
    projects: Mapping[str, str] = field(default_factory=dict)
    """Empty ones beside the company's, by key and template; an old site gets those that it has not."""

    @classmethod
    def of_company(cls, *, tickets: bool = True, generated: int = 0, projects: Mapping[str, str] | None = None) -> Self:
        """Return the story of the demo's company."""
        known = load_tickets() if tickets else ()
        return cls(project=load_project(), tickets=known, generated=generated, projects=projects or {})

    @classmethod
    def of_folder(cls, folder: Path) -> Self:
        """A story of `project.yaml` and `tickets.yaml` in a folder; what is not there is the demo company's."""
        project, tickets = (folder / name for name in ("project.yaml", "tickets.yaml"))
        seeded = load_tickets(folder) if tickets.exists() else () if project.exists() else load_tickets()
        return cls(project=load_project(folder) if project.exists() else load_project(), tickets=seeded)

    @property
    def whole(self) -> Sequence[DemoTicket]:
        """Return the tickets together with the generated past."""
        if not self.generated:
            return self.tickets
        return (*self.tickets, *past(self.generated, self.project, first=len(self.tickets) + 1).tickets)

    @property
    def bot(self) -> DemoPerson:
        """The account for requests without a login name: the bot's, else the first one."""
        return next((person for person in self.project.people if person.role == "Bot"), self.project.people[0])


def plant(db: Database, story: Story, now: int) -> None:
    """Fill an empty site with the story."""
    with db.write():
        _Planting(db, story, now).everything()


class _Planting:
    def __init__(self, db: Database, story: Story, now: int) -> None:
        self._db = db
        self._story = story
        self._now = now
        self._accounts = {person.username: person.id for person in story.project.people}

    def everything(self) -> None:
        self._catalogues(self._story.project)
        for number, name, kind in _FIELDS:
            custom.define(self._db, name, kind, number=number)
        for number, value in enumerate(("To Do", "In Progress", "Done"), _EPIC_STATES):
            self._db.insert("custom_option", {"id": number, "field": 10012, "value": value})
        project = self._project(self._story.project)
        tickets = self._story.whole
        ids = {ticket.key: self._ticket(project, ticket) for ticket in tickets}
        for ticket in tickets:
            if ticket.parent:
                self._db.run("UPDATE issue SET parent = ? WHERE id = ?", ids[ticket.parent], ids[ticket.key])
            for link in ticket.links:
                self._link(ids, ticket, link)
        seed_boards.furnish(self._db, self._story.project.key, self._now)

    def _catalogues(self, story: DemoProject) -> None:
        insert = self._db.insert_all
        insert(
            "account",
            ((p.id, p.username, p.name, p.email, p.email_visible, p.active, p.type, None) for p in story.people),
        )
        insert(
            "issue_type",
            ((t.id, t.name, t.description, t.subtask, rank) for rank, t in enumerate(story.issue_types)),
        )
        insert("priority", ((p.id, p.name, rank) for rank, p in enumerate(story.priorities)))
        insert("status", ((s.id, s.name, s.category, rank) for rank, s in enumerate(story.statuses)))
        insert("resolution", ((r.id, r.name, rank) for rank, r in enumerate(story.resolutions)))
        insert("link_type", ((t.id, t.name, t.inward, t.outward) for t in story.link_types))
        states = {status.name: status.id for status in story.statuses}
        insert(
            "transition",
            (
                (t.id, t.name, states[source], states[t.to], None, None)
                for t in story.transitions
                for source in t.sources
            ),
        )

    def _project(self, story: DemoProject) -> int:
        lead = self._accounts[story.lead]
        columns = {"key": story.key, "name": story.name, "description": story.description, "kind": "software"}
        project = self._db.insert("project", {**columns, "lead": lead})
        for part in story.components:
            owner = self._accounts[part.lead]
            self._db.insert(
                "component", {"project": project, "name": part.name, "description": part.description, "lead": owner}
            )
        for version in story.versions:
            day = self._today() - timedelta(days=version.release_days_ago)
            row = {"id": version.id, "project": project, "name": version.name, "released": version.released}
            self._db.insert("version", {**row, "released_on": day.isoformat()})
        return project

    def _today(self) -> date:
        return moment(self._now).date()

    def _at(self, days: int, place: int) -> int:
        """So many days ago, and some minutes apart from the others of that day."""
        return self._now - days * _DAY - (place * 37 % 480 + 1) * _MINUTE

    def _ticket(self, project: int, ticket: DemoTicket) -> int:
        number = int(ticket.key.rpartition("-")[2])
        self._db.run("UPDATE project SET counter = ? WHERE id = ?", number - 1, project)
        created = self._at(ticket.created_days_ago, number)
        updated = max(created, self._at(ticket.updated_days_ago, number))
        status = self._row("status", ticket.status)
        done = self._db.value("SELECT category FROM status WHERE id = ?", status) == "done"
        resolution = ticket.resolution or ("Done" if done else None)
        reporter = self._accounts[ticket.reporter]
        columns = {
            "summary": ticket.summary,
            **_body(ticket.description).stored_as("description"),
            "type": self._row("issue_type", ticket.type),
            "status": status,
            "priority": self._row("priority", ticket.priority),
            "resolution": None if resolution is None else self._row("resolution", resolution),
            "assignee": self._accounts[ticket.assignee] if ticket.assignee else None,
            "reporter": reporter,
            "creator": reporter,
            "updated": updated,
            "moved": updated,
            "resolved": updated if done else None,
            "labels": sorted(set(ticket.labels)),
            "components": [self._part("component", project, name) for name in ticket.components],
            "fixVersions": [self._part("version", project, name) for name in ticket.fix_versions],
        } | ({f"{custom.PREFIX}10011": [ticket.summary]} if ticket.type == "Epic" else {})
        issue = issues.insert(self._db, project, columns, created)
        self._past(issue, ticket, status, updated)
        self._comments(issue, ticket, created)
        return issue

    def _row(self, table: str, name: str) -> Any:
        found = self._db.value(f"SELECT id FROM {table} WHERE name = ?", name)
        if found is None:
            raise LookupError(f"the story knows no {table.replace('_', ' ')} {name!r}")
        return found

    def _part(self, table: str, project: int, name: str) -> Any:
        found = self._db.value(f"SELECT id FROM {table} WHERE project = ? AND name = ?", project, name)
        if found is None:
            raise LookupError(f"the story knows no {table} {name!r}")
        return found

    def _past(self, issue: int, ticket: DemoTicket, status: int, at: int) -> None:
        """One entry of the changelog, so that a ticket shows who moved it."""
        first = self._db.one("SELECT id, name FROM status ORDER BY rank")
        if first is None or first["id"] == status:
            return
        moved = {
            "field": "status",
            "fieldId": "status",
            "fieldtype": "jira",
            "from": str(first["id"]),
            "fromString": first["name"],
        }
        items = [{**moved, "to": str(status), "toString": ticket.status}]
        author = self._accounts[ticket.assignee or ticket.reporter]
        self._db.insert("change", {"issue": issue, "author": author, "created": at, "items": json.dumps(items)})

    def _comments(self, issue: int, ticket: DemoTicket, created: int) -> None:
        for place, comment in enumerate(ticket.comments):
            at = max(created + (place + 1) * _MINUTE, self._at(comment.days_ago, -place))
            text = {**_body(comment.text).stored, "created": at, "updated": at}
            self._db.insert("comment", {"issue": issue, "author": self._accounts[comment.author], **text})
        if ticket.comments:
            issues.index(self._db, issue)

    def _link(self, ids: dict[str, int], ticket: DemoTicket, link: DemoLink) -> None:
        kind = self._row("link_type", link.type)
        self._db.insert("link", {"type": kind, "source": ids[ticket.key], "target": ids[link.to]})


def _body(text: str) -> Body:
    """The story is written in Markdown, of which `code` is all that wiki markup spells differently there."""
    return Body.of(re.sub(r"`([^`\n]+)`", r"{{\1}}", text))

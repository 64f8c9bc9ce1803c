"""Collects everything that the HTML page of one issue shows."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from triage_sandbox.jira.board.cards import ORIGIN, Card, Face, When, cards
from triage_sandbox.jira.ground import tickets
from triage_sandbox.jira.ground.database import Database, Row
from triage_sandbox.jira.ground.site import Site
from triage_sandbox.jira.issue import properties
from triage_sandbox.jira.issue.fields.reading import body_of
from triage_sandbox.jira.issue.said import internal
from triage_sandbox.jira.markup.body import Body


@dataclass(frozen=True, slots=True)
class Said:
    """A comment on the page of a ticket."""

    author: Face
    when: When
    body: Markup
    origin: dict[str, str]
    internal: bool
    """Customers do not see it."""


@dataclass(frozen=True, slots=True)
class Changed:
    """An entry of the changelog on the page of a ticket."""

    author: Face
    when: When
    items: list[tuple[str, str, str]]
    """Field, from, to."""


@dataclass(frozen=True, slots=True)
class Linked:
    """A linked ticket, and the name of the relation."""

    words: str
    card: Card


@dataclass(frozen=True, slots=True)
class TicketPage:
    """All that the page of a ticket shows."""

    card: Card
    resolution: str
    reporter: Face | None
    description: Markup
    labels: list[str]
    components: list[str]
    versions: list[str]
    sprints: list[str]
    created: When
    comments: list[Said]
    links: list[Linked]
    files: list[tuple[str, str]]
    """Name and size."""
    history: list[Changed]
    origin: dict[str, str]
    """What the ticket says of the mail it came from; empty where a person made it."""


def ticket(site: Site, key: str) -> TicketPage | None:
    db, row = site.db, tickets.find(site.db, key)
    if row is None:
        return None
    issue, body = row["id"], body_of(row)
    return TicketPage(
        card=cards(site, "t.id = ?", [issue])[0],
        resolution=db.value("SELECT name FROM resolution WHERE id = ?", row["resolution"]) or "",
        reporter=_face(db, row["reporter"]),
        description=Markup() if body is None else body.html,
        labels=_names(db, "SELECT label FROM issue_label WHERE issue = ? ORDER BY 1", issue),
        components=_names(db, f"{_PARTS.format('component')} ORDER BY 1", issue),
        versions=_names(db, f"{_PARTS.format('version')} ORDER BY 1", issue),
        sprints=_names(db, _SPRINTS, issue),
        created=When(row["created"], site.now()),
        comments=[
            _said(site, comment) for comment in db.all("SELECT * FROM comment WHERE issue = ? ORDER BY id", issue)
        ],
        links=list(_links(site, issue)),
        files=[(name, _size(size)) for name, size in db.all(_FILES, issue)],
        history=[_changed(site, change) for change in db.all("SELECT * FROM change WHERE issue = ?", issue)],
        origin=_origin(db, "issue", issue),
    )


_PARTS = "SELECT p.name FROM {0} p JOIN issue_{0} r ON r.{0} = p.id WHERE r.issue = ?"
_SPRINTS = "SELECT s.name FROM issue_sprint r JOIN sprint s ON s.id = r.sprint WHERE r.issue = ? ORDER BY s.id"
_FILES = "SELECT name, length(content) FROM attachment WHERE issue = ? ORDER BY id"
_LINKS = (
    "SELECT k.outward AS words, l.target AS other FROM link l JOIN link_type k ON k.id = l.type WHERE l.source = ?1"
    " UNION ALL"
    " SELECT k.inward, l.source FROM link l JOIN link_type k ON k.id = l.type WHERE l.target = ?1"
)


def _names(db: Database, sql: str, issue: int) -> list[str]:
    return [row[0] for row in db.all(sql, issue)]


def _face(db: Database, account: str | None) -> Face | None:
    name = db.value("SELECT shown FROM account WHERE id = ?", account)
    return None if account is None or name is None else Face(account, name)


def _known_face(db: Database, account: str) -> Face:
    return _face(db, account) or Face(account, account)


def _said(site: Site, row: Row) -> Said:
    body = Body(row["body"], row["markup"])
    when = When(row["created"], site.now())
    hidden = internal(site.db, row["id"])
    return Said(_known_face(site.db, row["author"]), when, body.html, _origin(site.db, "comment", row["id"]), hidden)


def _changed(site: Site, row: Row) -> Changed:
    items = [(item["field"], item["fromString"] or "", item["toString"] or "") for item in json.loads(row["items"])]
    return Changed(_known_face(site.db, row["author"]), When(row["created"], site.now()), items)


def _links(site: Site, issue: int) -> Iterator[Linked]:
    for row in site.db.all(_LINKS, issue):
        yield Linked(row["words"], cards(site, "t.id = ?", [row["other"]])[0])


def _origin(db: Database, entity: str, owner: int) -> dict[str, str]:
    value = properties.value(db, entity, owner, ORIGIN)
    return {str(name): str(part) for name, part in value.items()} if isinstance(value, dict) else {}


def _size(count: int) -> str:
    return (
        f"{count} B" if count < 1024 else f"{count / 1024:.0f} kB" if count < 1 << 20 else f"{count / (1 << 20):.1f} MB"
    )

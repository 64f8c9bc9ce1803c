"""Converts Jira's JSON to domain nouns, for Cloud and Data Center."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from integrations.jira.markup.adf import adf_of, panel_adf, text_of_adf, with_last_line, with_panel
from integrations.jira.markup.text import TEXT_LIMIT, length
from integrations.jira.markup.wiki import panel_wiki, text_of_wiki, wiki_of
from triage.domain.conversation import Json
from triage.domain.tickets import Panel, Person, Ticket
from triage.domain.untrusted import Untrusted

TICKET_FIELDS: Final = (
    *("summary", "description", "status", "issuetype", "priority", "assignee", "reporter", "labels"),
    *("components", "created", "updated", "resolutiondate", "statuscategorychangedate"),
)
_CATEGORIES: Final = frozenset({"new", "indeterminate", "done"})
_NOT_PEOPLE: Final = frozenset({"app", "customer"})


@dataclass(frozen=True, slots=True)
class Site:
    """A Jira: Cloud uses v3, account ids and ADF; Data Center uses v2, user names and wiki markup."""

    cloud: bool
    url: str
    """Base URL for people; behind a gateway the API has another one."""
    wiki: bool = False
    """Send wiki markup to Cloud, too: its service desk API takes no ADF."""

    def text(self, markdown: str, limit: int = TEXT_LIMIT, last_line: str = "", panel: Panel | None = None) -> Json:
        """Convert Markdown to this site's format, at most `limit` characters; append `panel`, and `last_line` as a paragraph."""
        if self.cloud and not self.wiki:
            below = panel_adf(panel)
            room = limit - len(last_line) - 2 - sum(length(text_of_adf(part)) for part in below)
            return with_last_line(with_panel(adf_of(markdown, room), below), last_line)
        shown = panel_wiki(panel)
        room = limit - len(last_line) - len(shown) - 4
        # Cloud converts markup to ADF at once, before the pictures are attached.
        parts = (wiki_of(markdown, room, pictures=not self.cloud), shown, last_line)
        return "\n\n".join(filter(None, parts)).strip()

    def user(self, person: str) -> Json:
        """Return a reference to a person by unique id."""
        return {"accountId": person} if self.cloud else {"name": person}

    def link(self, key: str) -> str:
        """Return the URL of a ticket for people."""
        return f"{self.url}/browse/{key}"


def plain(text: Json) -> Untrusted:
    """Return a description or comment (ADF or wiki markup) as plain text."""
    if isinstance(text, dict):
        return Untrusted(text_of_adf(text))
    return Untrusted(text_of_wiki(text) if isinstance(text, str) else "")


def ticket_of(issue: Json, site: Site) -> Ticket:
    """Convert an issue. Call inside `well_formed`, which converts the errors of a wrong shape."""
    fields = issue["fields"]
    status = fields["status"]
    return Ticket(
        key=str(issue["key"]),
        summary=Untrusted(str(fields.get("summary") or "")),
        description=plain(fields.get("description")),
        status=str(status["name"]),
        category=category_of(status),
        issue_type=str(fields["issuetype"]["name"]),
        priority=_name(fields.get("priority")),
        assignee=_person(fields.get("assignee")),
        reporter=_person(fields.get("reporter")),
        labels=tuple(str(label) for label in fields.get("labels") or ()),
        components=tuple(str(part["name"]) for part in fields.get("components") or ()),
        created=time_of(fields.get("created")),
        updated=time_of(fields.get("updated")),
        done_at=_done_at(fields) if category_of(status) == "done" else None,
        url=site.link(str(issue["key"])),
    )


def category_of(status: Json) -> str:
    """Return `new`, `indeterminate` or `done`."""
    key = (status.get("statusCategory") or {}).get("key", "")
    return key if key in _CATEGORIES else "new"


def person_of(user: Json) -> Person:
    """Convert a user; Cloud mostly hides the address."""
    return Person(
        id=id_of(user),
        name=Untrusted(str(user.get("displayName") or user.get("name") or "")),
        email=str(user.get("emailAddress") or ""),
        active=bool(user.get("active", True)),
    )


def id_of(user: Json) -> str:
    """Return the id that requests use for this user; empty for none."""
    return str(user.get("accountId") or user.get("name") or user.get("key") or "") if isinstance(user, dict) else ""


def people_of(users: Json) -> Iterator[Person]:
    """Yield active users that are neither apps nor portal customers."""
    for user in users:
        if user.get("active", True) and user.get("accountType") not in _NOT_PEOPLE:
            yield person_of(user)


def property_of(properties: Json, name: str) -> Json:
    """Return the value of an entity property; issues have an object of them, comments a list."""
    if isinstance(properties, dict):
        return properties.get(name)
    return next((each.get("value") for each in properties or () if each.get("key") == name), None)


def _done_at(fields: Json) -> datetime | None:
    """Return when it was done. Workflows may set no resolution; Data Center has no `statuscategorychangedate`."""
    at = fields.get("resolutiondate") or fields.get("statuscategorychangedate") or fields.get("updated")
    return time_of(at)


def _person(user: Json) -> Person | None:
    return person_of(user) if user else None


def _name(value: Json) -> str | None:
    return str(value["name"]) if value else None


def time_of(value: Json) -> datetime | None:
    """Parse Jira's timestamp; None if it is empty."""
    return datetime.fromisoformat(value) if value else None

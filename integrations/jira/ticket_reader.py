"""The port `TicketReader`: reads tickets of the project, with links, comments and the history of their fields."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

from integrations.jira.desk.service_timers import timers
from integrations.jira.http.errors import well_formed
from integrations.jira.http.session import JiraSession
from integrations.jira.issue import files
from integrations.jira.issue.created_tickets import CreatedTickets
from integrations.jira.parts import JiraParts
from integrations.jira.shapes import TICKET_FIELDS, id_of, person_of, plain, ticket_of, time_of
from triage.domain.conversation import Json
from triage.domain.support.service_timers import ServiceTimer
from triage.domain.tickets import Attached, Comment, FieldChange, Ticket, TicketDetails, TicketLink, TicketQuery
from triage.domain.untrusted import Untrusted

_PAGE: Final = 100
_FIELDS: Final = {"component": "components", "link": "issuelinks"}
"""Data Center's names of fields, where Cloud's `fieldId` is another one."""


@dataclass(frozen=True, slots=True)
class JiraTickets:
    """The port `TicketReader`: tickets of one project; a ticket of another project raises `TicketGone`."""

    jira: JiraParts

    async def search(self, query: TicketQuery) -> tuple[Ticket, ...]:
        """Return matching tickets of our project. Raises `TrackerDown`, `TrackerDenied` for an implausibly empty answer."""
        return await self.jira.search.tickets(query)

    async def get(self, key: str) -> Ticket:
        """Return one ticket. Raises `TicketGone`, also if it was moved to another project."""
        jira = self.jira.of(key)
        issue = await jira.ours.issue(jira.session, key, ",".join(TICKET_FIELDS))
        site = await jira.session.site()
        with well_formed("issue"):
            return ticket_of(issue, site)

    async def details(self, key: str, comments: int) -> TicketDetails:
        jira = self.jira.of(key)
        return await details(jira.session, jira.ours, key, comments)

    async def changes(self, key: str) -> tuple[FieldChange, ...]:
        jira = self.jira.of(key)
        return await changes(jira.session, jira.ours, key)

    async def newest(self) -> int:
        """Return the highest ticket number that a search shows; 0 for an empty project."""
        return await self.jira.search.newest()

    async def attached(self, key: str) -> tuple[Attached, ...]:
        jira = self.jira.of(key)
        return await files.attached(jira.session, jira.ours, key)

    async def timers(self, key: str) -> tuple[ServiceTimer, ...]:
        """Return the SLAs of a customer request; nothing is requested outside service projects."""
        jira = self.jira.of(key)
        return await timers(jira.session, key) if await jira.project.service(jira.session) else ()

    async def ours(self, days: int) -> tuple[Ticket, ...]:
        """Return tickets that our account created in the last `days` and that carry our mark, oldest first."""
        return await self.jira.marks.ours(days)


async def details(session: JiraSession, ours: CreatedTickets, key: str, comments: int) -> TicketDetails:
    """Read the ticket with two requests: on Cloud an issue's `comment` field holds only the oldest ones."""
    issue = await ours.issue(session, key, ",".join((*TICKET_FIELDS, "issuelinks", "duedate")))
    newest = {"orderBy": "-created", "maxResults": str(comments)}
    page = await session.read("GET", f"issue/{key}/comment", params=newest, about=key)
    site = await session.site()
    with well_formed("issue"):
        fields = issue["fields"]
        return TicketDetails(
            ticket=ticket_of(issue, site),
            due=date.fromisoformat(fields["duedate"]) if fields.get("duedate") else None,
            links=tuple(_links(fields.get("issuelinks") or ())),
            comments=tuple(_comment(each) for each in page["comments"][:comments]),
        )


def _links(shapes: Json) -> Iterator[TicketLink]:
    """Convert links; each holds only the other end, keyed by direction."""
    for shape in shapes:
        for end, words in (("outwardIssue", "outward"), ("inwardIssue", "inward")):
            if other := shape.get(end):
                yield TicketLink(words=str(shape["type"][words]), key=str(other["key"]))


def _comment(shape: Json) -> Comment:
    author = shape.get("author") or {}  # an anonymous comment has none
    return Comment(
        author=Untrusted(str(author.get("displayName") or author.get("name") or "")),
        at=time_of(shape.get("created")),
        text=plain(shape.get("body")),
        id=str(shape.get("id") or ""),
        by=id_of(author) if author else "",
    )


async def changes(session: JiraSession, ours: CreatedTickets, key: str) -> tuple[FieldChange, ...]:
    """Return all changes, oldest first. Raises `TicketGone`, also if the ticket was moved to another project."""
    site = await session.site()
    if site.cloud:
        return _changes(await _by_pages(session, await ours.sure(session, key)))
    asked = {"fields": "project", "expand": "changelog"}
    issue = ours.checked(key, await session.read("GET", f"issue/{ours.named(key)}", params=asked, about=key))
    with well_formed("issue"):
        return _changes(issue["changelog"]["histories"])


async def _by_pages(session: JiraSession, key: str) -> list[Json]:
    histories: list[Json] = []
    while True:
        asked: dict[str, str | int] = {"startAt": len(histories), "maxResults": _PAGE}
        page = await session.read("GET", f"issue/{key}/changelog", params=asked, about=key)
        with well_formed("changelog"):
            found = page["values"]
            histories += found
            if not found or len(histories) >= int(page.get("total") or 0):
                return histories


def _changes(histories: Iterable[Json]) -> tuple[FieldChange, ...]:
    with well_formed("changelog"):
        found = [_change(history, item) for history in histories for item in history["items"]]
    return tuple(sorted(found, key=lambda change: change.at))


def _change(history: Json, item: Json) -> FieldChange:
    field = str(item.get("fieldId") or item["field"])
    author = history.get("author") or {}  # changes by a deleted account have none
    at = time_of(history["created"])
    if at is None:
        raise ValueError("a change without a time")
    return FieldChange(
        field=_FIELDS.get(field.casefold(), field),
        was=str(item.get("fromString") or ""),
        becomes=str(item.get("toString") or ""),
        author=id_of(author),
        author_name=person_of(author).name,
        at=at,
    )

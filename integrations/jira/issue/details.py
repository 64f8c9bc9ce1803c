"""Reads one ticket with links to other tickets, due date and the latest comments."""

from collections.abc import Iterator
from datetime import date

from integrations.jira.http.errors import well_formed
from integrations.jira.http.session import JiraSession
from integrations.jira.issue.created_tickets import CreatedTickets
from integrations.jira.shapes import TICKET_FIELDS, id_of, plain, ticket_of, time_of
from triage.domain.conversation import Json
from triage.domain.tickets import Comment, TicketDetails, TicketLink
from triage.domain.untrusted import Untrusted


async def details(session: JiraSession, ours: CreatedTickets, key: str, comments: int) -> TicketDetails:
    """Read the ticket with two requests: on Cloud an issue's `comment` field holds only the oldest ones."""
    issue = await ours.look(session, key, ",".join((*TICKET_FIELDS, "issuelinks", "duedate")))
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

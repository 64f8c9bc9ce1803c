"""The tool that reads one ticket, with its rule."""

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Final

from triage.agent.toolbox import LiveName, tool
from triage.domain.conversation import Grant, Json
from triage.domain.tickets import Comment, TicketDetails
from triage.policy.decision.permission import Arguments, RunHistory, ToolRule
from triage.policy.decision.resolution import Live
from triage.toolsets.context import Context
from triage.toolsets.tickets.rules import READ, shown

COMMENTS: Final = 5
LONGEST_COMMENT: Final = 500
LONGEST_TEXT: Final = 2_000
LONGEST_LAST: Final = 240


def _shown(_: Arguments, result: Mapping[str, Json], history: RunHistory) -> RunHistory:
    """Record the ticket as read, and as shown with probability 0, since reading it gives no likeness to the mail."""
    key = str(result["key"])
    return shown({key: 0.0}, history.saw(READ, {key: True}))


@tool(Grant.READ, ToolRule(record=_shown))
async def get_jira_ticket(at: Context, ticket_key: Annotated[str, LiveName(Live.TICKET)]) -> Json:
    """Read one ticket, with links and latest comments."""
    found = await at.tracker.tickets.details(ticket_key, COMMENTS)
    ticket = found.ticket
    body: dict[str, Json] = {
        "key": ticket.key,
        "summary": ticket.summary,
        "status": ticket.status,
        "category": ticket.category,
        "type": ticket.issue_type,
        "priority": ticket.priority,
        "assignee": ticket.assignee.name if ticket.assignee else None,
        "components": list(ticket.components),
        "created": _day(ticket.created),
        "updated": _day(ticket.updated),
        "done": _day(ticket.done_at),
        "due": _day(found.due),
        "links": [{"kind": link.words, "key": link.key} for link in found.links],
        "text": ticket.description[:LONGEST_TEXT],
        "comments": [_comment_facts(comment) for comment in found.comments],
    }
    return {name: value for name, value in body.items() if value}


def _comment_facts(comment: Comment) -> dict[str, Json]:
    return {"by": comment.author, "on": _day(comment.at), "text": comment.text[:LONGEST_COMMENT]}


def _day(when: date | None) -> str | None:
    """Return the day of a date or a time as ISO 8601."""
    return f"{when:%Y-%m-%d}" if when else None


def page_facts(found: TicketDetails) -> dict[str, Json]:
    """Return what the page of a similar ticket tells beyond a line of a list, for the prompt."""
    ticket = found.ticket
    last = [f"{_day(one.at)} {one.author}: {one.text[:LONGEST_LAST]}" for one in found.comments[:1]]
    facts = {
        "assignee": ticket.assignee.name if ticket.assignee else None,
        "priority": ticket.priority,
        "components": list(ticket.components),
        "created": _day(ticket.created),
        "updated": _day(ticket.updated),
        "last_comment": "".join(last),
    }
    return {name: value for name, value in facts.items() if value}

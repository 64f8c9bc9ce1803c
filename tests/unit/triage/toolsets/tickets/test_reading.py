"""One ticket is read whole, and counts as shown."""

from datetime import UTC, date, datetime
from types import SimpleNamespace
from typing import Any, cast

from tests.unit.triage.toolsets.runs import a_run, noted
from triage.domain.tickets import Comment, Person, Ticket, TicketDetails, TicketLink
from triage.domain.untrusted import Untrusted
from triage.policy.decision.resolution import Live
from triage.toolsets.context import Context
from triage.toolsets.tickets.reading import get_jira_ticket

WHEN = datetime(2026, 11, 20, 9, tzinfo=UTC)
BARE = Ticket(key="HARB-8", summary=Untrusted("y"), status="To Do", category="new", issue_type="Task")
FULL = TicketDetails(
    ticket=Ticket(
        key="HARB-7",
        summary=Untrusted("Export stops"),
        status="Done",
        category="done",
        issue_type="Bug",
        description=Untrusted("x" * 5000),
        priority="High",
        assignee=Person(id="a", name=Untrusted("Ada")),
        components=("Billing",),
        created=WHEN,
        updated=WHEN,
        done_at=WHEN,
    ),
    due=date(2026, 12, 24),
    links=(TicketLink(words="is blocked by", key="HARB-8"),),
    comments=(Comment(author=Untrusted("Kim"), at=WHEN, text=Untrusted("y" * 900)),),
)


async def read(details: TicketDetails) -> Any:
    """What the tool answers where the tracker knows this."""

    async def told(key: str, comments: int) -> TicketDetails:
        assert (key, comments) == (details.ticket.key, 5)
        return details

    tickets = SimpleNamespace(details=told)
    at = cast("Context", SimpleNamespace(tracker=SimpleNamespace(tickets=tickets)))
    return await get_jira_ticket.function(at, ticket_key=details.ticket.key)


async def test_a_ticket_is_told_in_one_answer() -> None:
    """All that its page shows, long texts cut; what it has not is left out."""
    full, bare = await read(FULL), await read(TicketDetails(ticket=BARE))

    assert {name: value for name, value in full.items() if name not in {"text", "comments"}} == {
        "key": "HARB-7",
        "summary": "Export stops",
        "status": "Done",
        "category": "done",
        "type": "Bug",
        "priority": "High",
        "assignee": "Ada",
        "components": ["Billing"],
        "created": "2026-11-20",
        "updated": "2026-11-20",
        "done": "2026-11-20",
        "due": "2026-12-24",
        "links": [{"kind": "is blocked by", "key": "HARB-8"}],
    }
    assert (len(full["text"]), full["comments"]) == (2000, [{"by": "Kim", "on": "2026-11-20", "text": "y" * 500}])
    assert bare == {"key": "HARB-8", "summary": "y", "status": "To Do", "category": "new", "type": "Task"}


def test_a_ticket_that_was_read_was_shown() -> None:
    """It may be written to afterwards; how alike a search has found it stays."""
    history = noted("get_jira_ticket", {"ticket_key": "HARB-7"}, {"key": "HARB-7"}, a_run(shown={"HARB-8": 0.6}))
    history = noted("get_jira_ticket", {"ticket_key": "HARB-8"}, {"key": "HARB-8"}, history)

    assert history.of(Live.TICKET) == {"HARB-7": 0.0, "HARB-8": 0.6}

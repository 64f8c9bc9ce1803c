"""What a case has written, read back for a comparison: the ticket itself, or the draft of a dry run."""

from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from typing import Any

import pytest

from triage.domain.cases import Case, Outcome
from triage.domain.conversation import AgentResult, RunStatus, ToolRun
from triage.domain.effects import Effect, EffectState
from triage.domain.reports import Report
from triage.domain.tickets import Person, Ticket, TicketDetails
from triage.domain.untrusted import Untrusted
from triage.services.written_tickets import TicketFacts, WrittenTickets

CASE = Case(id="case-1", source="eval", received_at=datetime(2026, 11, 22, tzinfo=UTC))
TICKET = Ticket(
    key="OPS-7",
    summary=Untrusted("Fire"),
    status="To Do",
    category="new",
    issue_type="Bug",
    priority="High",
    components=("Billing",),
    labels=("java",),
    assignee=Person(id="id-1", name=Untrusted("Ada")),
    description=Untrusted("It burns."),
)


@dataclass
class Shelf:
    """A tracker with one ticket."""

    asked: list[str] = field(default_factory=list)

    async def details(self, key: str, comments: int) -> TicketDetails:
        """The ticket."""
        self.asked.append(key)
        return TicketDetails(ticket=TICKET, due=date(2026, 11, 27))


def report(outcome: Outcome, ticket: str | None, *results: Any) -> Report:
    """The report of a case with this end and these results of tools."""
    runs = tuple(ToolRun(tool="t", arguments={}, result=result, iteration=1) for result in results)
    case = CASE.decided(AgentResult(status=RunStatus.COMPLETED, tool_calls=runs)).closed(outcome, "", ticket)
    return Report(case=case, state="done", attempts=1, trouble="")


@pytest.mark.parametrize("outcome", [Outcome.TICKETED, Outcome.WAITING])
async def test_the_ticket_as_it_stands(outcome: Outcome) -> None:
    """Fields as Jira has them, the assignee by all names, the due date of its page; also while a person is asked more."""
    created = Effect(key="case-1:create:1", kind="create", state=EffectState.DONE, result="OPS-7")
    told = replace(report(outcome, "OPS-7", {"status": "created"}), effects=(created,))

    facts = await WrittenTickets(Shelf().details).facts(told)

    assert facts == TicketFacts(
        type="Bug",
        priority="High",
        components=("Billing",),
        labels=("java",),
        assignee=("Ada", "id-1"),
        due_date=date(2026, 11, 27),
        text="It burns.",
    )


async def test_the_draft_of_a_dry_run() -> None:
    """What the create would have held; a comment beside it is no draft, and the tracker is not asked."""
    shelf = Shelf()
    would = {
        "issue_type": "Bug",
        "priority": "Low",
        "assignee": {"id": "id-1", "name": "Ada", "email": ""},
        "due_date": "2026-11-27",
        "description": "It burns.",
    }
    comment = {"status": "dry_run", "would": {"ticket_key": "OPS-1", "comment": "x"}}
    facts = await WrittenTickets(shelf.details).facts(
        report(Outcome.TICKETED, "new", comment, {"would": would}, "text")
    )

    assert facts == TicketFacts(
        type="Bug", priority="Low", assignee=("Ada", "id-1"), due_date=date(2026, 11, 27), text="It burns."
    )
    assert TicketFacts.planned({"issue_type": "Bug"}) == TicketFacts(type="Bug")
    assert shelf.asked == []


@pytest.mark.parametrize("outcome", [Outcome.COMMENTED, Outcome.IGNORED, Outcome.WAITING])
async def test_a_case_that_creates_nothing(outcome: Outcome) -> None:
    """Fields of a ticket that was there before are not what this case decided."""
    assert await WrittenTickets(Shelf().details).facts(report(outcome, "OPS-7")) is None


async def test_a_case_without_ticket() -> None:
    """A case that ended before it ran an agent has no ticket to read."""
    bare = Report(case=CASE.closed(Outcome.TICKETED, ""), state="done", attempts=1, trouble="")

    assert await WrittenTickets(Shelf().details).facts(bare) is None

"""Reads the present ticket of a case, or the draft of a dry run: called by `triage eval cases` and the demo."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Self

from triage.domain.conversation import Json
from triage.domain.reports import Report
from triage.domain.tickets import Person, TicketDetails
from triage.policy.ticket.attachments import created_in


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketFacts:
    """The fields of a ticket that a dispatcher decides about."""

    type: str = ""
    priority: str = ""
    components: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    assignee: tuple[str, ...] = ()
    """Name, address and id of the assignee; empty if unassigned."""
    due_date: date | None = None
    text: str = ""
    """The description."""

    @classmethod
    def of(cls, details: TicketDetails) -> Self:
        ticket = details.ticket
        return cls(
            type=ticket.issue_type,
            priority=ticket.priority or "",
            components=ticket.components,
            labels=ticket.labels,
            assignee=_person(ticket.assignee),
            due_date=details.due,
            text=ticket.description,
        )

    @classmethod
    def planned(cls, call: Mapping[str, Json]) -> Self:
        """The facts of the ticket that a call would create."""
        who = call.get("assignee") or {}
        return cls(
            type=call.get("issue_type") or "",
            priority=call.get("priority") or "",
            components=tuple(call.get("components") or ()),
            labels=tuple(call.get("labels") or ()),
            assignee=tuple(str(who[name]) for name in ("name", "email", "id") if who.get(name)),
            due_date=date.fromisoformat(call["due_date"]) if call.get("due_date") else None,
            text=call.get("description") or "",
        )


@dataclass(frozen=True, slots=True)
class WrittenTickets:
    """Reads at most one ticket for a case. Raises what the tracker raises."""

    details: Callable[[str, int], Awaitable[TicketDetails]]
    """`TicketReader.details` of the tracker."""

    async def facts(self, report: Report) -> TicketFacts | None:
        """Return the facts of the ticket that the case has created or would create; None if it creates none."""
        case = report.case
        for run in case.calls:
            would = run.facts.get("would")
            if would and "issue_type" in would:
                return TicketFacts.planned(would)
        created = created_in(report.effects)
        return TicketFacts.of(await self.details(created[0], 1)) if created else None


def _person(person: Person | None) -> tuple[str, ...]:
    return tuple(filter(None, (person.name, person.email, person.id))) if person else ()

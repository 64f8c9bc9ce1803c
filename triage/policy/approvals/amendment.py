"""Resolves a person's correction of a ticket, field by field, to the project's own names. Pure."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from triage.domain.errors import ToolRefused
from triage.domain.tickets import Project, Ticket, TicketChange
from triage.policy.decision.resolution import Live, resolve

NOBODY: Final = "nobody"
"""Shown where a ticket has no assignee, or no priority."""


class AmendedField(StrEnum):
    """What a person may correct on a ticket."""

    ASSIGNEE = "assignee"
    TYPE = "type"
    PRIORITY = "priority"


TRACKER_FIELDS: Final = {
    AmendedField.ASSIGNEE: "assignee",
    AmendedField.TYPE: "issuetype",
    AmendedField.PRIORITY: "priority",
}
"""Names of the fields in a changelog."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedChange:
    """The words of a person; empty ones change nothing."""

    assignee: str = ""
    """Name, e-mail or id of an assignable person."""
    issue_type: str = ""
    priority: str = ""

    @property
    def empty(self) -> bool:
        return not (self.assignee or self.issue_type or self.priority)


@dataclass(frozen=True, slots=True, kw_only=True)
class Amendment:
    """One field's change, in what the tracker takes (`old`, `new`) and in what people read (`was`, `becomes`)."""

    field: AmendedField
    old: str
    new: str
    was: str
    becomes: str

    @property
    def text(self) -> str:
        """The change as people read it: `priority High → Highest`."""
        return f"{self.field} {self.was} → {self.becomes}"

    @property
    def back(self) -> "Amendment":
        """The change that takes this one back."""
        return Amendment(field=self.field, old=self.new, new=self.old, was=self.becomes, becomes=self.was)


def amendments(ticket: Ticket, wanted: WantedChange, project: Project) -> tuple[Amendment, ...]:
    """Return what would change on a ticket. Raises `ToolRefused` for names that there are not, and where nothing would change."""
    found = tuple(one for one in _meant(ticket, wanted, project) if one.old != one.new)
    if not found:
        raise ToolRefused(f"{ticket.key} has all of that already: name another person, type or priority")
    return found


def _meant(ticket: Ticket, wanted: WantedChange, project: Project) -> Iterator[Amendment]:
    if wanted.assignee:
        person = resolve(Live.PERSON, wanted.assignee, project)
        yield _amendment(ticket, AmendedField.ASSIGNEE, person.id, str(person.name))
    if wanted.issue_type:
        name = resolve(Live.ISSUE_TYPE, wanted.issue_type, project)
        yield _amendment(ticket, AmendedField.TYPE, name, name)
    if wanted.priority:
        name = resolve(Live.PRIORITY, wanted.priority, project)
        yield _amendment(ticket, AmendedField.PRIORITY, name, name)


def _amendment(ticket: Ticket, field: AmendedField, new: str, becomes: str) -> Amendment:
    old, was = holds(field, ticket)
    return Amendment(field=field, old=old, new=new, was=was, becomes=becomes)


def holds(field: AmendedField, ticket: Ticket) -> tuple[str, str]:
    """Return what a field holds now: as the tracker takes it, and as people read it."""
    if field is AmendedField.ASSIGNEE:
        return (ticket.assignee.id, str(ticket.assignee.name)) if ticket.assignee else ("", NOBODY)
    value = ticket.issue_type if field is AmendedField.TYPE else ticket.priority or ""
    return value, value or NOBODY


def change_of(changes: Sequence[Amendment]) -> TicketChange:
    """Return the write that makes these changes."""
    new = {one.field: one.new for one in changes}
    return TicketChange(
        assignee=new.get(AmendedField.ASSIGNEE),
        issue_type=new.get(AmendedField.TYPE),
        priority=new.get(AmendedField.PRIORITY),
    )


def order_of(ticket: str, changes: Sequence[Amendment], earlier: int) -> str:
    """Return the arguments of the order as canonical JSON; `earlier` orders of the case tell it from the same one made before."""
    rows = [[one.field.value, one.old, one.new, one.was, one.becomes] for one in changes]
    return json.dumps({"changes": rows, "earlier": earlier, "ticket": ticket}, separators=(",", ":"))


def ordered_changes(arguments: str) -> tuple[Amendment, ...]:
    rows = json.loads(arguments)["changes"]
    return tuple(
        Amendment(field=AmendedField(field), old=old, new=new, was=was, becomes=becomes)
        for field, old, new, was, becomes in rows
    )

"""What a person corrects on a ticket: the project's own names, what stood there, and the way back."""

from dataclasses import replace

import pytest

from triage.domain.errors import ToolRefused
from triage.domain.tickets import Person, Project, Ticket, TicketChange
from triage.domain.untrusted import Untrusted
from triage.policy.approvals.amendment import (
    AmendedField,
    WantedChange,
    amendments,
    change_of,
    holds,
    order_of,
    ordered_changes,
)

PRIYA = Person(id="p1", name=Untrusted("Priya Raman"), email="priya@example.com")
PROJECT = Project(key="OPS", name="Ops", issue_types=("Bug", "Task"), priorities=("High", "Low"), people=(PRIYA,))
TICKET = Ticket(
    key="OPS-7", summary=Untrusted("Fire"), status="To Do", category="new", issue_type="Bug", priority="High"
)


def test_words_become_what_jira_has() -> None:
    """Person by name or address, type and priority in any case; what stands there is kept beside."""
    wanted = WantedChange(assignee="PRIYA@example.com", issue_type="task", priority="low")
    changes = amendments(TICKET, wanted, PROJECT)

    assert [one.text for one in changes] == ["assignee nobody → Priya Raman", "type Bug → Task", "priority High → Low"]
    assert change_of(changes) == TicketChange(assignee="p1", issue_type="Task", priority="Low")
    assert change_of([one.back for one in changes if one.old]) == TicketChange(issue_type="Bug", priority="High")
    assert ordered_changes(order_of("OPS-7", changes, 0)) == changes


def test_what_is_so_already_is_left_out() -> None:
    """Of three wishes the one that changes something stays; where none does, it is refused."""
    (only,) = amendments(TICKET, WantedChange(issue_type="Bug", priority="Low"), PROJECT)

    assert only.field is AmendedField.PRIORITY
    with pytest.raises(ToolRefused, match="OPS-7 has all of that already"):
        amendments(TICKET, WantedChange(issue_type="bug"), PROJECT)


@pytest.mark.parametrize(
    "wanted", [WantedChange(assignee="Eve"), WantedChange(issue_type="Saga"), WantedChange(priority="Panic")]
)
def test_names_that_are_none(wanted: WantedChange) -> None:
    """The refusal lists what there is."""
    with pytest.raises(ToolRefused, match=r"Priya Raman|Bug, Task|High, Low"):
        amendments(TICKET, wanted, PROJECT)


def test_nothing_is_wanted() -> None:
    """Words that name nothing."""
    assert (WantedChange().empty, WantedChange(priority="x").empty) == (True, False)


def test_what_a_field_holds() -> None:
    """As the tracker takes it, and as people read it."""
    mine = replace(TICKET, assignee=PRIYA, priority=None)

    assert [holds(one, mine) for one in AmendedField] == [("p1", "Priya Raman"), ("Bug", "Bug"), ("", "nobody")]

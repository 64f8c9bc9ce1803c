"""Agreement from a changelog: what we decided last stands or does not, whoever changed it in between."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from triage.domain.tickets import FieldChange, Person, Ticket
from triage.domain.untrusted import Untrusted
from triage.policy.decision.agreement.changelog import (
    OverruledDecision,
    Share,
    agreement_of,
    attributed_to_people,
    shares,
    total,
)

START = datetime(2026, 11, 18, 9, 0, tzinfo=UTC)
TICKET = Ticket(
    key="OPS-7",
    summary=Untrusted("Fire"),
    status="To Do",
    category="new",
    issue_type="Bug",
    priority="High",
    assignee=Person(id="ada", name=Untrusted("Ada")),
    components=("Billing",),
    created=START,
)
BARE = Ticket(
    key="OPS-8",
    summary=Untrusted("Fire"),
    status="To Do",
    category="new",
    issue_type="Bug",
    priority="Low",
    created=START,
)


def changes(*told: tuple[str, str, str, str]) -> tuple[FieldChange, ...]:
    """Changes (field, was, becomes, author), a minute apart."""
    return tuple(
        FieldChange(
            field=field,
            was=was,
            becomes=becomes,
            author=author,
            author_name=Untrusted(author),
            at=START + timedelta(minutes=n),
        )
        for n, (field, was, becomes, author) in enumerate(told, 1)
    )


def overruled(*told: tuple[str, str, str, str], ticket: Ticket = TICKET) -> dict[str, str | None]:
    """Our decisions, each with the value that people gave it; None for those that stand."""
    found = agreement_of(ticket, changes(*told), "bot").decided
    return {
        str(kind): (change.becomes or f"without {change.was}") if change else None for kind, change in found.items()
    }


def test_what_we_wrote_for_a_person_is_his() -> None:
    """A change of our account that a person has ordered overrules us; one of our own does not."""
    made = changes(("priority", "High", "Low", "bot"), ("issuetype", "Bug", "Task", "bot"))
    told = attributed_to_people(made, "bot", {("priority", "Low"): "ada"})
    found = agreement_of(replace(TICKET, priority="Low", issue_type="Task"), told, "bot").decided

    assert {str(kind): str(change.author_name) for kind, change in found.items() if change} == {"priority": "ada"}


def test_what_nobody_touched_stands() -> None:
    """Every field that we filled in is a decision; an empty one is none."""
    assert overruled() == dict.fromkeys(["ticket", "type", "priority", "assignee", "component"])
    assert overruled(ticket=BARE) == dict.fromkeys(["ticket", "type", "priority"])


@pytest.mark.parametrize(
    ("told", "kind", "value"),
    [
        ([("priority", "Low", "High", "kim")], "priority", "High"),
        ([("issuetype", "Task", "Bug", "kim")], "type", "Bug"),
        ([("assignee", "Lee", "Ada", "kim")], "assignee", "Ada"),
        ([("priority", "High", "Low", "kim"), ("priority", "Low", "High", "lee")], "priority", None),
        ([("priority", "Low", "Medium", "kim"), ("priority", "Medium", "High", "bot")], "priority", None),
        ([("priority", "High", "Low", "bot"), ("priority", "Low", "High", "kim")], "priority", "High"),
        ([("components", "", "Billing", "kim")], "component", "absent"),
        ([("components", "Login", "", "kim")], "component", "without Login"),
        ([("components", "Login", "", "kim"), ("components", "", "Login", "kim")], "component", None),
        ([("components", "", "Login", "bot"), ("components", "Login", "", "kim")], "component", "without Login"),
        ([("components", "Login", "", "bot")], "component", None),
        ([("issuelinks", "", "duplicates OPS-1", "bot")], "duplicate_link", None),
        (
            [("issuelinks", "", "duplicates OPS-1", "bot"), ("issuelinks", "duplicates OPS-1", "", "kim")],
            "duplicate_link",
            "without duplicates OPS-1",
        ),
        ([("issuelinks", "", "duplicates OPS-1", "kim")], "duplicate_link", "absent"),
        ([("resolution", "", "Won't Do", "kim")], "ticket", "Won't Do"),
        ([("resolution", "", "Fixed", "kim")], "ticket", None),
        ([("resolution", "", "Duplicate", "bot")], "ticket", None),
        ([("resolution", "", "Duplicate", "kim"), ("resolution", "Duplicate", "", "kim")], "ticket", None),
        ([("summary", "Fire", "Big fire", "kim")], "ticket", None),
    ],
)
def test_the_last_decision_of_ours_is_what_counts(
    told: list[tuple[str, str, str, str]], kind: str, value: str | None
) -> None:
    """Today's value against ours: a change that was taken back, or that we followed, overrules nothing."""
    assert overruled(*told).get(kind, "absent") == value


def test_a_first_assignee_is_no_disagreement() -> None:
    """Where we proposed nobody, a person who takes the ticket agrees with us."""
    assert "assignee" not in overruled(("assignee", "", "Ada", "ada"))


def test_shares_and_weeks() -> None:
    """Kept and decided by kind, for all kinds; a ticket counts in the week of its creation."""
    first = agreement_of(TICKET, changes(("priority", "Low", "High", "kim")), "bot")
    second = agreement_of(BARE, (), "bot")
    counted = shares([first, second])

    assert (counted[OverruledDecision.PRIORITY], counted[OverruledDecision.PRIORITY].agreement) == (
        Share(decided=2, kept=1),
        0.5,
    )
    assert (counted[OverruledDecision.DUPLICATE_LINK], counted[OverruledDecision.DUPLICATE_LINK].agreement) == (
        Share(),
        None,
    )
    assert total(counted.values()) == Share(decided=8, kept=7)
    assert {first.week, second.week} == {date(2026, 11, 16)}
    assert (
        agreement_of(
            Ticket(key="OPS-9", summary=Untrusted("x"), status="", category="new", issue_type="Bug"), (), "bot"
        ).week.year
        == 1
    )

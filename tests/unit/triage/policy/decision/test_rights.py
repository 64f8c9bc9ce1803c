"""What a sender is to a ticket, and the table of rights."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tests.unit.triage.toolsets.runs import ADA, CREATE, KEY
from triage.domain.cases import Case
from triage.domain.conversation import Grant
from triage.domain.mail import Address, Message, Trust
from triage.domain.tickets import Person, Project
from triage.policy.decision.rights import RightsRow, Sender, Standing, rows, sender_of
from triage.policy.decision.sprints import OVERFILL, PLAN
from triage.toolsets.tickets.rules import CREATE_RIGHTS, MODIFY_RIGHTS, TicketDeed


@pytest.mark.parametrize(
    ("sender", "key", "standing"),
    [
        (Sender(trust=Trust.VERIFIED, thread=KEY, participant=True), KEY, Standing.PARTICIPANT),
        (Sender(trust=Trust.VERIFIED, thread=KEY), KEY, Standing.STRANGER),
        (Sender(trust=Trust.VERIFIED, own=KEY), KEY, Standing.PARTICIPANT),
        (Sender(trust=Trust.VERIFIED, colleague=True), KEY, Standing.PARTICIPANT),
        (Sender(trust=Trust.VERIFIED), "", Standing.PARTICIPANT),
        (Sender(trust=Trust.VERIFIED, foreign_thread="HARB-9"), "", Standing.STRANGER),
        (Sender(trust=Trust.VERIFIED, thread="HARB-2", participant=True), KEY, Standing.STRANGER),
        (Sender(trust=Trust.VERIFIED), KEY, Standing.STRANGER),
        (Sender(trust=Trust.WEAK, thread=KEY, colleague=True), KEY, Standing.UNVERIFIED),
        (Sender(trust=Trust.UNVERIFIED, thread=KEY), KEY, Standing.UNVERIFIED),
        (Sender(trust=Trust.FAILED, thread=KEY), KEY, Standing.FAILED),
        (Sender(trust=Trust.FAILED), "", Standing.FAILED),
    ],
)
def test_what_a_sender_is_to_a_ticket(sender: Sender, key: str, standing: Standing) -> None:
    """Proof makes nobody a participant: the thread, the sender's own matter or a place in the project does."""
    assert sender.standing(key) is standing


def test_an_address_of_the_project_counts_only_where_it_is_proven() -> None:
    """Who has the address of a person of the project is a colleague; the proof decides what that is worth."""
    project = Project(
        key="HARB",
        name="H",
        issue_types=(),
        priorities=(),
        people=(Person(id="1", name=ADA.name, email="Ada@X.example"),),
    )
    mail = Message(sender=Address(address="ada@x.example"))
    case = Case(id="case-1", source="file", received_at=datetime(2026, 11, 20, tzinfo=UTC), message=mail)
    told = sender_of(
        replace(
            case,
            identity=replace(case.identity, trust=Trust.WEAK, foreign_thread="HARB-9", follow_up="HARB-2"),
            ticket=KEY,
        ),
        project,
        frozenset(),
    )
    nobody = sender_of(replace(case, message=Message()), project, frozenset())
    house = sender_of(
        replace(case, message=Message(sender=Address(address="kim@x.example"))), project, frozenset({"x.example"})
    )

    assert told == Sender(trust=Trust.WEAK, thread=KEY, own="HARB-2", foreign_thread="HARB-9", colleague=True)
    assert (told.standing(KEY), nobody.colleague, house.colleague) == (Standing.UNVERIFIED, False, True)


def test_the_table_is_read_by_tool_and_deed() -> None:
    """Reading is free, each deed of a tool has its row, and a tool without a rule is shown as closed."""
    (look,), (send,) = rows("look", Grant.READ, {}), rows("send_reply", Grant.SEND, {})

    assert look == ("look", "read", RightsRow("yes", "yes", "yes", "yes"))  # type: ignore[arg-type] # as they are shown
    assert [deed for _, deed, _ in rows(CREATE, Grant.WRITE, CREATE_RIGHTS)] == list(CREATE_RIGHTS)
    assert (send[:2], set(send[2])) == (("send_reply", "send: no rule"), {"no"})
    assert {*CREATE_RIGHTS, *MODIFY_RIGHTS} == {*TicketDeed, PLAN, OVERFILL}

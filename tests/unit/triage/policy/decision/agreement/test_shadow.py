"""What the shadow decided beside people's tickets: which ticket is a mail's, and what counts as the same decision."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from triage.domain.cases import Case
from triage.domain.mail import Message
from triage.domain.tickets import Person, Ticket
from triage.domain.untrusted import Untrusted
from triage.policy.decision.agreement.changelog import OverruledDecision, Share
from triage.policy.decision.agreement.shadow import Intention, ShadowComparison, TrackerAction, actions, compare, fields

MONDAY = datetime(2026, 11, 16, 9, 0, tzinfo=UTC)
SUNDAY = MONDAY + timedelta(days=6)
"""The day of most comparisons."""
TICKET = Intention(
    action=TrackerAction.TICKET,
    fields={
        OverruledDecision.TYPE: "Bug",
        OverruledDecision.PRIORITY: "High",
        OverruledDecision.COMPONENT: "Billing",
        OverruledDecision.ASSIGNEE: "",
    },
)
COMMENT = Intention(action=TrackerAction.COMMENT, ticket="OPS-1")
NOTHING = Intention(action=TrackerAction.NONE)
PERSON = Intention(action=TrackerAction.PERSON)
EXPORT = "The invoice export stops with ORA-01555 when the month is closed; accounting cannot go on."
PRINTER = "Labels of the thermal printer are cut at the right edge."


def mail(number: int, subject: str, text: str) -> Case:
    """A case that came in on Monday, a minute after the one before."""
    message = Message(subject=Untrusted(subject), text=Untrusted(text), date=MONDAY)
    return Case(id=f"case-{number}", source="file", received_at=MONDAY + timedelta(minutes=number), message=message)


def ticket(number: int, summary: str, text: str = "", *, days: float = 1, by: str = "ada") -> Ticket:
    """A ticket of a person, some days after Monday."""
    return Ticket(
        key=f"OPS-{number}",
        summary=Untrusted(summary),
        description=Untrusted(text),
        status="To Do",
        category="new",
        issue_type="Task",
        priority="high",
        assignee=Person(id="ada", name=Untrusted("Ada")),
        reporter=Person(id=by, name=Untrusted(by)),
        created=MONDAY + timedelta(days=days),
    )


EXPORTING = ticket(7, "Month-end invoice export fails: ORA-01555", "Accounting cannot close the month.")


def test_a_ticket_in_other_words() -> None:
    """What people made for a mail is found by its matter; type and priority are compared where both have set them."""
    (found,) = compare(
        [(mail(1, "Export stops", EXPORT), TICKET)], [EXPORTING, ticket(8, "Printer is loud")], "bot", SUNDAY
    )

    assert (found.theirs, found.agrees) == (EXPORTING, True)
    assert found.compared == {OverruledDecision.TYPE: ("Bug", "Task"), OverruledDecision.PRIORITY: ("High", "high")}
    assert found.differing == {OverruledDecision.TYPE: ("Bug", "Task")}


def test_the_same_subject() -> None:
    """A ticket under the mail's subject is the mail's, however little its text says."""
    (found,) = compare(
        [(mail(1, "Re: Export stops", "See above."), TICKET)], [ticket(7, "Export stops")], "bot", SUNDAY
    )

    assert (found.theirs is not None, found.agrees) == (True, True)


def test_other_tickets() -> None:
    """Tickets of ours, of other weeks, without a date, and about other matters are not the mail's."""
    others = (
        replace(EXPORTING, reporter=Person(id="bot", name=Untrusted("Triage"))),
        replace(EXPORTING, created=MONDAY + timedelta(days=8)),
        replace(EXPORTING, created=MONDAY - timedelta(hours=2)),
        replace(EXPORTING, created=None),
        ticket(9, "Printer is loud"),
    )
    (found,) = compare([(mail(1, "Export stops", EXPORT), TICKET)], others, "bot", SUNDAY)

    assert (found.theirs, found.agrees, found.compared) == (None, False, {})


def test_a_thread_has_one_ticket() -> None:
    """The mail that is closest to people's ticket has it; of its thread's other mails no ticket was made, nor is one missing."""
    mails = [
        (mail(1, "Export stops", "Hello, since today, see below."), TICKET),
        (mail(2, "Export stops", EXPORT), COMMENT),
        (mail(3, "Re: Export stops", EXPORT), NOTHING),
        (mail(4, "Labels", PRINTER), PERSON),
    ]
    first, second, third, fourth = compare(
        mails, [replace(EXPORTING, summary=Untrusted("Export stops"))], "bot", SUNDAY
    )

    assert (first.closest, second.closest, third.closest) == (True, False, False)
    assert (first.agrees, second.agrees, third.agrees, fourth.agrees) == (True, True, True, None)


def test_a_mail_of_this_minute() -> None:
    """Until people have had a day, a ticket that they have not made is neither ours too many nor theirs too few; one that they made counts."""
    export, printer = mail(1, "Export stops", EXPORT), mail(2, "Labels", PRINTER)
    soon, later = MONDAY + timedelta(hours=23), MONDAY + timedelta(hours=25)

    for ours in (TICKET, COMMENT, NOTHING):
        young = compare([(export, ours), (printer, ours)], [EXPORTING], "bot", soon)
        assert [(one.early, one.agrees) for one in young] == [(False, ours is TICKET), (True, None)]
        (old,) = compare([(printer, ours)], [EXPORTING], "bot", later)
        assert (old.early, old.agrees) == (False, ours is not TICKET)
        assert actions(young)[ours.action].decided == 1


def test_people_made_a_new_ticket() -> None:
    """Where we would have commented or done nothing, a new ticket of people says that we were wrong."""
    for ours in (COMMENT, NOTHING):
        (found,) = compare([(mail(1, "Export stops", EXPORT), ours)], [EXPORTING], "bot", SUNDAY)
        assert found.agrees is False


def test_counts() -> None:
    """By action and by field; mails that a person is asked about count nowhere."""
    compared = [
        ShadowComparison(case="case-1", subject="a", ours=TICKET, theirs=EXPORTING),
        ShadowComparison(case="case-2", subject="b", ours=TICKET, theirs=None),
        ShadowComparison(case="case-3", subject="c", ours=COMMENT, theirs=None),
        ShadowComparison(case="case-4", subject="d", ours=PERSON, theirs=None),
    ]

    assert actions(compared) == {
        TrackerAction.TICKET: Share(decided=2, kept=1),
        TrackerAction.COMMENT: Share(decided=1, kept=1),
        TrackerAction.NONE: Share(),
    }
    assert fields(compared)[OverruledDecision.TYPE] == Share(decided=1, kept=0)
    assert fields(compared)[OverruledDecision.PRIORITY] == Share(decided=1, kept=1)
    assert fields(compared)[OverruledDecision.ASSIGNEE] == Share()

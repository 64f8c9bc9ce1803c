"""Tickets near in meaning, across languages."""

from triage.domain.tickets import Ticket
from triage.domain.untrusted import Untrusted
from triage.policy.ranking.near_in_meaning import ALIKE, near_in_meaning


def ticket(number: int, summary: str) -> Ticket:
    """An open ticket."""
    return Ticket(
        key=f"OPS-{number}", summary=Untrusted(summary), status="Open", category="new", issue_type="Bug", url=""
    )


TICKETS = (
    ticket(1, "Dark mode in the driver app"),
    ticket(2, "Bank refuses the direct debit file"),
    ticket(3, "Certificate PDF drops ř and ů from names"),
    ticket(4, "Bank import does not know the new statement format"),
)


def test_the_same_matter_in_another_language_comes_first() -> None:
    """No word is shared; the order is that of the meaning, and only the very same matter is likest."""
    text = Untrusted("Guten Tag,\n\ndie Bank weist unsere Lastschriftdatei zurück.\n\nGruß\nAda")
    found = near_in_meaning("Lastschriften abgelehnt", text, TICKETS)

    assert [one.key for one, _ in found] == ["OPS-2", "OPS-4"]
    assert [likeness >= ALIKE for _, likeness in found] == [True, False]


def test_what_is_far_is_not_shown() -> None:
    """A mail about something else has no near ticket, and neither has any mail in an empty project."""
    cake = Untrusted("There is cake in the kitchen, help yourselves.")

    assert near_in_meaning("Cake", cake, TICKETS) == ()
    assert near_in_meaning("Cake", cake, ()) == ()


def test_a_language_that_the_encoder_lacks_means_nothing() -> None:
    """Swedish texts are near each other whatever they say: neither the mail nor a ticket in Swedish is near anything."""
    swedish = ticket(5, "Kranen på kaj fyra svänger inte längre och vi kan inte lossa")
    lift = Untrusted("Hej,\n\nhissen i huset är trasig och det är för långt att gå.\n\nMvh\nAda")

    assert near_in_meaning("Hissen", lift, (*TICKETS, swedish)) == ()
    assert swedish not in [one for one, _ in near_in_meaning("Crane", Untrusted("The crane is stuck."), (swedish,))]

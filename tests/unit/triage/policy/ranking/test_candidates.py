"""Candidates: their order, the evidence in words, and when the evidence is certain."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triage.domain.findings import Cues
from triage.domain.mail import Message
from triage.domain.tickets import Ticket
from triage.domain.untrusted import Untrusted
from triage.policy.ranking.candidates import score

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
ERROR = """
PRN-4711 page overflow while rendering the label of parcel {parcel} in com.example.labels.Renderer
    at com.example.labels.Renderer.renderWithBarcode(Renderer.java:{line})
"""


def ticket(key: str, summary: str, description: str = "", **more: object) -> Ticket:
    """An open bug."""
    given_or_usual = {"status": "Open", "category": "new", "issue_type": "Bug", "updated": NOW, **more}
    return Ticket(key=key, summary=Untrusted(summary), description=Untrusted(description), **given_or_usual)  # type: ignore[arg-type] # whatever the test gives


def mail(subject: str, reply: str = "", date: datetime | None = NOW) -> Message:
    """A mail of today."""
    return Message(subject=Untrusted(subject), reply=Untrusted(reply), text=Untrusted(reply), date=date)


LABELS = ticket(
    "SHOP-7",
    "Barcodes are cut off on thermal labels",
    "Since release 4.2 the right edge of the barcode is missing on Zebra printers. The driver logs `PRN-4711 page overflow`.",
    components=("Label Printing",),
)
SEARCH = ticket("SHOP-8", "Search finds no customers with umlauts", "Müller and Krüger are not found.")
LOGIN = ticket("SHOP-9", "Session ends after five minutes", "Users must log in again, the token expires too early.")
EXPORT = ticket("SHOP-10", "Export of invoices as spreadsheet", "The accountants would like an xlsx file.")
ALL = (SEARCH, LOGIN, LABELS, EXPORT)
SAME = mail(
    "Label edge missing on the Zebra",
    "Good morning Carl,\n\nour thermal printers cut the barcode off on the right edge since 4.2. The log says\n\n"
    "    PRN-4711 page overflow\n\nCan somebody look at label printing please?\n\nKind regards\nMira Session\nExport Ltd",
)


def test_the_same_thing_in_other_words() -> None:
    """A duplicate is first, far before the others, and says why."""
    first, second, *_ = score(SAME, ALL)

    assert first.ticket == LABELS.line
    assert first.probability > 2 * second.probability
    assert set(first.evidence) >= {"error text: PRN-4711", "component: Label Printing"}
    assert first.evidence[0].startswith("title: ")
    assert "barcodes" in first.evidence[0]


def test_something_new_is_improbable() -> None:
    """A mail about another thing may be the same as no ticket, whatever words they share."""
    new = mail("Search is slow", "Since the release the search for customers takes ten seconds on any printer.")

    assert max(candidate.probability for candidate in score(new, ALL)) < 0.3


def test_a_named_ticket_says_so() -> None:
    """A key in the mail is evidence in words."""
    named = {one.ticket.key: one for one in score(SAME, ALL, Cues(keys=("SHOP-7",)))}

    assert named["SHOP-7"].evidence[0] == "named in the mail: SHOP-7"


def test_a_named_ticket_that_is_nothing_like_the_mail_says_so_too() -> None:
    """However many tickets are likelier."""
    alike = [ticket(f"SHOP-{100 + number}", SAME.subject) for number in range(12)]
    found = score(SAME, [*alike, ticket("SHOP-7", "Cake")], Cues(keys=("SHOP-7",)))

    assert [one.evidence for one in found if one.ticket.key == "SHOP-7"] == [("named in the mail: SHOP-7",)]


def test_titles_of_different_technologies_are_different_things() -> None:
    """The same fault of the Android app is not the iOS ticket."""
    tickets = (ticket("APP-2", "iOS: photo upload stops"), ticket("APP-1", "Android: photo upload stops"))

    assert score(mail("Android: photo upload stops at half"), tickets)[0].ticket.key == "APP-1"


def test_a_common_quotation_is_evidence() -> None:
    """The same message in quotation marks on both sides speaks for the same thing."""
    tickets = (ticket("APP-4", "Upload", "It fails"), ticket("APP-3", "Upload", 'It says "the parcel has left us"'))

    first = score(mail("Upload", "I get “The parcel has  left us” all day"), tickets)[0]

    assert first.ticket.key == "APP-3"
    assert "quotation: the parcel has left us" in first.evidence


def test_only_the_first_ten_say_why() -> None:
    """Nobody reads the eleventh."""
    tickets = tuple(ticket(f"APP-{n}", "photo upload stops") for n in range(12))

    ranked = score(mail("photo upload stops"), tickets)

    assert [bool(candidate.evidence) for candidate in ranked] == [True] * 10 + [False] * 2


def test_no_tickets_no_candidates() -> None:
    """An empty search has no candidates, and an empty mail or ticket is none."""
    assert score(SAME, ()) == ()
    assert score(SAME, (ticket("APP-5", ""),))[0].probability < 0.3
    assert score(mail(""), ALL)[0].probability < 0.3


@given(st.text(max_size=200), st.text(max_size=200))
def test_probabilities_are_sorted(subject: str, text: str) -> None:
    """Whatever the texts, every ticket has a probability between 0 and 1, the best first."""
    found = [one.probability for one in score(mail(subject, text), (*ALL, ticket("APP-6", subject, text)))]

    assert len(found) == 5
    assert found == sorted(found, reverse=True)
    assert all(0 <= value <= 1 for value in found)


# --- certain evidence ---------------------------------------------------------------------------

OVERFLOW = ticket("SHOP-11", "Labels overflow", ERROR.format(parcel=17, line=204), components=("Label Printing",))
AGAIN = mail("It happened again", f"Label printing fails:{ERROR.format(parcel=99, line=208)}")


def test_the_same_long_error_of_a_named_component_is_certain() -> None:
    """Numbers may differ; the evidence is told in the words of the error."""
    first = score(AGAIN, (*ALL, OVERFLOW))[0]

    assert first.ticket.key == "SHOP-11"
    assert first.certain.startswith("same error and component (prn # page overflow")
    assert first.certain.endswith(")")


@pytest.mark.parametrize(
    ("message", "known"),
    [
        (AGAIN, replace(OVERFLOW, category="done")),
        (AGAIN, replace(OVERFLOW, components=("Billing",))),
        (AGAIN, replace(OVERFLOW, components=())),
        (replace(AGAIN, reply=Untrusted("Label printing fails with PRN-4711")), OVERFLOW),
        (replace(AGAIN, reply=OVERFLOW.description), replace(OVERFLOW, description=Untrusted("PRN-4711"))),
        (SAME, LABELS),
    ],
)
def test_less_is_never_certain(message: Message, known: Ticket) -> None:
    """A done ticket, another component, none, a short error, or words alone decide nothing, however alike they are."""
    assert [one.certain for one in score(message, (known, SEARCH))] == ["", ""]


def test_unknown_times_are_read() -> None:
    """A ticket without dates, a mail without one, and a time without a zone are compared."""
    old = replace(LABELS, updated=(NOW - timedelta(days=400)).replace(tzinfo=None))

    assert score(replace(SAME, date=None), (replace(LABELS, updated=None), SEARCH))[0].ticket.key == "SHOP-7"
    assert score(SAME, (old, SEARCH))[0].ticket.key == "SHOP-7"

"""Which component a new ticket probably belongs to, and why."""

from datetime import UTC, datetime, timedelta

import pytest

from triage.domain.findings import ComponentGuess
from triage.domain.tickets import Person, Ticket
from triage.domain.untrusted import Untrusted
from triage.policy.people.expertise import history_of, neighbours_of
from triage.policy.ticket.components import TAUGHT, Known, guess_components, namings_of, sure_component

NOW = datetime(2026, 11, 20, tzinfo=UTC)
ADA = Person(id="ada", name=Untrusted("Ada Byron"))
KNOWN = Known(names=("Invoicing", "Web shop", "Text"))


def ticket(number: int, summary: str, *components: str) -> Ticket:
    """An earlier ticket."""
    return Ticket(
        key=f"OPS-{number}", summary=Untrusted(summary), status="Done", category="done", issue_type="Bug", assignee=ADA,
        components=components, updated=NOW - timedelta(days=number),
    )  # fmt: skip


def chance_of(guesses: tuple[ComponentGuess, ...], name: str) -> float:
    """How probable a component is."""
    return next((one.probability for one in guesses if one.name == name), 0.0)


PAST = (
    *(ticket(number, f"Basket {number} is empty", "Web shop") for number in range(1, 9)),
    *(ticket(number, f"Tax of bill {number} is wrong", "Invoicing") for number in range(11, 19)),
    *(ticket(number, f"Wrong text on page {number}", "Web shop") for number in range(21, 29)),
)


def guessed(title: str, text: str = "", *tickets: Ticket, known: Known = KNOWN) -> tuple[ComponentGuess, ...]:
    """The guesses for a mail."""
    history = history_of(tickets)
    return guess_components(title, text, known, neighbours_of(title, text, (), history), history)


def test_neighbours_tell_it() -> None:
    """The components of similar tickets are probable, and the tickets are named."""
    best = guessed("The tax is wrong", "", *PAST)[0]

    assert best.name == "Invoicing"
    assert best.probability > 0.6
    assert best.evidence[0].startswith("similar: OPS-1")


def test_its_name_tells_it() -> None:
    """In the subject more than in the text, with the words; a mail that names none leaves all in doubt."""
    mails = (("Web shop: late",), ("Late", "In the web shop."), ("Late",))
    subject, text, none = (guessed(*mail) for mail in mails)

    assert (subject[0].name, subject[0].evidence) == ("Web shop", ("named in the subject: Web shop",))
    assert (text[0].name, text[0].evidence) == ("Web shop", ("named in the text: Web shop",))
    assert min(subject[0].probability, text[0].probability) > 2 * chance_of(none, "Web shop")


def test_a_young_tracker_is_read_by_its_meaning() -> None:
    """What a component is said to be, and its tickets, are compared with the mail in any language; many tickets tell more."""
    texts = {
        "Invoicing": "Invoices, credit notes, tax.",
        "Web shop": "The shop in which customers order.",
        "Text": "Texts.",
    }
    known = Known(names=KNOWN.names, texts=texts)
    title, text = "Mehrwertsteuer falsch", "Auf der Gutschrift steht ein falscher Steuersatz."
    both, described = (guessed(title, text, *past, known=known)[0] for past in (PAST, PAST[:3]))
    bare = guessed(title, text, *PAST[:3])
    old = tuple(ticket(number, f"Rope {number}", "Text") for number in range(TAUGHT))

    assert both.name == described.name == "Invoicing"
    assert both.probability > described.probability > chance_of(bare, "Invoicing")
    assert both.sure
    assert guessed(title, text, *old, known=known) == guessed(title, text, *old)


def test_one_thing_of_a_description_may_be_the_matter() -> None:
    """A mail is compared with each thing that a component is said to be, and by words that mean nothing in any language."""
    others = "Screens, translations, the printer of receipts, opening hours, adverts"
    things = {"Invoicing": "Invoices, tax.", "Web shop": f"{others}.", "Text": "Letters, ZX-81 modules."}
    known = Known(names=KNOWN.names, texts=things)
    printer, module = (
        guessed(title, "", *PAST[:3], known=known)[0] for title in ("Der Bondrucker druckt nicht", "ZX-81 hangs")
    )

    assert (printer.name, module.name) == ("Web shop", "Text")


def test_one_sentence_of_a_long_mail_may_name_the_matter() -> None:
    """Where the rest of a mail talks of other things, its nearest sentence counts."""
    talk = "We have had a busy week at the fair. The new colleagues have settled in well. Our stand was near the door."
    sentence = "The tax on our invoice is wrong."
    with_it, without = (guessed("Hello from Graz", text, *PAST) for text in (f"{talk} {sentence}", talk))

    assert chance_of(with_it, "Invoicing") > 2 * chance_of(without, "Invoicing")


def test_a_mail_about_none_of_them_is_given_none() -> None:
    """Where nothing is near, the guesses leave room for that: none is written."""
    lunch = guessed("Fire drill on Friday", "Somebody has to open the gate for the fire brigade at ten.", *PAST)

    assert sum(guess.probability for guess in lunch) < 0.8
    assert sure_component(lunch) == ""


def test_aliases_count_as_names() -> None:
    """What an admin wrote down is found whole, in any case of letters and with endings, and counts before any ticket is known."""
    known = Known(names=KNOWN.names, aliases={"invoicing": ("Rechnung", "bill run")})
    german, english, half = (
        guessed(title, "", *PAST, known=known) for title in ("RECHNUNG fehlt", "Bill runs fail", "A run")
    )

    assert (german[0].name, german[0].evidence[0]) == ("Invoicing", "named in the subject: Rechnung")
    assert (english[0].name, english[0].evidence[0]) == ("Invoicing", "named in the subject: bill run")
    assert guessed("RECHNUNG fehlt", "", known=known)[0].sure
    assert not any("named" in why for guess in half for why in guess.evidence)


def test_a_common_word_names_little() -> None:
    """Where tickets with `text` in their title belong elsewhere, the word is no proof of the component Text."""
    alone, with_past = guessed("Wrong text"), guessed("Wrong text", "", *PAST)

    assert alone[0].name == "Text"
    assert with_past[0].name == "Web shop"


def test_only_the_projects_components_are_guessed() -> None:
    """One that was deleted, or a project without any, gives nothing."""
    assert guessed("Basket is empty", "", *PAST, known=Known()) == ()
    assert {guess.name for guess in guessed("Basket", "", *PAST, known=Known(names=("Invoicing",)))} <= {"Invoicing"}


@pytest.mark.parametrize("name", ["?", "C", ""])
def test_names_without_words_name_nothing(name: str) -> None:
    """A name that leaves no term cannot stand in a mail."""
    (naming,) = namings_of("What? C, not D.", "", Known(names=(name,)), history_of(()))

    assert naming.word == ""


def test_only_a_sure_one_is_written() -> None:
    """Of several in doubt none is."""
    assert sure_component(guessed("The tax is wrong", "", *PAST)) == "Invoicing"
    assert sure_component((ComponentGuess(name="Web shop", probability=0.1),)) == ""
    assert sure_component(()) == ""

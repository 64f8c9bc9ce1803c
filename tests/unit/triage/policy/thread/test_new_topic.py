"""An answer that begins a matter of its own, and the many that do not."""

import pytest

from triage.domain.mail import Message
from triage.domain.tickets import Ticket
from triage.domain.untrusted import Untrusted
from triage.policy.thread.new_topic import new_topic_in

TICKET = Ticket(
    key="OPS-7",
    summary=Untrusted("Label printer in hall 3 prints blank pages"),
    description=Untrusted(
        "Since the update of the driver the label printer in hall 3 prints blank pages. Error E1234."
    ),
    status="Open",
    category="new",
    issue_type="Bug",
)
OTHER = "invoices of October show the wrong VAT rate for customers in Norway, and finance must correct each by hand."


def said(text: str, subject: str = "Re: Label printer in hall 3 prints blank pages") -> str:
    """Why an answer is a new topic, empty if it is none."""
    topic = new_topic_in(Message(subject=Untrusted(subject), text=Untrusted(text), reply=Untrusted(text)), TICKET)
    assert topic is None or topic.own_subject == (subject == "Wrong VAT on invoices")
    return topic.because if topic else ""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"Hi, on another topic: {OTHER}", "says 'another topic'"),
        (f"Something completely different. {OTHER}", "says 'something completely different'"),
        (
            "Hallo, anderes Thema: Die Rechnungen vom Oktober zeigen in Norwegen den falschen Steuersatz an.",
            "says 'anderes thema'",
        ),
        ("別件ですが、Portal Login zeigt Timeout Fehler Norwegen Oktober Finance.", "says '別件'"),
    ],
)
def test_an_answer_that_says_so_is_a_new_topic(text: str, why: str) -> None:
    """If it shares next to nothing with the ticket."""
    assert said(text) == why


def test_a_subject_of_its_own_is_a_new_topic() -> None:
    """If the answer shares nothing with the ticket either."""
    assert said(f"Hello, {OTHER}", "Wrong VAT on invoices") == "has a subject of its own, and no word of the ticket's"


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("Yes, please do.", "Another topic"),
        ("Thanks, that works for us now!", "Wrong VAT on invoices"),
        (f"Hello, {OTHER}", "Re: Label printer in hall 3 prints blank pages"),
        (
            "On another topic: the printer in hall 4 now prints blank pages since the driver update, too.",
            "Re: Label printer",
        ),
        (f"Different topic, but I found E1234 there, too: {OTHER}", "Re: Label printer"),
        (f"Another topic than OPS-7: {OTHER}", "Re: Label printer"),
        ("Voici les chiffres demandés, relevés hier après la mise à jour de midi.", "Re: OPS-7 / étiquettes vides"),
        (
            "The blank pages of the label printer come since the update, the whole hall waits for labels.",
            "Blank labels again",
        ),
    ],
)
def test_in_doubt_an_answer_stays_where_it_is(text: str, subject: str) -> None:
    """A short one, one that shares words or an error code or names the ticket, in its subject too, one that merely brings something else."""
    assert said(text, subject) == ""

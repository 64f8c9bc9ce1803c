"""Automatic mail by the words that it opens with."""

import pytest

from triage.domain.mail import Message
from triage.domain.untrusted import Untrusted
from triage.policy.sender.automatic_reply import (
    absent_subject,
    absent_text,
    automatic_subject,
    read_receipt,
    unattended_text,
)


@pytest.mark.parametrize(
    ("subject", "absent"),
    [
        ("Out of office", True),
        ("Re: Out of office: the invoice", True),
        ("Abwesend bis 5. Mai", True),
        ("Absence : Marie", True),
        ("Out of office supplies", False),
        ("The office is out of paper", False),
    ],
)
def test_a_subject_that_announces_an_absence(subject: str, *, absent: bool) -> None:
    """The listed words stand alone, before a mark, or before a date; the same words in a sentence are none."""
    assert absent_subject(subject) is absent


def test_an_automatic_subject() -> None:
    """`Automatic reply` is a program's up to the colon, and a matter where people write of it."""
    assert automatic_subject("Automatic reply: your order")
    assert not automatic_subject("The automatic reply is broken")
    assert automatic_subject("Автоматический ответ: Export"), "its second word alone is a prefix of answers"


def test_a_read_receipt_without_headers() -> None:
    """It has a program's subject and little more than fields of the mail that was read; a person writes sentences."""
    fields = "Ihre Nachricht\n\nAn: Ada\nBetreff: Export\n\nwurde am Montag, 9. November 2026 gelesen."
    receipt = Message(subject=Untrusted("Gelesen: Export"), text=Untrusted(fields))
    person = Message(subject=receipt.subject, text=Untrusted("Die Lesebestätigungen kommen doppelt an."))
    other = Message(subject=Untrusted("Export"), text=receipt.text)

    assert [read_receipt(one) for one in (receipt, person, other)] == ["Gelesen: Export", "", ""]


def test_an_absence_is_told_at_the_beginning() -> None:
    """The first sentences tell of it; far below, people tell of their holidays."""
    told = "I am currently out of the office."

    assert absent_text(told)
    assert absent_text("word " * 200 + told) == ""


def test_nobody_reads_the_answers() -> None:
    """An order not to reply is a program's; a complaint about people who do not, and a quotation, are not."""
    assert unattended_text("Do not reply to this message.")
    assert unattended_text("They do not reply to us.") == ""
    assert unattended_text("The mail says \u201cDo not reply to this message.\u201d") == ""

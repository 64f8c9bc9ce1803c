"""What the words of a mail speak for."""

import pytest

from triage.domain.mail import Message
from triage.domain.untrusted import Untrusted
from triage.policy.decision.disposition.text_classes import text_classes


@pytest.mark.parametrize(
    ("subject", "text", "likeliest"),
    [
        (
            "Your inheritance payment",
            "Dear friend, I am the lawyer of a late client who left eleven million dollars. Send your bank details, confidential.",
            "spam",
        ),
        (
            "Bewerbung als Buchhalterin",
            "Sehr geehrte Damen und Herren, hiermit bewerbe ich mich um die Stelle. Mein Lebenslauf liegt bei, über ein Vorstellungsgespräch freue ich mich.",
            "sales",
        ),
    ],
)
def test_unwanted_mail(subject: str, text: str, likeliest: str) -> None:
    """Texts that are not in the training data are told apart."""
    found = text_classes(Message(subject=Untrusted(subject), reply=Untrusted(text)))

    assert found.unwanted > 0.8
    assert found.likeliest == likeliest
    assert found.telling() in text


def test_quoted_lines_are_not_the_senders() -> None:
    """Only what the sender wrote is judged: a customer may quote the spam that he asks about."""
    text = "Can you block this sender? It comes every day.\n> Congratulations, you have won the lottery, claim your prize now"
    asked = text_classes(Message(subject=Untrusted("Block a sender"), reply=Untrusted(text)))

    assert asked.unwanted < 0.5


def test_lines_of_code_are_counted() -> None:
    """Traces and patches are counted by line."""
    found = text_classes(
        Message(reply=Untrusted("It fails:\n    at com.acme.Main.run(Main.java:12)\n  foo();\nplease help"))
    )

    assert found.code == 2

"""Answers that need the very thing which the customer lacks."""

import pytest

from triage.policy.knowledge.lost_items import needs_lacking

CODE = "If you have lost your phone, sign in with one of your recovery codes."
OWNER = "Without recovery codes an owner can switch them off for you."


@pytest.mark.parametrize(
    ("question", "answer", "needed"),
    [
        ("I have lost my recovery codes. How can I sign in?", [CODE], "recovery codes"),
        ("I lost my phone and my recovery codes. How can I sign in?", [CODE], "recovery codes"),
        ("My phone was stolen and I have no recovery codes, how do I log in?", [CODE], "recovery codes"),
        ("I no longer have access to my mailbox.", ["Open the link in the mail.", "Enter your mailbox."], "mailbox"),
        ("I never received the activation mail.", ["Click the link in the activation mail."], "activation mail"),
        ("Ich habe meine Kundenkarte verloren.", ["Zeigen Sie die Kundenkarte am Schalter."], "kundenkarte"),
        ("J'ai perdu mes codes de secours.", ["Saisissez un de vos codes de secours."], "codes"),
        ("He perdido los códigos de recuperación.", ["Introduzca uno de los códigos de recuperación."], "codigos"),
        ("Ho perso i codici di recupero.", ["Inserisca uno dei codici di recupero."], "codici"),
        ("Ik ben mijn herstelcodes kwijt.", ["Gebruik een van je herstelcodes."], "herstelcodes"),
        ("Zgubiłem kody odzyskiwania.", ["Wpisz kody odzyskiwania."], "kody odzyskiwania"),
        ("Perdi os códigos de recuperação.", ["Introduza um dos códigos de recuperação."], "codigos"),
        ("Ztratil jsem záložní kódy.", ["Zadejte záložní kódy."], "zalozni kody"),
    ],
)
def test_needs_what_is_lost(question: str, answer: list[str], needed: str) -> None:
    """An answer that says to use what the customer has lost, or never got, is found, with his words for the thing."""
    found = needs_lacking(question, answer)

    assert needed in found


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("I lost my phone. How can I sign in?", [CODE]),
        ("I lost my phone and my recovery codes. How can I sign in?", [CODE, OWNER]),
        ("I have lost my recovery codes.", [CODE, OWNER]),
        ("I forgot my password.", ["Choose Forgot password and enter your mail address."]),
        ("I have no idea how to pay.", ["Use a card."]),
        ("I lost my card.", ["Since May we no longer use the card."]),
        ("How do I sign in?", [CODE]),
        ("My invoice is missing.", ["Invoices are under Settings > Billing."]),
    ],
)
def test_can_be_followed(question: str, answer: list[str]) -> None:
    """An answer stands that knows what to do without the thing, or does not need it."""
    assert not needs_lacking(question, answer)


def test_one_of_two() -> None:
    """Whoever lacks two things is not served by what helps with one of them."""
    question = "I lost my phone and my recovery codes."

    assert needs_lacking(question, ["Have you lost your recovery codes? You can generate new ones."]) == "phone"
    assert not needs_lacking(question, ["An owner lets you in again."])

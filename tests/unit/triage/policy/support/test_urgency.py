"""How soon a customer needs help."""

import pytest

from triage.domain.support.conversations import SupportClass, Urgency
from triage.policy.support.topics import topics_of
from triage.policy.support.urgency import pressed, urgency_of


def urgency(text: str, *, general: bool = False) -> Urgency:
    """The urgency of a text."""
    return urgency_of("", text, topics_of("", text).names, general=general)[0]


@pytest.mark.parametrize(
    "text",
    [
        "My account was hacked!",
        "Your whole service is down, nobody can pay.",
        "All my data is gone since yesterday.",
        "Mein Konto wurde gehackt.",
        "Quelqu'un s'est connecté à mon compte.",
        "Alguien ha entrado en mi cuenta.",
        "Qualcuno è entrato nel mio account.",
        "Minha conta foi hackeada.",
        "Mijn account is gehackt.",
        "Ktoś zalogował się na moje konto.",
        "Någon har loggat in på mitt konto.",
        "アカウントが乗っ取られました。",
    ],
)
def test_a_breach_an_outage_or_lost_data_is_critical(text: str) -> None:
    """In all ten languages."""
    assert urgency(text) is Urgency.CRITICAL


@pytest.mark.parametrize(
    "text",
    [
        "I cannot log in.",
        "The concert is tonight and my ticket does not open.",
        "I was charged twice.",
        "Mein Konto ist gesperrt.",
        "Le concert est ce soir.",
        "Me han cobrado dos veces: cobro duplicado.",
        "L'evento è domani!",
        "O evento é amanhã.",
        "Ik kan niet inloggen.",
        "Nie mogę się zalogować.",
        "Jag kan inte logga in.",
        "ログインできません。",
    ],
)
def test_what_keeps_a_customer_out_or_is_soon_is_high(text: str) -> None:
    """So is money that was taken wrongly."""
    assert urgency(text) is Urgency.HIGH


@pytest.mark.parametrize(
    ("text", "general", "expected"),
    [
        ("It would be nice to have a dark mode.", True, Urgency.LOW),
        ("What is included in the premium plan?", True, Urgency.LOW),
        ("Please send me the invoice. No rush.", False, Urgency.LOW),
        ("Please send me the invoice.", False, Urgency.MEDIUM),
        ("I cannot log in, but there is no rush.", False, Urgency.MEDIUM),
        ("I have an urgent wish: a dark mode would be great.", True, Urgency.MEDIUM),
        ("My account was not hacked, I only forgot my password.", False, Urgency.MEDIUM),
        ("How do I protect myself if my account was hacked?", True, Urgency.MEDIUM),
    ],
)
def test_the_rest_waits(text: str, *, general: bool, expected: Urgency) -> None:
    """Wishes and questions are low, what the writer calls unhurried is lower than it sounds, what he denies is not so."""
    assert urgency(text, general=general) is expected


def test_the_words_are_told() -> None:
    """Evidence is what the text says."""
    text = "I can't log in and the show is tonight"

    assert urgency_of("Urgent", text, (), general=False)[1] == ("Urgent", "can't log in", "tonight")


def test_who_complains_is_no_mere_questioner() -> None:
    """A complaint is medium at least, and lowers nothing."""
    low, high = (SupportClass(issue_type="general", urgency=one) for one in (Urgency.LOW, Urgency.HIGH))

    assert pressed(low, complains=True).urgency is Urgency.MEDIUM
    assert pressed(low, complains=False) == low
    assert pressed(high, complains=True) == high

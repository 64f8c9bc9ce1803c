"""The priority of an escalation, and its name in the project."""

import pytest

from triage.domain.support.conversations import SupportClass, SupportPriority, Urgency
from triage.policy.support.priority import (
    ConversationPriority,
    conversation_priority,
    jira_priority,
    pressed,
    priority_of,
    urgency_of,
)
from triage.policy.support.topics import topics_of


@pytest.mark.parametrize(("urgency", "priority"), list(zip(reversed(Urgency), SupportPriority, strict=True)), ids=str)
def test_the_priority_follows_the_urgency(urgency: Urgency, priority: SupportPriority) -> None:
    """From P1 for what is critical to P4 for what is low."""
    assert priority_of(SupportClass(issue_type="general", urgency=urgency)) is priority


def test_a_wish_that_business_depends_on_is_more_than_a_wish() -> None:
    """An enhancement with business impact is answered within a business day."""
    wish = SupportClass(issue_type="general", urgency=Urgency.LOW)

    assert priority_of(wish, "Please add exports, we need it for our audit.") is SupportPriority.P3
    assert priority_of(wish, "Please add a dark mode.") is SupportPriority.P4


def test_who_asks_for_a_person_is_answered_within_a_business_day() -> None:
    """Five days are for suggestions, not for somebody who wants to be called; who wants no call has not asked."""
    calm = SupportClass(issue_type="general", urgency=Urgency.LOW)

    assert priority_of(calm, "Can a real person please call me back?") is SupportPriority.P3
    assert priority_of(calm, "Ich möchte bitte mit einem Menschen sprechen.") is SupportPriority.P3
    assert priority_of(calm, "Could a person please call me back? There is no hurry.") is SupportPriority.P4
    assert priority_of(calm, "No need to call me.") is SupportPriority.P4


def test_thanks_are_never_urgent() -> None:
    """Who says that all is well to the person who has taken over raises no ticket, whatever his words are like."""
    read_as = SupportClass(issue_type="technical", urgency=Urgency.MEDIUM)

    assert priority_of(read_as, "Danke, das war alles.") is SupportPriority.P4
    assert priority_of(read_as, "Thanks, but it still fails.") is SupportPriority.P3


def test_a_later_mail_raises_and_never_lowers() -> None:
    """A first mail is as urgent as it is; a more urgent one says from where; a calmer one changes nothing."""
    p1, _, p3, p4 = SupportPriority

    assert conversation_priority(p3, None) == ConversationPriority(p3, None)
    assert conversation_priority(p1, p3) == ConversationPriority(p1, p3)
    assert conversation_priority(p4, p3) == conversation_priority(p3, p3) == ConversationPriority(p3, None)


@pytest.mark.parametrize(
    ("priorities", "names"),
    [
        (("Highest", "High", "Medium", "Low", "Lowest"), ["Highest", "High", "Medium", "Low"]),
        (("Blocker", "Critical", "Major", "Minor"), ["Critical", "Major", "Major", "Minor"]),
        (("Now", "Soon"), ["Now", "Now", "Soon", "Soon"]),
        ((), ["", "", "", ""]),
    ],
)
def test_by_name_else_by_place(priorities: tuple[str, ...], names: list[str]) -> None:
    """Usual names are taken as they are; other scales by their order."""
    assert [jira_priority(one, priorities) for one in SupportPriority] == names


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

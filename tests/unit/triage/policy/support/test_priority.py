"""The priority of an escalation, and its name in the project."""

import pytest

from triage.domain.support.conversations import SupportClass, SupportPriority, Urgency
from triage.policy.support.priority import ConversationPriority, conversation_priority, jira_priority, priority_of


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

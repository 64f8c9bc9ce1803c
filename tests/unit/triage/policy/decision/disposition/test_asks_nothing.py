"""Praise and notices that ask for nothing are told from mails that praise and then want something."""

import pytest

from triage.domain.mail import Message
from triage.domain.untrusted import Untrusted
from triage.policy.decision.disposition.asks_nothing import asks_nothing


def words(text: str, subject: str = "Dashboard") -> str:
    """What a mail with this text is recognised by."""
    return asks_nothing(Message(subject=Untrusted(subject), text=Untrusted(text), reply=Untrusted(text)))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Hi all,\n\nthe new dashboard is lovely, well done!", "is lovely"),
        ("Bonjour,\n\nla nouvelle version est une vraie réussite. Bravo !", "est une vraie réussite"),
        ("Großes Lob an das Team!", "Großes Lob"),
        (
            "Maintenance on 28 November, 01:00 to 03:00 UTC. No action is required on your side.",
            "No action is required",
        ),
        ("Wartung am 28. November von 1 bis 3 Uhr. Sie müssen nichts tun.", "Sie müssen nichts tun"),
    ],
)
def test_nothing_is_asked(text: str, found: str) -> None:
    """The words that say so are the evidence."""
    assert words(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "Great job on the release! One thing: the export button is missing now.",
        "The new dashboard is great. Could you add a filter?",
        "The new dashboard is great, but it takes forever to load.",
        "Well done! Please send the list to Mia, too.",
        "The database is down. No action is required from you, we work on it.",
        "We moved the meeting.",
        "Well done! " + "The release of the north yard went on as we had planned it. " * 10,
    ],
)
def test_something_is_asked_or_told(text: str) -> None:
    """Whoever reports, wishes, asks, or writes more than a few lines has something for us."""
    assert words(text) == ""

"""What comes back to a letter: returned, late, delivered, or its reader is away."""

import pytest

from triage.domain.mail import Kind, KindVerdict, Message
from triage.domain.untrusted import Untrusted
from triage.policy.letters.bounces import returned
from triage.policy.thread.signed_message_ids import SignedId

SENT = SignedId(case="case-17", since=0, effect="reply:1")


@pytest.mark.parametrize(
    ("kind", "reason", "subject", "text", "bounced"),
    [
        (Kind.BOUNCE, "delivery report", "Undelivered Mail", "Action: failed\nStatus: 5.1.1", True),
        (Kind.BOUNCE, "delivery report", "Mail delivery failed: returning message to sender", "", True),
        (Kind.BOUNCE, "delivery report", "Undeliverable: delayed too long", "Action: failed", True),
        (Kind.BOUNCE, "refused by a mailing list", "Your post", "", True),
        (Kind.BOUNCE, "delivery report", "Delayed Mail (still being retried)", "", False),
        (Kind.BOUNCE, "delivery report", "Notice", "Action: delayed\nStatus: 4.4.1", False),
        (Kind.BOUNCE, "delivery report", "Warning: message 1x delayed 24 hours", "", False),
        (Kind.BOUNCE, "delivery report", "Successful Mail Delivery Report", "Action: delivered", False),
        (Kind.BOUNCE, "report about another mail", "Read: Re: Export", "", False),
        (Kind.BOUNCE, "complaint report", "complaint", "", False),
        (Kind.AUTOMATED, "automatic reply", "Out of office", "", False),
        (Kind.OWN, "our own mail", "Re: Export", "", False),
    ],
)
def test_what_came_back(kind: Kind, reason: str, subject: str, text: str, bounced: bool) -> None:  # noqa: FBT001 - a row
    """Only a report that delivery failed makes a letter bounced; everything is noted."""
    mail = Message(subject=Untrusted(subject), text=Untrusted(text))
    verdict = KindVerdict(kind=kind, evidence=(), may_ticket=False, may_answer=False, reason=reason)
    found = returned(mail, verdict, SENT)

    assert (found.key, found.bounced) == ("case-17:reply:1", bounced)
    assert found.note == f"{reason}: {subject}"


def test_a_kind_without_a_reason() -> None:
    """The kind itself names it."""
    verdict = KindVerdict(kind=Kind.LIST, evidence=(), may_ticket=True, may_answer=False)

    assert returned(Message(subject=Untrusted("a\n b")), verdict, SENT).note == "list: a b"

"""Mails to many that concern those who read them are told from news."""

import pytest

from triage.domain.mail import Message
from triage.domain.untrusted import Untrusted
from triage.policy.decision.disposition.news_for_us import concerns_us


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "Winter is here!\nVersion 2 of the API is switched off on 31 January. Your integration still sends v2 calls.",
            "Version 2 of the API is switched off on 31 January.",
        ),
        (
            "Die Schnittstelle wird am 31. Januar abgeschaltet.\nSie sind betroffen.",
            "Die Schnittstelle wird am 31. Januar abgeschaltet.",
        ),
        ("We have discontinued the blue mug. Meet our new team. It is big. It is old. Your project matters.", ""),
        ("The offer ends on Friday. Your team will love it.", ""),
        ("Your cluster runs well. Read how a cinema did it.", ""),
        ("", ""),
    ],
)
def test_what_ends_and_is_ours(text: str, says: str) -> None:
    """The end of a service counts where a sentence near it says that we use it; offers and praise do not."""
    assert concerns_us(Message(subject=Untrusted("Digest"), text=Untrusted(text))) == says

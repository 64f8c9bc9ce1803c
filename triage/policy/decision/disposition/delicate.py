"""Tells delicate mails by words and meaning: for one person's eyes, requests for an account, frauds without a link.

The classifier is trained on mails of our own, with as many that are ordinary work in the same words.
"""

from dataclasses import dataclass
from typing import Final

from triage.domain.mail import Message
from triage.policy.classifiers.linear_classifier import linear_classifier
from triage.policy.decision.disposition.text_classes import own_words
from triage.policy.text.word_patterns import levelled, words_in

MODEL: Final = "delicate"
CONFIDENTIAL: Final = "confidential"
"""What one responsible person may read and no team: harassment, a lawyer's claim, an illness, a suspicion."""
ACCOUNT: Final = "account"
"""A request that would hand somebody an account: `switch off my second factor`."""
FRAUD: Final = "fraud"
"""An order to pay, to buy vouchers or to send data, in the name of somebody who may order it."""
ORDINARY: Final = "ordinary"
ENOUGH: Final = 16
"""Words from which on the judgement counts in full; of less text it counts in part: `I want to speak to a person`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delicate:
    """Probabilities that a mail is delicate, by its words."""

    confidential: float
    account: float
    fraud: float


def asks_for_confidence(message: Message) -> bool:
    """Tell whether the sender asks for discretion, or uses a listed word for what belongs to one person."""
    return words_in("confidence.asked").search(levelled(own_words(message)[0])) is not None


def delicate(message: Message) -> Delicate:
    """Judge what the sender wrote; of a forward without a word of his own the forwarded text."""
    found = linear_classifier(MODEL).classify(*own_words(message)[:2])
    part = min(1.0, len(found.words) / ENOUGH)
    confidential, account, fraud = (part * found.probabilities[name] for name in (CONFIDENTIAL, ACCOUNT, FRAUD))
    return Delicate(confidential=confidential, account=account, fraud=fraud)

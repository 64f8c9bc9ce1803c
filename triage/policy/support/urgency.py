"""Says how soon a customer needs help: by what is broken for him, by when he needs it, and by how he presses."""

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from triage.domain.support.conversations import SupportClass, Urgency
from triage.policy.support.mentions import Mention, asserted, mentioned, reading_of, timeless

KEPT_OUT: Final = ("support.high", "support.high_exceptions")
CUSTOMERS: Final = ("support.critical", "support.critical_exceptions")
COMPANIES: Final = ("impact.outage", "impact.loss", "impact.exposure", "impact.exceptions")
"""What mails of whole companies say; `nothing works` means less from one customer."""
CRITICAL: Final = frozenset({"critical", "outage", "loss", "exposure"})
UNHURRIED: Final = ("priority.unhurried", "priority.exceptions")
LOW: Final = "support.low"
BROKEN: Final = frozenset({"login", "crash", "slow", "scan", "defect", "security", "charge", "cancellation"})
"""Topics that keep a text from being a mere suggestion or question."""
WISHES: Final = frozenset({"wish", "feedback"})
SHOWN: Final = 3


def urgency_of(subject: str, text: str, topics: Collection[str], *, general: bool) -> tuple[Urgency, tuple[str, ...]]:
    """Return the urgency with its evidence.

    `topics` are those of the text; `general` says that the matter is no more than a question or an opinion.
    """
    reading = reading_of(subject, text)
    own = (*asserted(timeless(reading), *KEPT_OUT), *asserted(reading, *CUSTOMERS))
    heard = {one.words for one in own}
    found = (*own, *(one for one in asserted(reading, *COMPANIES, light=True) if one.words not in heard))
    critical = [one for one in found if one.label in CRITICAL]
    if critical:
        return Urgency.CRITICAL, _words(critical)
    unhurried = tuple(mentioned(reading, *UNHURRIED))
    wish = WISHES & set(topics) or general
    idle = wish and not BROKEN & set(topics)
    if found and not unhurried:
        return (Urgency.MEDIUM if idle else Urgency.HIGH), _words(found)
    low = tuple(mentioned(reading, LOW))
    if idle and (low or general):
        return Urgency.LOW, _words((*low, *unhurried))
    if unhurried and not found:
        return Urgency.LOW, _words(unhurried)
    return Urgency.MEDIUM, _words((*found, *unhurried))


def pressed(found: SupportClass, *, complains: bool) -> SupportClass:
    """Return the class of a customer who may complain: who does is no mere questioner, whatever he asks."""
    return replace(found, urgency=Urgency.MEDIUM) if complains and found.urgency is Urgency.LOW else found


def _words(found: Collection[Mention]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.words for one in found))[:SHOWN]

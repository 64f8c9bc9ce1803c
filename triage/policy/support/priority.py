"""Says how soon a customer needs help, and gives an escalation its priority, P1 to P4; names it as the project does."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from triage.domain.support.conversations import SupportClass, SupportPriority, Urgency
from triage.policy.support.mentions import Mention, asserted, everywhere, mentioned, reading_of, timeless
from triage.policy.support.triggers import asks_for_person, settled_in

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

PRIORITIES: Final[Mapping[Urgency, SupportPriority]] = {
    Urgency.CRITICAL: SupportPriority.P1,
    Urgency.HIGH: SupportPriority.P2,
    Urgency.MEDIUM: SupportPriority.P3,
    Urgency.LOW: SupportPriority.P4,
}
NAMES: Final[Mapping[SupportPriority, tuple[str, ...]]] = {
    SupportPriority.P1: ("Highest", "Critical", "Blocker", "P1"),
    SupportPriority.P2: ("High", "Major", "P2"),
    SupportPriority.P3: ("Medium", "Normal", "P3"),
    SupportPriority.P4: ("Low", "Minor", "P4"),
}
"""Jira's usual names; a project with names of its own gets the one at the same place of its scale."""


@dataclass(frozen=True, slots=True)
class ConversationPriority:
    """Priority of a conversation after its latest mail."""

    priority: SupportPriority
    raised_from: SupportPriority | None
    """What it was before, where this mail is more urgent."""


def conversation_priority(own: SupportPriority, before: SupportPriority | None) -> ConversationPriority:
    """Return the priority of a conversation, given that of its latest mail: a mail raises it and never lowers it."""
    if before is None or own < before:
        return ConversationPriority(own, before)
    return ConversationPriority(before, None)


def priority_of(found: SupportClass, text: str = "") -> SupportPriority:
    """Return the priority. A wish on which money or customers depend is no mere wish; who asks for a person waits for no week, unless he has time.

    A message that only says that all is well is never urgent, whatever it is classified as.
    """
    if settled_in(text):
        return SupportPriority.P4
    priority = PRIORITIES[found.urgency]
    if priority is not SupportPriority.P4:
        return priority
    business = any(mentioned(everywhere(reading_of("", text)), "support.business"))
    waits = asks_for_person(text) and not any(mentioned(reading_of("", text), *UNHURRIED))
    return SupportPriority.P3 if business or waits else priority


def jira_priority(priority: SupportPriority, priorities: Sequence[str]) -> str:
    """Return the project's name, given its priorities, highest first; empty if it has none."""
    known = {name.casefold(): name for name in priorities}
    for name in NAMES[priority]:
        if name.casefold() in known:
            return known[name.casefold()]
    if not priorities:
        return ""
    place = list(SupportPriority).index(priority)
    return priorities[round(place * (len(priorities) - 1) / (len(SupportPriority) - 1))]


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

"""Puts an action into one of Eisenhower's four quadrants, and says in one sentence why."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from triage.domain.memory.notes import MemoryMail, Note, NoteTrust, Quadrant
from triage.policy.memory.reading.owners import addressed
from triage.policy.memory.reading.wording import Sentence

SOON: Final = timedelta(days=3)
"""A deadline this near makes an action urgent."""
QUADRANTS: Final = {
    (True, True): Quadrant.DO,
    (False, True): Quadrant.SCHEDULE,
    (True, False): Quadrant.DELEGATE,
    (False, False): Quadrant.ELIMINATE,
}
"""Urgent and important → quadrant."""
IMPORTANT: Final = frozenset({Quadrant.DO, Quadrant.SCHEDULE})
UNURGENT: Final = "nothing makes it urgent"
UNIMPORTANT: Final = "nothing makes it important"


@dataclass(frozen=True, slots=True)
class QuadrantVerdict:
    """A quadrant and its justification."""

    quadrant: Quadrant
    why: str


def quadrant_of(sentence: Sentence, mail: MemoryMail, deadline: date | None) -> QuadrantVerdict:
    """Judge an action by its deadline and words; what an unproven sender writes never makes it urgent and important by words alone."""
    urgent = _urgent(sentence, mail, deadline)
    important = _important(sentence, mail, deadline)
    return judged(urgent, important)


def judged(urgent: str, important: str) -> QuadrantVerdict:
    """Return the quadrant by the reasons for urgency and importance; an empty reason is none."""
    why = f"{urgent or UNURGENT}; {important or UNIMPORTANT}"
    return QuadrantVerdict(QUADRANTS[bool(urgent), bool(important)], why[0].upper() + why[1:] + ".")


def weighed(wanted: Quadrant, why: str, urgent: str) -> QuadrantVerdict:
    """Combine the quadrant that an agent proposes with the deadline: the agent decides importance, the day decides urgency."""
    reason = " ".join(why.replace(";", ",").split()).rstrip(".")
    if wanted in IMPORTANT:
        return judged(urgent, reason)
    plain = judged(urgent, "")
    return QuadrantVerdict(plain.quadrant, f"{plain.why.removesuffix('.')}: {reason}." if reason else plain.why)


def quadrant_today(deadline: date | None, today: date, important: str) -> QuadrantVerdict:
    """Judge an action again at a later day, when its deadline has come nearer."""
    return judged(near(deadline, today), important)


def urgent_half(action: Note) -> str:
    """Return why an action is urgent; empty if it is not."""
    half = action.priority_justification.partition("; ")[0]
    return "" if half.casefold().startswith(UNURGENT) else half[:1].lower() + half[1:]


def important_half(action: Note) -> str:
    """Return why an action is important, or `UNIMPORTANT`, with the reason if there is one; empty where nobody has judged."""
    return action.priority_justification.partition("; ")[2].removesuffix(".")


def near(deadline: date | None, today: date) -> str:
    """Return why a day makes something urgent; empty if it does not."""
    if deadline is None or deadline - today > SOON:
        return ""
    return f"overdue since {deadline}" if deadline < today else f"due on {deadline}, within {SOON.days} days"


def _urgent(sentence: Sentence, mail: MemoryMail, deadline: date | None) -> str:
    soon = near(deadline, mail.at.date())
    words = sentence.found("urgent")
    return soon or (f"the mail says {words[0]!r}" if words and mail.trust is not NoteTrust.UNTRUSTED else "")


def _important(sentence: Sentence, mail: MemoryMail, deadline: date | None) -> str:
    if mail.ticket:
        return f"ticket {mail.ticket} is about it"
    if words := sentence.found("weighty"):
        return f"it is about {words[0]!r}"
    if name := addressed(sentence):
        return f"{name} is asked by name"
    return f"the sender waits for it until {deadline}" if deadline else ""

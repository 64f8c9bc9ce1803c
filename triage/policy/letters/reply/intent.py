"""Finds what the writer of a mail wants of us (inquiry, meeting, complaint, …), with evidence and a calibrated probability.

It goes beside the disposition, which says what the matter is: a bug report may be a plain inquiry or a complaint.
"""

from collections.abc import Iterator
from math import exp
from typing import Final

from triage.domain.findings import Cues, Disposition, DispositionFinding, Identity, Intent, IntentFinding
from triage.domain.mail import Message
from triage.policy.cues.assertion import Reading
from triage.policy.cues.language import language_of
from triage.policy.cues.request_type import meant
from triage.policy.text.author_text import author_text, subject_of
from triage.policy.text.sentences import read

LISTS: Final = (
    *("intent.meeting", "intent.meeting_exceptions", "intent.complaint", "intent.complaint_exceptions"),
    *("intent.follow_up", "intent.thanks", "intent.asks"),
)
WEIGHTS: Final = {
    "meeting": (Intent.MEETING_REQUEST, 4.5),
    "complaint": (Intent.COMPLAINT, 4.5),
    "follow_up": (Intent.FOLLOW_UP, 3.0),
    "thanks": (Intent.OTHER, 3.0),
    "asks": (Intent.INQUIRY, 1.5),
}
"""List → intent, and the points of its first phrase; each further one adds FURTHER of them."""
FURTHER: Final = 0.4
COUNTED: Final = 3
"""Most phrases of a list that count."""
ANSWER: Final = 1.5
"""Points for follow_up where the mail answers a mail of its ticket's thread."""
INVITED: Final = 6.0
ASKED: Final = 2.0
ASKED_BESIDE: Final = 0.5
"""The same where the mail proposes a meeting or comes back to something: its question is about that."""
REPORTED: Final = 2.0
FIXED: Final = 2.0
NOTHING_SAID: Final = 1.0
"""Points of `other` before a word is read."""
SHARPNESS: Final = 1.0
"""Factor of the points before the softmax; fitted on `tests/corpus/intents/mails.jsonl`."""
CALENDAR: Final = "text/calendar"
NEVER_ANSWERED: Final = {
    Disposition.SPAM: Intent.SPAM,
    Disposition.NEWSLETTER: Intent.OTHER,
    Disposition.AUTOMATIC: Intent.OTHER,
    Disposition.NOT_FOR_US: Intent.OTHER,
    Disposition.CONFIDENTIAL: Intent.OTHER,
}
SHOWN: Final = 5


def intent_of(
    message: Message, cues: Cues, disposition: DispositionFinding | None, identity: Identity | None = None
) -> IntentFinding:
    """Return the intent of a mail. What the disposition sets aside has none that is answered."""
    if disposition is not None and disposition.disposition in NEVER_ANSWERED:
        return IntentFinding(
            intent=NEVER_ANSWERED[disposition.disposition],
            confidence=disposition.confidence,
            evidence=disposition.evidence,
        )
    points = dict.fromkeys(Intent, 0.0) | {Intent.OTHER: NOTHING_SAID}
    evidence: dict[Intent, list[str]] = {intent: [] for intent in Intent}
    for intent, worth, words in _hints(message, cues, identity or Identity()):
        points[intent] += worth
        evidence[intent].append(words)
    del points[Intent.SPAM]  # only the disposition says so
    best = max(points, key=lambda intent: points[intent])
    powers = {intent: exp(SHARPNESS * value) for intent, value in points.items()}
    sure = powers[best] / sum(powers.values())
    return IntentFinding(intent=best, confidence=round(sure, 3), evidence=tuple(dict.fromkeys(evidence[best]))[:SHOWN])


def _hints(message: Message, cues: Cues, identity: Identity) -> Iterator[tuple[Intent, float, str]]:
    """Yield intent, points and words of each finding."""
    if any(each.content_type == CALENDAR for each in message.attachments):
        yield Intent.MEETING_REQUEST, INVITED, "an invitation is attached"
    if identity.joined is not None:
        yield Intent.FOLLOW_UP, ANSWER, "it answers a mail of its ticket"
    listed = tuple(_listed(message, answers=bool(message.thread)))
    yield from listed
    if cues.question.value == "yes":
        beside = any(intent in {Intent.MEETING_REQUEST, Intent.FOLLOW_UP} for intent, _, _ in listed)
        yield Intent.INQUIRY, ASKED_BESIDE if beside else ASKED, f"asks: {cues.question.evidence[0]}"
    elif cues.type.evidence:
        yield Intent.INQUIRY, REPORTED, f"{cues.type.value}: {cues.type.evidence[0]}"
    if cues.fixed.value == "yes":
        yield Intent.OTHER, FIXED, f"works again: {', '.join(cues.fixed.evidence)}"


def _listed(message: Message, *, answers: bool) -> Iterator[tuple[Intent, float, str]]:
    """Yield what the word lists find in the author's own text, and in a subject that is his own."""
    title, body = read("" if answers else subject_of(message)), read(author_text(message.reply or message.text))
    language = language_of((*title.words, *body.words))
    found: dict[str, list[str]] = {}
    for passage in (title, body):
        for label, words in meant(Reading(passage, language), *LISTS):
            if label in WEIGHTS:
                found.setdefault(label, []).append(words)
    for label, those in found.items():
        intent, worth = WEIGHTS[label]
        for place, phrase in enumerate(tuple(dict.fromkeys(map(str.lower, those)))[:COUNTED]):
            yield intent, worth if place == 0 else worth * FURTHER, phrase

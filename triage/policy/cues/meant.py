"""Reads from the meaning of a text what its words, by the lists, do not say: how far it presses, and of what type it is.

Two classifiers over words and meaning (decision 224), trained by `python -m cli.evaluate.training.cues` on our own sentences.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from triage.config.ticket.severity import Severity
from triage.config.word_lists import word_lists
from triage.domain.findings import Cue
from triage.domain.text.truncation import truncated
from triage.policy.classifiers.linear_classifier import ClassScores, linear_classifier
from triage.policy.cues.language import Language
from triage.policy.cues.priority import ListedPriority
from triage.policy.text.sentences import longer_than
from triage.policy.text.word_patterns import sentences_by_line

TYPE: Final = "request_type"
URGENCY: Final = "urgency"
"""Labels: highest, high, none, low."""
LONGEST: Final = 700
"""Characters of subject and text that are judged: the classifiers were trained with short mails."""
LEAST_TOLD: Final = 2
"""Words of a sentence that tells nothing by itself: `Good evening,`."""
LEAST_WORDS: Final = 6
SURE_OF_TYPE: Final = 0.4
IMPROBABLE: Final = {False: 0.03, True: 0.2}
"""Probability up to which the type that the lists give is taken back, of short and of long texts."""
LONG: Final = 30
"""Words from which on a text says more than the words of the lists in it."""
MOST_SENTENCES: Final = 6
"""Sentences among which the one that tells most is looked for."""
LONGEST_EVIDENCE: Final = 80
_ANSWERS: Final = re.compile(
    rf"(?:\s*{word_lists().alternatives('subject.answer', 'subject.forward')}\s*[:\uff1a]\s*)*", re.IGNORECASE
)


def judged(subject: str, text: str) -> str:
    """Return the text that the classifiers read, in training and in use: subject without `Re:`, and the beginning of the text."""
    return f"{_ANSWERS.sub('', subject, count=1)}\n{text}".strip()[:LONGEST]


SHARE: Final = {"Highest": 0.06, "High": 0.16, "Medium": 0.6, "Low": 0.18}
"""Share of each priority among mails to a team; the classifier is trained as if all were as frequent."""
LISTED: Final = {
    "Highest": {"Highest": 0.21, "High": 0.17, "Medium": 0.12, "Low": 0.15},
    "High": {"Highest": 0.05, "High": 0.19, "Medium": 0.01, "Low": 0.02},
    "Medium": {"Highest": 0.68, "High": 0.63, "Medium": 0.85, "Low": 0.52},
    "Low": {"Highest": 0.06, "High": 0.01, "Medium": 0.01, "Low": 0.31},
}
"""What the lists say → how often they say so of long mails of each priority."""
OWN: Final = 0.7
"""Part of what the classifier says that the lists have not said: both read the same words."""
WITHIN: Final = {
    "Highest": ("Highest", "High", "Medium", "Low"),
    "High": ("High", "Medium", "Low"),
    "Medium": ("High", "Medium", "Low"),
    "Low": ("Medium", "Low"),
}
"""What the lists say → the priorities that may come of it: meaning alone makes nothing Highest, and takes `no rush` back to Medium at most."""
LABELS: Final = {"Highest": "highest", "High": "high", "Medium": "none", "Low": "low"}


@dataclass(frozen=True, slots=True)
class JudgedText:
    """What is judged of a mail: nothing in a language that is not read, and nothing of a few words."""

    text: str

    @classmethod
    def of(cls, subject: str, text: str, language: Language) -> "JudgedText":
        """Return the beginning of a mail's subject and text."""
        whole = judged(subject, text)
        readable = language.read and longer_than(whole, LEAST_WORDS)
        return cls(whole if readable else "")

    @property
    def long(self) -> bool:
        """The text is so long that a word of the lists may be beside its point."""
        return longer_than(self.text, LONG)

    def asked(self, model: str) -> ClassScores | None:
        """Ask a classifier; None where nothing is to be judged."""
        return linear_classifier(model).classify(self.text) if self.text else None

    def evidence(self, model: str, label: str) -> tuple[str, ...]:
        """Return the sentence that speaks for a label most."""
        lines = sentences_by_line(self.text)
        sentences = [one for one in lines if longer_than(one, LEAST_TOLD)][:MOST_SENTENCES] or lines[:1]
        told_by = linear_classifier(model).classify_all(sentences)
        best = (
            max(zip(told_by, sentences, strict=True), key=lambda one: one[0].probabilities[label])[1]
            if sentences
            else ""
        )
        return (truncated(best, LONGEST_EVIDENCE),)


def type_meant(found: Cue, text: JudgedText) -> Cue:
    """Return the type by the lists; where they are silent, or most improbably right, the one that is meant."""
    judged = text.asked(TYPE)
    if judged is None or judged.probability < SURE_OF_TYPE or judged.label == found.value:
        return found
    silent = found.value == "general" or judged.probabilities[found.value] < IMPROBABLE[text.long]
    if not silent:
        return found
    return Cue(value=judged.label, evidence=() if judged.label == "general" else text.evidence(TYPE, judged.label))


def priority_meant(listed: ListedPriority, text: JudgedText, severity: Severity, *, wish: bool = False) -> Cue:
    """Return the priority that is likeliest by what the lists say and by what the text means.

    In a long text words alarm about small matters, and grave ones are told calmly; in a short one the words are the matter. A wish
    without words of urgency presses nobody.
    """
    found = listed.cue
    trusted = listed.settled or (found.evidence and not text.long)
    judged = None if trusted else text.asked(URGENCY)
    value = _likeliest(judged.probabilities, found.value) if judged else found.value
    if value == found.value or (value == "High" and wish and not found.evidence):
        return found
    if value == "High":
        lowered = found.evidence if found.value == "Highest" else ()
        return Cue(value=severity.pressing, evidence=lowered or text.evidence(URGENCY, "high"))
    return Cue(value=value, evidence=text.evidence(URGENCY, "low") if value == "Low" else ())


def _likeliest(chances: Mapping[str, float], listed: str) -> str:
    """Weigh the priorities by two sources of evidence, which overlap."""
    return max(WITHIN[listed], key=lambda value: SHARE[value] * LISTED[listed][value] * chances[LABELS[value]] ** OWN)

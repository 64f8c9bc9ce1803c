"""Reads from the meaning of a text what its words, by the lists, do not say: how far it presses, and of what type it is.

Two classifiers over words and meaning (decision 224), trained by `python -m cli.evaluate.training.cues` on our own sentences.
"""

import re
from dataclasses import dataclass
from typing import Final

from triage.config.ticket.severity import Severity
from triage.config.word_lists import word_lists
from triage.domain.findings import Cue
from triage.policy.classifiers.linear_classifier import ClassScores, linear_classifier
from triage.policy.cues.language import Language
from triage.policy.text.sentences import longer_than
from triage.policy.text.word_patterns import sentences_of

TYPE: Final = "request_type"
URGENCY: Final = "urgency"
"""Labels: high, low, none."""
LONGEST: Final = 700
"""Characters of subject and text that are judged: the classifiers were trained with short mails."""
LEAST_TOLD: Final = 2
"""Words of a sentence that tells nothing by itself: `Good evening,`."""
LEAST_WORDS: Final = 6
SURE_OF_URGENCY: Final = 0.9
SURE_OF_TYPE: Final = 0.5
IMPROBABLE: Final = 0.03
"""Probability up to which the type that the lists give is taken back."""
MOST_SENTENCES: Final = 6
"""Sentences among which the one that tells most is looked for."""
LONGEST_EVIDENCE: Final = 80
_ANSWERS: Final = re.compile(
    rf"(?:\s*{word_lists().alternatives('subject.answer', 'subject.forward')}\s*[:\uff1a]\s*)*", re.IGNORECASE
)


def judged(subject: str, text: str) -> str:
    """Return what is judged of a text, in training and in use: without `Re:`, which says nothing."""
    return f"{_ANSWERS.sub('', subject, count=1)}\n{text}".strip()[:LONGEST]


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

    def asked(self, model: str) -> ClassScores | None:
        """Ask a classifier; None where nothing is to be judged."""
        return linear_classifier(model).classify(self.text) if self.text else None

    def evidence(self, model: str, label: str) -> tuple[str, ...]:
        """Return the sentence that speaks for a label most."""
        lines = [one for line in self.text.splitlines() for one in sentences_of(line)]
        sentences = [one for one in lines if longer_than(one, LEAST_TOLD)][:MOST_SENTENCES] or lines[:1]
        told_by = linear_classifier(model).classify_all(sentences)
        best = (
            max(zip(told_by, sentences, strict=True), key=lambda one: one[0].probabilities[label])[1]
            if sentences
            else ""
        )
        return (best if len(best) <= LONGEST_EVIDENCE else f"{best[: LONGEST_EVIDENCE - 1].rstrip()}…",)


def type_meant(found: Cue, text: JudgedText) -> Cue:
    """Return the type by the lists; where they are silent, or most improbably right, the one that is meant."""
    judged = text.asked(TYPE)
    if judged is None or judged.probability < SURE_OF_TYPE or judged.label == found.value:
        return found
    silent = found.value == "general" or judged.probabilities[found.value] < IMPROBABLE
    if not silent:
        return found
    return Cue(value=judged.label, evidence=() if judged.label == "general" else text.evidence(TYPE, judged.label))


def priority_meant(found: Cue, text: JudgedText, severity: Severity, *, wish: bool = False) -> Cue:
    """Return the priority by the lists; where they find none, High for what presses, unless it is a wish, and Low for what can wait."""
    if found.value != "Medium" or found.evidence:
        return found
    judged = text.asked(URGENCY)
    if judged is None or judged.label == "none" or judged.probability < SURE_OF_URGENCY:
        return found
    if wish and judged.label == "high":
        return found
    value = severity.priority_of("pressing") if judged.label == "high" else "Low"
    return Cue(value=value, evidence=text.evidence(URGENCY, judged.label))

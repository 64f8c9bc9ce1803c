"""Reads from the meaning of a text what its words, by the lists, do not say: how far it presses, and of what type it is.

Two classifiers over words and meaning (decision 224), trained by `python -m tests.training.cues` on our own sentences;
`ensemble` weighs what they say against the lists.
"""

import re
from dataclasses import dataclass
from typing import Final

from triage.config.word_lists import word_lists
from triage.domain.text.lazy_pattern import lazy_pattern
from triage.domain.text.truncation import truncated
from triage.policy.classifiers.linear_classifier import ClassScores, linear_classifier
from triage.policy.cues.language import Language
from triage.policy.text.author_text import without_courtesies
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
SHORT: Final = 14
"""Most words of a text in which a word of the lists is hardly beside the point."""
LONG: Final = 35
"""Words from which on a text tells of many things, one of which may sound like any priority."""
MOST_SENTENCES: Final = 6
"""Sentences among which the one that tells most is looked for."""
LONGEST_EVIDENCE: Final = 80
_ANSWERS: Final = lazy_pattern(
    lambda: rf"(?:\s*{word_lists().alternatives('subject.answer', 'subject.forward')}\s*[:\uff1a]\s*)*", re.IGNORECASE
)


def judged(subject: str, text: str) -> str:
    """Return the text that the classifiers read, in training and in use: subject without `Re:`, and the beginning of the text."""
    return f"{_ANSWERS.sub('', subject, count=1)}\n{text}".strip()[:LONGEST]


@dataclass(frozen=True, slots=True)
class JudgedText:
    """What is judged of a mail: nothing in a language that is not read, and nothing of a few words."""

    text: str

    @classmethod
    def of(cls, subject: str, text: str, language: Language) -> "JudgedText":
        """Return the beginning of a mail's subject and text.

        Of a short one without its courtesies: they press nobody, and make no text longer; long ones are weighed with them.
        """
        bare = judged(subject, without_courtesies(text))
        whole = judged(subject, text) if longer_than(bare, LONG) else bare
        readable = language.read and longer_than(whole, LEAST_WORDS)
        return cls(whole if readable else "")

    @property
    def short(self) -> bool:
        """The text is so short that a word of the lists is its point."""
        return not longer_than(self.text, SHORT)

    @property
    def long(self) -> bool:
        """The text is a whole mail that tells of many things."""
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

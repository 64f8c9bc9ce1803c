"""Classifies a mail's words as spam, sales mail, newsletter, talk or report; trained on mails of our own."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from triage.domain.mail import Message
from triage.policy.classifiers.judged_text import CODE, LONGEST
from triage.policy.classifiers.linear_classifier import linear_classifier
from triage.policy.cues.semantic_cues import JudgedText, judged
from triage.policy.text.author_text import author_text, own_subject
from triage.policy.text.sentences import longer_than
from triage.policy.text.word_patterns import sentences_by_line

MODEL: Final = "disposition"
MAIL: Final = "mail"
"""The class of everything that is for us."""
LETTER: Final = "letter"
"""The class of business letters to others of us, as bills, lawyers and authorities write them: a person sees each."""
ENOUGH: Final = 20
"""Words from which on the judgement counts in full; of less text it counts in part."""

LEAST_SAID: Final = 3
"""Words of a sentence that is judged by itself have to be more: `Thank you very much`."""
MOST_READ: Final = 30
SURELY: Final = 0.9
"""Of lures and offers one of nine has a sentence so surely for us, of reports about them four of five."""

_QUOTED: Final = re.compile(r"^\s*>|^\s*(?:[A-Z][\w-]{1,15}):\s.{0,80}@")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextClasses:
    """Probabilities of the classes of a mail, by its words."""

    probabilities: Mapping[str, float]
    """Class → probability: `mail`, `spam`, `sales`, `news`, `talk`, `auto`, `done`, `letter`."""
    words: int
    """Number of words that were judged."""
    text: str
    code: int
    """Number of lines of programs, traces or patches."""

    @property
    def unwanted(self) -> float:
        """The probability that the mail is not for us."""
        return 1.0 - self.probabilities.get(MAIL, 1.0)

    def telling(self) -> str:
        """Return the sentence that speaks most for the likeliest class."""
        return "".join(JudgedText(self.text).evidence(MODEL, self.likeliest))

    @property
    def likeliest(self) -> str:
        """The likeliest class that is not for us."""
        return max(
            (name for name in self.probabilities if name != MAIL), key=lambda name: self.probabilities[name], default=""
        )


def says_for_us(text: str) -> str:
    """Return a sentence that by itself is surely for us, as `Can you warn everybody?` below a quoted lure; else nothing."""
    sentences = [one for one in sentences_by_line(text) if longer_than(one, LEAST_SAID)]
    read = sentences[:MOST_READ]
    found = zip(linear_classifier(MODEL).classify_all(read), read, strict=True)
    return next((one for classes, one in found if classes.probabilities[MAIL] >= SURELY), "")


def for_us(sentence: str) -> float:
    """Return the probability that a sentence by itself is for us."""
    return linear_classifier(MODEL).classify(sentence).probabilities[MAIL]


def core_of(subject: str, text: str) -> str:
    """Return the part of a mail whose meaning is taken: without signature and small print, as its cues are judged by."""
    return judged(subject, author_text(text))


def own_words(message: Message) -> tuple[str, str, int]:
    """Return subject and lines of the sender, their core, and how many lines are code; of a forward without his words the forwarded text."""
    lines = str(message.reply or message.text)[: 2 * LONGEST].splitlines()
    own = [line for line in lines if not _QUOTED.search(line)]
    subject = own_subject(message)
    code = sum(bool(CODE.search(line)) for line in own)
    return "\n".join((subject, *own)).strip(), core_of(subject, "\n".join(own)), code


def text_classes(message: Message) -> TextClasses:
    """Judge what the sender wrote; of a forward without a word of his own the forwarded text."""
    text, core, code = own_words(message)
    found = linear_classifier(MODEL).classify(text, core)
    return TextClasses(probabilities=found.probabilities, words=len(found.words), text=text[:LONGEST], code=code)

"""Says how far a mail's words are those of spam, sales mail, newsletters, talk or reports, by a classifier trained on our own mails."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from triage.domain.mail import Message
from triage.policy.classifiers.linear_classifier import linear_classifier
from triage.policy.text.author_text import own_subject

MODEL: Final = "disposition"
MAIL: Final = "mail"
"""The class of everything that is for us."""
LONGEST: Final = 4_000
"""Characters that are judged: what a mail wants stands at its beginning."""
ENOUGH: Final = 20
"""Words from which on the judgement counts in full; of less text it counts in part."""

URL: Final = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"[^\s@]{1,80}@\S{1,200}")
_MONEY: Final = re.compile(
    r"(?:[$€£¥]|\b(?:usd|eur|gbp|chf|us\$))\s?\d[\d.,']*|\d[\d.,']*\s?(?:[$€£¥円元]|(?:usd|eur|euros?|dollars?|kč|zł|pounds|万円)\b)",
    re.IGNORECASE,
)
_PERCENT: Final = re.compile(r"\d+\s?%")
_NUMBER: Final = re.compile(r"\d[\d.,:/-]*")
_CODE: Final = re.compile(r"[;{}]\s*$|=>|\(\)|^\s+at |::|^[+-]{1,3}[^\s-]|^@@|\bdiff --git|\w\.\w+\(")
"""A line of a program, a trace or a patch."""
_TAG: Final = re.compile(r"<[^<>]{1,300}>")
_BLOB: Final = re.compile(r"\S{50,}")
"""Encoded data: no language has such words."""
_QUOTED: Final = re.compile(r"^\s*>|^\s*(?:[A-Z][\w-]{1,15}):\s.{0,80}@")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextClasses:
    """What the words of a mail speak for."""

    probabilities: Mapping[str, float]
    """Class → probability: `mail`, `spam`, `sales`, `news`, `talk`, `auto`, `done`."""
    words: int
    """Number of words that were judged."""
    evidence: Mapping[str, tuple[str, ...]]
    """The likeliest class → its strongest words; none for `mail`."""
    code: int
    """Number of lines of programs, traces or patches."""

    @property
    def unwanted(self) -> float:
        """The probability that the mail is not for us."""
        return 1.0 - self.probabilities.get(MAIL, 1.0)

    @property
    def likeliest(self) -> str:
        """The likeliest class that is not for us."""
        return max(
            (name for name in self.probabilities if name != MAIL), key=lambda name: self.probabilities[name], default=""
        )


def text_classes(message: Message) -> TextClasses:
    """Judge what the sender wrote; of a forward without a word of his own the forwarded text."""
    lines = str(message.reply or message.text)[: 2 * LONGEST].splitlines()
    own = [line for line in lines if not _QUOTED.search(line)]
    code = sum(bool(_CODE.search(line)) for line in own)
    text = judged_text(own_subject(message), "\n".join(own))
    classifier = linear_classifier(MODEL)
    found = classifier.classify(text)
    words = classifier.evidence(found) if found.label != MAIL else ()
    return TextClasses(
        probabilities=found.probabilities,
        words=len(found.words),
        evidence={found.label: tuple(word for word in words if word.isalpha())},
        code=code,
    )


def judged_text(subject: str, text: str) -> str:
    """Return the words to judge: without links, addresses and numbers, sums of money and code as one word each.

    Training and use go through this function alone.
    """
    lines = (" xcode " if _CODE.search(line) else line for line in text[:LONGEST].splitlines())
    bare = _ADDRESS.sub(" ", URL.sub(" ", _TAG.sub(" ", "\n".join((subject, *lines)))))
    return _NUMBER.sub(" ", _PERCENT.sub(" xpercent ", _MONEY.sub(" xmoney ", _BLOB.sub(" ", bare))))

"""Says in the customer's own words what the matter is: the sentence that tells what fails, and the one that asks for something."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from triage.domain.text.lazy_pattern import lazy_pattern
from triage.domain.text.truncation import truncated
from triage.policy.support.mentions import everywhere, mentioned, reading_of
from triage.policy.support.topics import OF_TOPIC
from triage.policy.text.author_text import greeting_with_names
from triage.policy.text.tokenizer import terms_in
from triage.policy.text.word_patterns import ENDED, ended, levelled, one_of, sentences_of, words_in
from triage.policy.ticket.text.sections import is_courtesy

LONGEST: Final = 300
"""Characters of the sentence, or of the two."""
READ: Final = 40
"""Sentences that are read."""
SHORT: Final = 5
"""Words below which a sentence hardly says anything."""
FAILS: Final = ("support.failed", "support.critical", "support.high", "support.beyond")
ASKS: Final = ("lookup.exception", "support.leniency", "support.person", "support.lookup")
BROKEN: Final = frozenset({"login", "crash", "slow", "compatibility", "scan", "defect", "charge", "security"})
TOPICS: Final = 3
"""Topics of a sentence that count."""
FIRST: Final = 0.5
"""What the first sentence is worth more: people often begin with their matter."""
SAID: Final = lazy_pattern(lambda: rf"\b(?:{one_of('said.wanted')}|{one_of('said.please')})")
GREETING: Final = lazy_pattern(lambda: rf"{greeting_with_names()}|\W{{0,8}}{one_of('letter.greetings')}\s*$")
BULLET: Final = re.compile(r"\A(?:[-*•]|\d+[.)])\s+")
CLOSING: Final = lazy_pattern(lambda: rf"\W{{0,8}}{one_of('letter.regards')}")


@dataclass(frozen=True, slots=True)
class _ScoredSentence:
    """A sentence, and how far it says what fails and what is asked."""

    place: int
    text: str
    fails: float
    asks: float
    about: float
    """What it says of the matter, whichever of the two it is."""

    @property
    def worth(self) -> float:
        return self.fails + self.asks + self.about


def issue_of(subject: str, text: str) -> str:
    """Return the sentence of the text that says most of the matter, and with it the one that says the rest; else the subject.

    Nothing is worded anew: the result is what the customer wrote, on one line, 300 characters at most.
    """
    weighed = [_weighed(place, one, subject) for place, one in enumerate(islice(_sentences(text), READ))]
    if not weighed:
        return truncated(" ".join(subject.split()), LONGEST, at_word=True)
    best = max(weighed, key=lambda one: (one.worth, -one.place))
    chosen = [best]
    if other := _rest(best, weighed):
        chosen.append(other)
    issue = " ".join(ended(one.text) for one in sorted(chosen, key=lambda one: one.place))
    return truncated(issue if len(issue) <= LONGEST else ended(best.text), LONGEST, at_word=True)


def _rest(best: _ScoredSentence, sentences: Sequence[_ScoredSentence]) -> _ScoredSentence | None:
    """Return the sentence that tells what fails where the best one asks, or what is asked where it fails; else why; None if none does."""
    others = [one for one in sentences if one is not best and one.worth >= FIRST]
    other = [one for one in others if (one.fails if best.asks else one.asks)]
    return max(other or others, key=lambda one: (one.worth, -one.place), default=None)


def _sentences(text: str) -> list[str]:
    """Return the sentences, greetings, courtesies and what stands below the closing left out."""
    found: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        lines = paragraph.splitlines()
        if lines and found and CLOSING.match(levelled(lines[0])):
            break
        for block in _blocks(lines):
            for sentence in sentences_of(block):
                bare = GREETING.sub("", sentence, count=1) if GREETING.match(levelled(sentence)) else sentence
                if not is_courtesy(sentence) and (terms_in(bare) or len(bare.split()) >= SHORT):
                    found.append(BULLET.sub("", bare.strip()))
    return found


def _blocks(lines: Sequence[str]) -> list[str]:
    """Join lines that were wrapped; what begins a list stands alone."""
    blocks: list[str] = []
    for line in (" ".join(one.split()) for one in lines):
        if blocks and not BULLET.match(line) and not ENDED.search(blocks[-1]):
            blocks[-1] = f"{blocks[-1]} {line}"
        else:
            blocks.append(line)
    return blocks


def _weighed(place: int, sentence: str, subject: str) -> _ScoredSentence:
    reading = everywhere(reading_of("", sentence))
    named = {one.label for one in mentioned(reading, *OF_TOPIC)}
    failing = len(BROKEN & named) + sum(1 for _ in mentioned(reading, *FAILS))
    level = levelled(sentence)
    bugs = bool(words_in("type.bug_strong", "type.bug").search(level))
    asking = sum(1 for _ in mentioned(reading, *ASKS)) + bool(SAID.search(level)) + sentence.endswith(("?", "\uff1f"))
    shared = set(terms_in(subject)) & set(terms_in(sentence))
    about = min(TOPICS, len(named)) + bool(shared) + bool(re.search(r"\d", sentence)) / 2 + (0 if place else FIRST)
    few = len(sentence.split()) < SHORT and sentence.isascii()
    return _ScoredSentence(
        place, sentence, min(2, failing) + bugs, min(2, asking), about / (4 if few else 1) - (2 if few else 0)
    )

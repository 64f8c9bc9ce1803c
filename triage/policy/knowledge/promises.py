"""Finds what articles forbid to promise, and sentences that promise it: an answer never holds one, whoever has written it."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from triage.config.word_lists import word_lists
from triage.domain.support.articles import PassageHit
from triage.domain.text.lazy_pattern import lazy_pattern
from triage.policy.knowledge.passages import sentences_of
from triage.policy.text.commands import overrides_in
from triage.policy.text.tokenizer import COMMON_STEMS, terms_in
from triage.policy.text.word_patterns import levelled, one_of, words_in

FORBIDS: Final = words_in("knowledge.forbids")
FORBIDDING: Final = tuple(sorted(map(levelled, word_lists()["knowledge.forbids"])))
"""The same as plain texts: most passages hold none of them, and looking for texts is much faster than for a pattern."""
STATES: Final = words_in("knowledge.states")
CLAUSE_END: Final = lazy_pattern(lambda: rf"[,;:.!?()]|{one_of('knowledge.conditions')}")
DESK: Final = words_in("knowledge.desk")
COMMANDING: Final = frozenset(command.split()[0] for command in word_lists()["command.overrides"])
"""How such words begin: most articles hold none of them, and looking for texts is quick."""
PIECE: Final = 5_000
OVERLAP: Final = 200
NAMED: Final = frozenset({"system prompt", "developer mode"})
"""What articles about models and browsers speak of without telling anybody anything."""
PROMISES: Final = words_in("knowledge.promises")
DENIES: Final = words_in("knowledge.denies")
CLAUSES: Final = re.compile(r"[,;:.!?()\u2013\u2014]")
CACHED: Final = 1_024
MOST_TOPICS: Final = 8
"""Words that one rule forbids, at most; a longer one is a sentence about something else."""


def forbids(sentence: str) -> bool:
    """Return whether the sentence speaks to the desk: what not to promise, or what to tell customers. A customer is not told it.

    What we do not do is told him: `we do not issue labels for shops`.
    """
    return _forbids(STATES.sub(" ", levelled(sentence))) is not None or for_the_desk(sentence)


def for_the_desk(sentence: str) -> bool:
    """Return whether the sentence says what to tell customers."""
    return DESK.search(levelled(sentence)) is not None


def without_desk(text: str) -> str:
    """Return a passage's text without what is said to the desk; empty if nothing else is said."""
    if not for_the_desk(text):
        return text
    return " ".join(one for one in sentences_of(text) if not for_the_desk(one))


def commands(text: str) -> str:
    """Return the words by which an article tells a model to forget its rules, empty if it does not; one that does answers nothing.

    A text of any length is read to its end, in pieces that overlap.
    """
    low = text.casefold()
    if not any(word in low for word in COMMANDING):
        return ""
    for start in range(0, len(text), PIECE):
        piece = text[start : start + PIECE + OVERLAP]
        if any(word in piece.casefold() for word in COMMANDING):
            found = (one for one in overrides_in(piece) if one.casefold() not in NAMED)
            if command := next(found, ""):
                return command
    return ""


def forbidden_topics(hits: Iterable[PassageHit]) -> frozenset[str]:
    """Return the terms that the passages of the hits forbid to promise: `refund` of `Do not offer refunds unless …`."""
    return frozenset().union(*(_topics_of(hit.passage.text) for hit in hits))


def promises(sentence: str, topics: frozenset[str]) -> bool:
    """Return whether a clause of the sentence promises one of these, without taking it back."""
    if not topics:
        return False
    return any(
        PROMISES.search(clause) and not DENIES.search(clause) and topics & frozenset(terms_in(clause))
        for clause in CLAUSES.split(levelled(sentence))
    )


@lru_cache(maxsize=CACHED)
def _topics_of(text: str) -> frozenset[str]:
    if not _may_forbid(levelled(text)):
        return frozenset()
    return frozenset(topic for sentence in sentences_of(text) for topic in _topics(sentence))


def _topics(sentence: str) -> frozenset[str]:
    """Return the terms that stand behind words that forbid, up to the end of the clause; else those before them."""
    text = levelled(sentence)
    if not (found := _forbids(text)):
        return frozenset()
    behind = CLAUSE_END.split(text[found.end() :], maxsplit=1)[0]
    before = CLAUSE_END.split(text[: found.start()])[-1]
    topics = _terms(behind) or _terms(before)
    return topics if len(topics) <= MOST_TOPICS else frozenset()


def _may_forbid(text: str) -> bool:
    return any(words in text for words in FORBIDDING)


def _forbids(text: str) -> re.Match[str] | None:
    return FORBIDS.search(text) if _may_forbid(text) else None


def _terms(text: str) -> frozenset[str]:
    return frozenset(term for term in terms_in(text) if term not in COMMON_STEMS)

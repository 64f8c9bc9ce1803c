"""Finds what articles forbid to promise, and sentences that promise it: an answer never holds one, whoever has written it."""

import re
from collections.abc import Iterable
from typing import Final

from triage.domain.support.articles import PassageHit
from triage.policy.knowledge.passages import sentences_of
from triage.policy.text.tokenizer import COMMON_STEMS, terms_in
from triage.policy.text.word_patterns import levelled, one_of, words_in

FORBIDS: Final = words_in("knowledge.forbids")
"""On levelled text: before what is not to be promised; German puts it before the words, too."""
CONDITIONS: Final = words_in("knowledge.conditions")
CLAUSE_END: Final = re.compile(rf"[,;:.!?()]|{one_of('knowledge.conditions')}")
PROMISES: Final = words_in("knowledge.promises")
DENIES: Final = words_in("knowledge.denies")
CLAUSES: Final = re.compile(r"[,;:.!?()\u2013\u2014]")
MOST_TOPICS: Final = 8
"""Words that one rule forbids, at most; a longer one is a sentence about something else."""


def forbids(sentence: str) -> bool:
    """Return whether the sentence tells the desk what not to promise: a customer is not told it."""
    return FORBIDS.search(levelled(sentence)) is not None


def forbidden_topics(hits: Iterable[PassageHit]) -> frozenset[str]:
    """Return the terms that the passages of the hits forbid to promise: `refund` of `Do not offer refunds unless …`."""
    return frozenset(
        topic for hit in hits for sentence in sentences_of(hit.passage.text) for topic in _topics(sentence)
    )


def promises(sentence: str, topics: frozenset[str]) -> bool:
    """Return whether a clause of the sentence promises one of these, without taking it back."""
    if not topics:
        return False
    return any(
        PROMISES.search(clause) and not DENIES.search(clause) and topics & frozenset(terms_in(clause))
        for clause in CLAUSES.split(levelled(sentence))
    )


def _topics(sentence: str) -> frozenset[str]:
    """Return the terms that stand behind words that forbid, up to the end of the clause; else those before them."""
    text = levelled(sentence)
    found = FORBIDS.search(text)
    if not found:
        return frozenset()
    behind = CLAUSE_END.split(text[found.end() :], maxsplit=1)[0]
    before = CLAUSE_END.split(text[: found.start()])[-1]
    topics = _terms(behind) or _terms(before)
    return topics if len(topics) <= MOST_TOPICS else frozenset()


def _terms(text: str) -> frozenset[str]:
    return frozenset(term for term in terms_in(text) if term not in COMMON_STEMS)

"""Finds what a customer says that he lacks (lost, stolen, never received), and answers that tell him to use that very thing.

Where an answer also says what to do without the thing, or where the thing is one of several and the answer knows them all, it stands.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise, takewhile
from typing import Final

from triage.domain.text.lazy_pattern import lazy_pattern
from triage.policy.text.sentences import folded
from triage.policy.text.tokenizer import STOP_WORDS, terms_in
from triage.policy.text.word_patterns import levelled, one_of, sentences_of, words_in

MARKS: Final = re.compile(r"[,;:.!?()\u2013\u2014\n]")
CLAUSE_END: Final = lazy_pattern(lambda: rf"{MARKS.pattern}|{one_of('knowledge.conditions')}")
LACKS: Final = words_in("knowledge.lacks")
WITHOUT: Final = words_in("knowledge.lacks", "knowledge.denies")
DENIES: Final = words_in("knowledge.denies")
USES: Final = words_in("knowledge.uses")
JOINS: Final = folded("knowledge.lack_joins")
LINKS: Final = folded("knowledge.lack_links")
_WORD: Final = re.compile(r"\w+(?:['-]\w+)*")


def needs_lacking(question: str, answer: Sequence[str]) -> str:
    """Return what the answer presupposes and the customer says that he has not got, in his words; empty if there is nothing.

    If a sentence names several missing things, an answer that covers only some of them does not help.
    """
    known = tuple(thing for one in answer for thing in _things(one, WITHOUT))
    used = tuple(clause for one in answer for clause in _clauses_of_use(one))
    for sentence in sentences_of(question):
        lacked = {thing: name for name in _names(sentence, LACKS) if (thing := frozenset(terms_in(name)))}
        open_still = [thing for thing in lacked if not any(thing <= one or one <= thing for one in known)]
        is_one_of_several = 0 < len(open_still) < len(lacked)
        for thing in open_still:
            if is_one_of_several or any(thing <= clause for clause in used):
                return lacked[thing]
    return ""


def _clauses_of_use(sentence: str) -> Iterator[frozenset[str]]:
    """Yield the terms of the clauses that tell to use something."""
    for clause in CLAUSE_END.split(levelled(sentence)):
        if USES.search(clause) and not DENIES.search(clause):
            yield frozenset(terms_in(clause))


def _things(sentence: str, words: re.Pattern[str]) -> Iterator[frozenset[str]]:
    yield from (thing for name in _names(sentence, words) if (thing := frozenset(terms_in(name))))


def _names(sentence: str, words: re.Pattern[str]) -> Iterator[str]:
    """Yield what stands directly behind such words, else directly before them: `my phone and my codes were stolen`."""
    for clause in MARKS.split(levelled(sentence)):
        parts = [_WORD.findall(part) for part in words.split(clause)]
        for before, behind in pairwise(parts):
            named = list(_joined(behind, ends=LINKS))
            yield from map(" ".join, named or [name[::-1] for name in _joined(reversed(before))])


def _joined(words: Iterable[str], ends: Collection[str] = ()) -> Iterator[list[str]]:
    """Yield the names at the beginning of the words, as far as nothing but links stand between them; `ends` end one, too."""
    name: list[str] = []
    for word in takewhile(lambda one: one in LINKS or one in JOINS or one not in STOP_WORDS, words):
        if word not in LINKS and word not in JOINS:
            name.append(word)
        elif name and word in JOINS:
            yield name
            name = []
        elif name and word in ends:
            break
    if name:
        yield name

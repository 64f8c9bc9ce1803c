"""Keeps of a model's answer the sentences that a source bears out which the model has read."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from triage.domain.memory.answers import MemorySource, QuotedSentence
from triage.domain.support.articles import Passage
from triage.domain.untrusted import Untrusted
from triage.policy.knowledge.passages import sentences_of
from triage.policy.knowledge.support import bears_out
from triage.policy.text.commands import commands_in
from triage.policy.text.tokenizer import terms_in

MOST: Final = 10
"""Sentences of one answer."""
READ: Final = 8_000
"""Characters of an answer that are read."""
LONGEST: Final = 600
"""Characters of one sentence."""
UNKNOWN: Final = "i do not know"
"""How an answer begins that is none."""
_CITED: Final = re.compile(r"((?:\s*\[[^\[\]\n]{1,300}\])+)")
_IDS: Final = re.compile(r"[^\[\],;\s]+")
_ITEM: Final = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")


def supported(answer: str, sources: Sequence[MemorySource]) -> tuple[QuotedSentence, ...]:
    """Return the sentences of an answer, each with the source that bears it out; those that it names are asked first.

    A sentence that has no word of content, speaks to a program, or says more than one source is left out.
    """
    if answer.strip().casefold().startswith(UNKNOWN):
        return ()
    passages = [(source, _passage(source)) for source in sources]
    found: dict[str, QuotedSentence] = {}
    for sentence, named in _sentences(answer[:READ]):
        ordered = sorted(passages, key=lambda one: named.isdisjoint({one[0].id, one[0].key}))
        key = next((source.key for source, passage in ordered if bears_out(passage, sentence)), "")
        if key and len(found) < MOST:
            found.setdefault(sentence, QuotedSentence(text=Untrusted(sentence), source=key))
    return tuple(found.values())


def _sentences(answer: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield each sentence with the ids in the brackets behind it."""
    for line in answer.replace("**", "").splitlines():
        pieces = [*_CITED.split(_ITEM.sub("", line)), ""]
        for text, brackets in zip(pieces[::2], pieces[1::2], strict=True):
            for sentence in sentences_of(text.lstrip(" .,;")):
                if len(sentence) <= LONGEST and terms_in(sentence) and not commands_in(sentence):
                    yield sentence, frozenset(_IDS.findall(brackets))


def _passage(source: MemorySource) -> Passage:
    """Return a source as what is asked whether it bears a sentence out: its fields count as its words."""
    days = " ".join(str(day) for day in (source.due, source.at.date() if source.at else None) if day)
    words = " ".join((source.fact, *source.people, days))
    return Passage(article=source.key, number=0, title=source.title, heading=words, text=source.text, url=source.url)

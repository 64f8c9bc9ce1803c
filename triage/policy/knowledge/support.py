"""Says whether a passage bears out a sentence: its content words, numbers, addresses and limits stand there, it denies no more.

Sentences that a model has written are kept only where a passage bears them out.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from triage.domain.support.articles import CitedSentence, Passage, PassageHit
from triage.policy.knowledge.passages import sentences_of
from triage.policy.knowledge.promises import without_desk
from triage.policy.text.number_words import in_digits, languages_in
from triage.policy.text.tokenizer import terms_in
from triage.policy.text.word_patterns import levelled, words_in

NUMBER: Final = re.compile(r"\d+(?:[.,:/]\d+)*")
ADDRESS: Final = re.compile(r"https?://[^\s<>()\[\]\"']+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
DENIES: Final = words_in("knowledge.denies")
LIMITS: Final = words_in("knowledge.limits")
ALIKE: Final = 0.5
"""Share of a sentence's words that a sentence of the passage needs to be about the same."""
CACHED: Final = 512


def bears_out(passage: Passage, sentence: str) -> bool:
    """Return whether the passage, with its title and headings, says what the sentence says."""
    languages = languages_in(passage.text)
    text = in_digits(f"{passage.title}\n{passage.heading}\n{without_desk(passage.text)}", languages)
    sentence = in_digits(sentence, languages)
    terms = frozenset(terms_in(sentence))
    if not terms <= _terms(text) or not numbers_of(sentence) <= numbers_of(text):
        return False
    if not _addresses(sentence) <= _addresses(f"{text} {passage.url}") or not _limits(sentence) <= _limits(text):
        return False
    return not terms or _denied_alike(sentence, terms, text)


def borne_out(sentences: Iterable[CitedSentence], hits: Sequence[PassageHit]) -> tuple[CitedSentence, ...]:
    """Return the sentences whose cited passage is among the hits and bears them out."""
    passages = {hit.passage.id: hit.passage for hit in hits}
    return tuple(one for one in sentences if one.passage in passages and bears_out(passages[one.passage], one.text))


def cited(text: str, hits: Sequence[PassageHit]) -> tuple[CitedSentence, ...]:
    """Return the sentences of a text, each with the first hit that bears it out; those that none bears out are left out."""
    cited_sentences = (
        (one, next((hit.passage for hit in hits if bears_out(hit.passage, one)), None)) for one in sentences_of(text)
    )
    return tuple(CitedSentence(text=one, passage=passage.id) for one, passage in cited_sentences if passage)


def numbers_of(text: str) -> frozenset[str]:
    return frozenset(NUMBER.findall(text))


def denies(sentence: str) -> bool:
    """Return whether the sentence contains a negation."""
    return DENIES.search(levelled(sentence)) is not None


@lru_cache(maxsize=CACHED)
def _terms(text: str) -> frozenset[str]:
    return frozenset(terms_in(text))


def _addresses(text: str) -> frozenset[str]:
    return frozenset(found.rstrip(".,;:!?").lower() for found in ADDRESS.findall(text))


def _limits(text: str) -> frozenset[str]:
    """Return the words that say when, how often or how much: `at any time` is not borne out by `until the day before`."""
    return frozenset(LIMITS.findall(levelled(text)))


def _denied_alike(sentence: str, terms: frozenset[str], text: str) -> bool:
    """Whether what the passage says about the same denies where the sentence denies: `can` is not borne out by `cannot`."""
    about = [one for one in sentences_of(text) if len(terms & _terms(one)) >= ALIKE * len(terms)]
    return not about or denies(sentence) in {denies(one) for one in about}

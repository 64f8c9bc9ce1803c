"""The resolver's answer in a model's words: its schema, and what of it the passages bear out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from triage.domain.conversation import Json
from triage.domain.support.articles import CitedSentence, PassageHit
from triage.policy.knowledge.promises import forbids
from triage.policy.knowledge.support import cited
from triage.policy.text.json_answer import exactly, object_in
from triage.policy.text.tokenizer import terms_in

MOST: Final = 8
"""Sentences of one answer."""
LONGEST: Final = 600
"""Characters of one sentence."""
_ANSWER: Final = frozenset({"sentences"})
_SENTENCE: Final = frozenset({"text", "passage"})


@dataclass(frozen=True, slots=True, kw_only=True)
class WordedSentence:
    """A sentence of the model."""

    text: str
    passage: int
    """Number of the passage that it names, from 1."""


def sentences_in(text: str, passages: int) -> tuple[WordedSentence, ...]:
    """Return what a model has answered from so many passages. Raises `ValueError` with what does not fit."""
    sentences = object_in(text, _ANSWER)["sentences"]
    if not isinstance(sentences, list) or len(sentences) > MOST:
        raise ValueError(f"sentences: a list of at most {MOST} elements")
    return tuple(_sentence(number, one, passages) for number, one in enumerate(sentences, 1))


def _sentence(number: int, one: Json, passages: int) -> WordedSentence:
    where = f"sentence {number}"
    if not isinstance(one, dict):
        raise ValueError(f"{where} is no object")  # noqa: TRY004 - to the caller it is a value
    text, passage = (exactly(one, _SENTENCE, where)[name] for name in ("text", "passage"))
    if not isinstance(text, str) or not 0 < len(text.strip()) <= LONGEST:
        raise ValueError(f"{where}: text has 1 to {LONGEST} characters")
    if type(passage) is not int or not 1 <= passage <= passages:
        raise ValueError(f"{where}: passage is a number from 1 to {passages}")
    return WordedSentence(text=text.strip(), passage=passage)


def supported(sentences: Sequence[WordedSentence], hits: Sequence[PassageHit]) -> tuple[CitedSentence, ...]:
    """Return the sentences that a passage bears out, the named one first; what is for the desk alone is left out.

    A sentence without a word of content says what the question suggests, such as `Yes.`: no passage bears that out.
    """
    kept = (one for sentence in sentences for one in cited(sentence.text, _named_first(hits, sentence.passage)))
    return tuple(dict.fromkeys(one for one in kept if terms_in(one.text) and not forbids(one.text)))


def _named_first(hits: Sequence[PassageHit], number: int) -> tuple[PassageHit, ...]:
    return (hits[number - 1], *hits[: number - 1], *hits[number:])

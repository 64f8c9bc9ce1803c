"""Finds attempts to command a language model in a mail, so that people are warned; nothing obeys them either way."""

from collections.abc import Iterator
from typing import Final

from triage.config.word_lists import word_lists
from triage.policy.text.phrase_matcher import phrases
from triage.policy.text.sentences import read

_LISTS: Final = word_lists()
OVERRIDES: Final = phrases(override=_LISTS["command.overrides"])
MARKS: Final = tuple(mark.casefold() for mark in _LISTS["command.marks"])
LONGEST: Final = 20_000
"""Characters of a mail that are searched for marks."""


def commands_in(text: str) -> tuple[str, ...]:
    """Return the words that speak to a model or tell it to forget its instructions, as the text has them."""
    return tuple(dict.fromkeys(_found(text)))


def overrides_in(text: str) -> Iterator[str]:
    """Yield the words that tell a model to forget its instructions, or speak to one."""
    words = read(text).words
    for one in OVERRIDES.find(words):
        yield " ".join(word.shown for word in words[one.start : one.end])


def _found(text: str) -> Iterator[str]:
    yield from overrides_in(text)
    head = text[:LONGEST].casefold()
    yield from (mark for mark in MARKS if mark in head)

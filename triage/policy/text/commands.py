"""Finds attempts to command a language model in a mail, so that people are warned; nothing obeys them either way."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from triage.config.word_lists import word_lists
from triage.policy.text.phrase_matcher import PhraseMatch, phrases
from triage.policy.text.sentences import Word, read

_LISTS: Final = word_lists()
OVERRIDES: Final = phrases(override=_LISTS["command.overrides"])
ADDRESSED: Final = phrases(addressed=_LISTS["command.addressed"])
OPENINGS: Final = phrases(opening=_LISTS["command.openings"])
MARKS: Final = tuple(mark.casefold() for mark in _LISTS["command.marks"])
LONGEST: Final = 20_000
"""Characters of a mail that are searched for marks."""
_PARAGRAPH: Final = re.compile(r"(\n\s*\n)")


def commands_in(text: str) -> tuple[str, ...]:
    """Return the words that speak to a model or tell it to forget its instructions, as the text has them."""
    return tuple(dict.fromkeys(_found(text)))


def overrides_in(text: str) -> Iterator[str]:
    """Yield the words that tell a model to forget its instructions, or speak to one."""
    words = read(text).words
    for one in (*OVERRIDES.find(words), *_addressed(words)):
        yield " ".join(word.shown for word in words[one.start : one.end])


def without_commands(text: str) -> str:
    """Return the text without the paragraphs that speak to a program: what they ask for is no person's wish."""
    if not _speaks_to_machines(text):
        return text
    parts = _PARAGRAPH.split(text)
    return "".join(part for part in parts if not _speaks_to_machines(part))


def _speaks_to_machines(text: str) -> bool:
    return any(True for _ in _addressed(read(text).words))


def _addressed(words: Sequence[Word]) -> Iterator[PhraseMatch]:
    """Yield what addresses a program: anywhere in a clause, or where a clause begins with it."""
    yield from ADDRESSED.find(words)
    for one in OPENINGS.find(words):
        if not one.start or words[one.start - 1].clause != words[one.start].clause:
            yield one


def _found(text: str) -> Iterator[str]:
    yield from overrides_in(text)
    head = text[:LONGEST].casefold()
    yield from (mark for mark in MARKS if mark in head)

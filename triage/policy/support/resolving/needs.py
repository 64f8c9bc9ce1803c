"""Finds in a mail what no article can answer: questions about the writer's own data, and wishes that a person must grant."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from triage.config.word_lists import word_lists
from triage.policy.text.phrase_matcher import Phrases, phrases
from triage.policy.text.sentences import read

_LISTS: Final = word_lists()
DATA: Final = phrases(own=_LISTS["lookup.own"])
STATE: Final = phrases(state=_LISTS["lookup.state"])
EXCEPTION: Final = phrases(wish=_LISTS["lookup.exception"], rules=_LISTS["lookup.exception_exceptions"])


@dataclass(frozen=True, slots=True, kw_only=True)
class DataNeeds:
    """What the text asks for beside knowledge, each with the words that say so; empty: nothing."""

    data: tuple[str, ...] = ()
    """Of the writer: account, subscription, bookings."""
    state: tuple[str, ...] = ()
    """How that stands, so that an article alone cannot answer it."""
    exception: tuple[str, ...] = ()
    """A refund, a compensation, an exception."""


def needs_of(text: str) -> DataNeeds:
    return DataNeeds(
        data=tuple(_found(text, DATA)), state=tuple(_found(text, STATE)), exception=tuple(_found(text, EXCEPTION))
    )


def _found(text: str, lists: Phrases) -> Iterator[str]:
    words = read(text).words
    for one in lists.find(words):
        if one.label != "rules":
            yield " ".join(word.shown for word in words[one.start : one.end])

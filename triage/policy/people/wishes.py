"""Finds whom a mail asks for and whom it wants to avoid, and what sort of matter it is, for the teams of triage.yaml.

A wish stands directly before or behind the name: `please ask Jana`, `anybody but Marek`. Here a first or last name is enough where
one person alone bears it; the words around it say that a colleague is meant.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from triage.domain.tickets import Person
from triage.policy.people.names import KnownNames, NameFound
from triage.policy.text.sentences import Word, folded, read

ASK_BEFORE: Final = folded("people.ask_before")
ASK_AFTER: Final = folded("people.ask_after")
TO_ME: Final = folded("people.to_me")
AVOID_BEFORE: Final = folded("people.avoid_before")
AVOID_AFTER: Final = folded("people.avoid_after")
INFRASTRUCTURE: Final = folded("people.infrastructure")
REACH: Final = 5
"""Most words of a wish."""
ENOUGH: Final = 2
"""Words of infrastructure that a text needs; in the subject one is enough."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """Ids of people whom the mail asks for, and of those whom it wants to avoid."""

    asked: frozenset[str] = frozenset()
    avoided: frozenset[str] = frozenset()


def wishes_in(text: str, people: Sequence[Person], author: str = "") -> Wishes:
    """Find the wishes of the author's own text; who is both asked for and avoided is only avoided.

    `author` is the id of the author, who may ask for himself: `please assign it to me`. Empty: it is none of these people.
    """
    words = read(text).words
    wishes = wishes_among(words, KnownNames.of(tuple(people)).in_words(words))
    if author and any(not set(_before(words, at)) & AVOID_BEFORE for at in _to_me(words)):
        return Wishes(wishes.asked | {author} - wishes.avoided, wishes.avoided)
    return wishes


def wishes_among(words: Sequence[Word], names: Iterable[NameFound]) -> Wishes:
    """Find the wishes that stand beside names in a text."""
    asked, avoided = set(), set()
    for name in names:
        before, after = set(_before(words, name.start)), set(_after(words, name.end))
        if before & AVOID_BEFORE or after & AVOID_AFTER:
            avoided.add(name.person)
        elif before & ASK_BEFORE or after & ASK_AFTER:
            asked.add(name.person)
    return Wishes(asked=frozenset(asked - avoided), avoided=frozenset(avoided))


def _to_me(words: Sequence[Word]) -> Iterator[int]:
    """Yield where the author asks for the ticket."""
    for at, first in enumerate(words):
        run = [word.plain for word in words[at : at + REACH] if word.sentence == first.sentence]
        if any(" ".join(run[:size]) in TO_ME for size in range(1, len(run) + 1)):
            yield at


def matters_in(title: str, text: str, kind: str) -> frozenset[str]:
    """Return `support` for a request for help, `infrastructure` for a matter of servers, networks and accounts."""
    found = {"support"} if kind == "support" else set()
    named = {passage: set(_phrases(read(passage).words)) & INFRASTRUCTURE for passage in (title, text)}
    if named[title] or len(named[text]) >= ENOUGH:
        found.add("infrastructure")
    return frozenset(found)


def _before(words: Sequence[Word], start: int) -> Iterator[str]:
    """Yield the runs of words that end before the name, within its sentence."""
    run: list[str] = []
    for word in reversed(words[max(0, start - REACH) : start]):
        if word.sentence != words[start].sentence:
            return
        run.insert(0, word.plain)
        yield " ".join(run)


def _after(words: Sequence[Word], end: int) -> Iterator[str]:
    """Yield the runs of words that begin behind the name, within its sentence."""
    run: list[str] = []
    for word in words[end : end + REACH]:
        if word.sentence != words[end - 1].sentence:
            return
        run.append(word.plain)
        yield " ".join(run)


def _phrases(words: Sequence[Word]) -> Iterator[str]:
    for at, word in enumerate(words):
        yield word.plain
        if at + 1 < len(words):
            yield f"{word.plain} {words[at + 1].plain}"

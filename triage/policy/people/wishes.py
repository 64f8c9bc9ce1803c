"""Finds whom a mail asks for and whom it wants to avoid, and what sort of matter it is, for the teams of triage.yaml.

A wish stands directly before or behind the name: `please ask Jana`, `anybody but Marek`. Here a first or last name is enough where
one person alone bears it; the words around it say that a colleague is meant.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from triage.domain.tickets import Person
from triage.policy.people.mentions import parts_of
from triage.policy.text.sentences import Word, folded, read

ASK_BEFORE: Final = folded("people.ask_before")
ASK_AFTER: Final = folded("people.ask_after")
TO_ME: Final = folded("people.to_me")
AVOID_BEFORE: Final = folded("people.avoid_before")
AVOID_AFTER: Final = folded("people.avoid_after")
INFRASTRUCTURE: Final = folded("people.infrastructure")
REACH: Final = 5
"""Most words of a wish."""
SHORTEST: Final = 3
"""Letters of a name that stands alone."""
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
    bearers = _bearers(people)
    asked, avoided = set(), set()
    for start, end, person in _names(words, bearers):
        before, after = set(_before(words, start)), set(_after(words, end))
        if before & AVOID_BEFORE or after & AVOID_AFTER:
            avoided.add(person)
        elif before & ASK_BEFORE or after & ASK_AFTER:
            asked.add(person)
    if author and any(not set(_before(words, at)) & AVOID_BEFORE for at in _to_me(words)):
        asked.add(author)
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


def _bearers(people: Sequence[Person]) -> dict[tuple[str, ...], str]:
    """Return folded name → person id: whole names, and single parts, that one person alone bears."""
    names = [(parts_of(person.name), person.id) for person in people]
    known = [
        (form, person)
        for name, person in names
        for form in {name, *((part,) for part in name if len(part) >= SHORTEST)}
    ]
    often = Counter(form for form, _ in known if form)
    return {form: person for form, person in known if often[form] == 1}


def _names(words: Sequence[Word], bearers: dict[tuple[str, ...], str]) -> Iterator[tuple[int, int, str]]:
    """Yield beginning, end and person of each name in the text; a whole name before its parts."""
    longest = max(map(len, bearers), default=0)
    at = 0
    while at < len(words):
        for size in range(longest, 0, -1):
            person = bearers.get(tuple(word.plain for word in words[at : at + size]))
            if person is not None and len(words) - at >= size:
                yield at, at + size, person
                at += size - 1
                break
        at += 1


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

"""Finds where a text names one of some people: by the whole name, or by a part of it that nobody else bears.

Cases and spellings are read: `s Janou Novákovou`, `Mueller` for Müller, `Dvořák, Marek`.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from triage.domain.tickets import Person
from triage.policy.text.sentences import Word, folded, pieces, plain

TITLES: Final = folded("people.titles")
TITLES_BEHIND: Final = folded("people.titles_after")
ENDINGS: Final = folded("names.endings")
KEPT: Final = 8
"""Sets of people whose names are kept, one per project."""
SHORTEST: Final = 3
"""Letters of a stem, and of a part of a name that stands alone."""
_NAME: Final = re.compile(r"\w+(?:['\u2019]\w+)*")
_LONGEST_ENDING: Final = max(map(len, ENDINGS))
_LONGEST_TITLE: Final = max(len(pieces(title)) for title in TITLES_BEHIND)
_FINAL_VOWEL: Final = re.compile("[aeiouy\u0430\u0435\u0438\u0456\u043e\u0443\u044b\u044e\u044f\u044c]$")
"""Of Latin and Cyrillic names, folded."""
_FLEETING: Final = re.compile(r"[eo](?=[klc]$)")
"""A vowel that other cases lack: `Marek`, `Marka`."""
_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "ß": "ss"})
_WRITTEN_OUT: Final = re.compile(r"(?<=[aou])e")
_IN_ONE_WORD: Final = re.compile("[\u1100-\u11ff]{6,}")
"""A Korean name, folded: two syllables or more."""

Form = tuple[str, ...]
"""Words of a name, folded; each letter of a script without blanks is one."""


@dataclass(frozen=True, slots=True)
class NameFound:
    """One place where a text names a person."""

    person: str
    """The person's id."""
    start: int
    """The name's first word."""
    end: int
    """The word behind the name."""
    whole: bool
    """It is the first and the last name, not one of them."""
    titled: bool
    """A title or an initial stands beside it."""
    capital: bool
    """Neither its first nor its last word begins with a small letter."""


def form_of(name: str) -> Form:
    return tuple(piece for part in _NAME.findall(name) for piece in pieces(plain(part)))


def _bearers(people: Iterable[Person]) -> Mapping[tuple[Form, bool], set[str]]:
    """Return who bears each form of a name, and whether the form is a whole name."""
    found: defaultdict[tuple[Form, bool], set[str]] = defaultdict(set)
    for person in people:
        for form, whole in _forms(person.name):
            found[form, whole].add(person.id)
    return found


@dataclass(frozen=True, slots=True)
class KnownNames:
    """Names that one person alone bears."""

    forms: Mapping[str, Sequence[tuple[Form, str, bool]]]
    """First word → all words, the person's id, whether the name is whole; the longest first."""
    stems: Mapping[str, frozenset[str]]
    """Beginning of a word in other cases → words of names."""
    initials: Mapping[str, str]
    """Person's id → first letter of the first name."""

    @staticmethod
    @lru_cache(maxsize=KEPT)
    def of(people: tuple[Person, ...]) -> "KnownNames":
        """Collect whole names in their orders and spellings, and their parts; most mails know the same people."""
        bearers = _bearers(people)
        forms: defaultdict[str, list[tuple[Form, str, bool]]] = defaultdict(list)
        for (form, whole), ids in sorted(bearers.items(), key=lambda item: -len(item[0][0])):
            if len(ids) == 1:
                forms[form[0]].append((form, min(ids), whole))
        stems: defaultdict[str, set[str]] = defaultdict(set)
        for word in {word for form, _ in bearers for word in form}:
            for stem in _stems(word):
                stems[stem].add(word)
        return KnownNames(
            forms=forms,
            stems={stem: frozenset(words) for stem, words in stems.items()},
            initials={person.id: plain(person.name)[:1] for person in people},
        )

    def in_words(self, words: Sequence[Word]) -> Iterator[NameFound]:
        """Yield the names in their order; at each place the longest wins."""
        meant = [self._meant(word) for word in words]
        at = 0
        while at < len(words):
            found = self._at(at, words, meant) if meant[at] else None
            if found is not None:
                yield found
            at = found.end if found is not None else at + 1

    def _at(self, at: int, words: Sequence[Word], meant: Sequence[frozenset[str]]) -> NameFound | None:
        forms = [form for word in meant[at] for form in self.forms.get(word, ())]
        for form, person, whole in sorted(forms, key=lambda form: -len(form[0])):
            end = at + len(form)
            if end <= len(words) and all(word in of for word, of in zip(form, meant[at:end], strict=True)):
                capital = not any(words[edge].shown[:1].islower() for edge in (at, end - 1))
                return NameFound(person, at, end, whole, self._titled(person, words[:at], words[end:]), capital)
        return None

    def _titled(self, person: str, before: Sequence[Word], behind: Sequence[Word]) -> bool:
        last = before[-1].plain if before else ""
        following = "".join(word.plain for word in behind[:_LONGEST_TITLE])
        return (
            last in TITLES
            or (last == self.initials[person] and before[-1].shown.isupper())
            or following.startswith(tuple(TITLES_BEHIND))
        )

    def _meant(self, word: Word) -> frozenset[str]:
        """Return the words of names that a word is, in whatever case."""
        bare = word.plain.partition("'")[0]
        meant = {each for each in (word.plain, bare) if each in self.stems.get(each, ())}
        if not word.shown[:1].islower():
            for cut in range(1, min(_LONGEST_ENDING, len(bare) - SHORTEST) + 1):
                if bare[-cut:] in ENDINGS:
                    meant |= self.stems.get(bare[:-cut], frozenset())
        return frozenset(meant)


def _forms(name: str) -> Iterator[tuple[Form, bool]]:
    """Yield each way to write a name, with whether it is whole."""
    for spelling in dict.fromkeys((name, name.lower().translate(_UMLAUTS), _WRITTEN_OUT.sub("", name.lower()))):
        parts = [tuple(pieces(plain(part))) for part in _NAME.findall(spelling)]
        for ordered in {tuple(parts), (*parts[1:], *parts[:1]), (*parts[-1:], *parts[:-1]), (*parts[:1], *parts[-1:])}:
            form = tuple(piece for part in ordered for piece in part)
            if len(form) > 1 or _IN_ONE_WORD.fullmatch("".join(form)):
                yield form, True
        for part in parts:
            if len("".join(part)) >= SHORTEST or len(part) > 1:
                yield part, False


def _stems(word: str) -> Iterator[str]:
    """Yield the word and its beginnings that other cases keep."""
    yield word
    for stem in {_FINAL_VOWEL.sub("", word), _FLEETING.sub("", word)}:
        if len(stem) >= SHORTEST:
            yield stem

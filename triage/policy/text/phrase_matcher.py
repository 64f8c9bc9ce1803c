"""Finds listed phrases in a text, in time linear in the text."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import Final

from triage.policy.text.sentences import ELIDED, STEM, UNSPACED, Word, Words, gathered, pieces, plain, unfolded

BETWEEN: Final = "..."
"""The sign `…` of the word lists, after `plain` has folded it."""
GAP: Final = 4
WIDE_GAP: Final = 12
"""The same in a script without blanks, where each letter counts as a word."""


@dataclass(frozen=True, slots=True)
class PhraseMatch:
    """A phrase of a list that matches words[start:end]."""

    label: str
    start: int
    end: int


Phrase = tuple[str, tuple[str, ...]]
"""A label and the words of one phrase."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """Phrases that begin with the same word, or the same letters of it."""

    second: dict[str, tuple[Phrase, ...]]
    """Those that go on with one certain word, by that word."""
    other: tuple[Phrase, ...]
    """Those of one word, and those that go on with `…` or a word that ends in `*`."""

    @classmethod
    def together(cls, those: Sequence["Beginning"], labels: Sequence[str]) -> "Beginning":
        """Return the phrases of all of these, by the order of their labels; the only one itself."""
        if len(those) == 1:
            return those[0]
        every = chain.from_iterable((*chain.from_iterable(one.second.values()), *one.other) for one in those)
        return cls.of(sorted(every, key=lambda phrase: labels.index(phrase[0])))

    @classmethod
    def of(cls, phrases: Iterable[Phrase]) -> "Beginning":
        """Sort phrases by their second word."""
        second: dict[str, list[Phrase]] = {}
        other = []
        for one in phrases:
            word = one[1][1] if one[1][1:] else BETWEEN
            if word == BETWEEN or word[-1] == "*":
                other.append(one)
            else:
                second.setdefault(word, []).append(one)
        return cls({word: tuple(those) for word, those in second.items()}, tuple(other))

    def among(self, places: Sequence[int], following: Sequence[str]) -> Sequence[int]:
        """Return the places before a word that one of the phrases may go on with."""
        return places if self.other else [at for at in places if following[at] in self.second]

    def before(self, word: str) -> tuple[Phrase, ...]:
        """Return the phrases that may go on with a word."""
        return self.second.get(word, ()) + self.other


@dataclass(frozen=True, slots=True)
class Phrases:
    """Searchable lists of phrases. `kritisch*` takes every ending, `*` any word, `works … again` up to four words.

    None begins at a number that is a part of something longer: the `500` of `INV-500` is no status code.
    """

    light: frozenset[str] | None = None
    """The words that `…` may stand for; None allows any word."""
    accents: bool = False
    """Accents matter: `würde` is not `wurde`."""
    by_word: dict[str, Beginning] = field(default_factory=dict)
    """Phrases by their first word."""
    by_stem: dict[str, Beginning] = field(default_factory=dict)
    """Phrases whose first word ends in `*`, by the first `STEM` letters."""

    def find(self, words: Sequence[Word]) -> Iterator[PhraseMatch]:
        """Yield matches from left to right, the longest at each place; matches do not overlap."""
        words = words if isinstance(words, Words) else Words(words)
        words = words.accented if self.accents else words
        behind = 0
        for at in self._begins(words):
            if at >= behind and not words[at].part and (found := self._longest(words, at, self._candidates(words, at))):
                behind = found.end
                yield found

    def _begins(self, words: Words) -> Iterable[int]:
        """Return where phrases may begin, from left to right: where the first word stands, and the second behind it."""
        begun = [(self.by_word[word], word) for word in self.by_word.keys() & words.places.keys()]
        for stem in self.by_stem.keys() & words.stems.keys():
            begun += [(self.by_stem[stem], word) for word in words.stems[stem]]
        places: set[int] = set()
        for beginning, word in begun:
            places.update(beginning.among(words.places[word], words.following))
        return sorted(places)

    def _candidates(self, words: Words, at: int) -> tuple[Phrase, ...]:
        """Return the phrases that begin like the words here."""
        first, second = words[at].plain, words.following[at]
        certain, open_ended = self.by_word.get(first), self.by_stem.get(first[:STEM])
        candidates = certain.before(second) if certain else ()
        return candidates + open_ended.before(second) if open_ended else candidates

    def _longest(self, words: Sequence[Word], at: int, candidates: tuple[Phrase, ...]) -> PhraseMatch | None:
        best: PhraseMatch | None = None
        first = words[at].plain
        for label, phrase in candidates:
            if _fits(first, phrase[0]):
                end = self._end(words, at, phrase)
                if end and (best is None or end > best.end):
                    best = PhraseMatch(label, at, end)
        return best

    def _end(self, words: Sequence[Word], at: int, phrase: tuple[str, ...]) -> int:
        """Return where a phrase ends that begins here, 0 if it does not match; a match stays within one clause."""
        clause, place, skips = words[at].clause, at + 1, 0
        gap = WIDE_GAP if UNSPACED.match(phrase[0]) else GAP
        for wanted in phrase[1:]:
            if wanted == BETWEEN:
                skips = gap
                continue
            while place < len(words) and words[place].clause == clause and not _fits(words[place].plain, wanted):
                if not skips or (self.light is not None and words[place].plain not in self.light):
                    return 0
                place, skips = place + 1, skips - 1
            if place == len(words) or words[place].clause != clause:
                return 0
            place, skips = place + 1, 0
        return place


def _fits(word: str, wanted: str) -> bool:
    return word.startswith(wanted[:-1]) if wanted[-1] == "*" else word == wanted


def phrases(light: frozenset[str] | None = None, *, accents: bool = False, **lists: Iterable[str]) -> Phrases:
    """Build searchable lists from entries as `triage/words/` holds them, by label."""
    by_word: dict[str, list[Phrase]] = {}
    by_stem: dict[str, list[Phrase]] = {}
    for label, entries in lists.items():
        for entry in entries:
            spelt = _spelt(entry, accents=accents)
            if spelt[0].endswith("*"):
                by_stem.setdefault(spelt[0][:STEM], []).append((label, spelt))
            else:
                by_word.setdefault(spelt[0], []).append((label, spelt))
    return Phrases(light, accents, _frozen(by_word), _frozen(by_stem))


def together(
    parts: Sequence[Phrases], labels: Sequence[str], light: frozenset[str] | None = None, *, accents: bool = False
) -> Phrases:
    """Return lists that were built apart, such as those of several languages, as one, phrases by the order of their labels.

    What begins with a word of one part alone is that part's own: the languages of mails have countless combinations.
    """
    by_word = gathered(chain.from_iterable(part.by_word.items() for part in parts))
    by_stem = gathered(chain.from_iterable(part.by_stem.items() for part in parts))
    return Phrases(light, accents, _joined(by_word, labels), _joined(by_stem, labels))


def _joined(found: Mapping[str, Sequence[Beginning]], labels: Sequence[str]) -> dict[str, Beginning]:
    return {start: Beginning.together(those, labels) for start, those in found.items()}


@lru_cache(maxsize=1 << 16)
def _spelt(entry: str, *, accents: bool) -> tuple[str, ...]:
    """Return the words of an entry; each combination of languages asks for the same ones again."""
    fold = unfolded if accents else plain
    return tuple(
        piece for word in fold(entry.replace("…", BETWEEN)).split() for part in _parts(word) for piece in pieces(part)
    )


def _frozen(found: dict[str, list[Phrase]]) -> dict[str, Beginning]:
    return {start: Beginning.of(those) for start, those in found.items()}


def _parts(word: str) -> tuple[str, ...]:
    head, quote, tail = word.partition("'")
    return (head, tail) if quote and head in ELIDED else (word,)

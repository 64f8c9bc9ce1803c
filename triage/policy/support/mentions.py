"""Finds what customers say, by word lists in the languages of the support hub, without what they take back."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from triage.config.word_lists import word_lists
from triage.policy.cues.assertion import Reading
from triage.policy.cues.language import Language, language_of, words_listed
from triage.policy.text.phrase_matcher import PhraseMatch
from triage.policy.text.sentences import read

_LISTS: Final = word_lists()
SPOKEN: Final = tuple(sorted(code for code, lists in _LISTS.by_language.items() if "support.person" in lists))
"""The languages that have the lists."""
REACH: Final = 6
"""Most words between a negation and what it takes back."""
EXCEPTIONS: Final = "exceptions"
"""Ends the label of what only sounds like a finding."""
CACHED: Final = 16


@dataclass(frozen=True, slots=True)
class Mention:
    """What a list has found."""

    label: str
    """The list's name without its section."""
    words: str
    """As the text has them."""


@lru_cache(maxsize=CACHED)
def reading_of(subject: str, text: str) -> Reading:
    """Read subject and text in the language that they are in; in all languages where their words do not tell."""
    passage = read(f"{subject}.\n\n{text}" if subject.strip() else text)
    found = language_of(passage.words)
    codes = found.codes if set(found.leading) & set(SPOKEN) else SPOKEN
    return Reading(passage, Language(codes=codes, leading=found.leading))


def everywhere(reading: Reading) -> Reading:
    """Return the reading with the lists of all languages, for phrases that mean the same wherever they stand."""
    return Reading(reading.passage, Language(codes=SPOKEN, leading=reading.language.leading))


def mentioned(reading: Reading, *names: str) -> Iterator[Mention]:
    """Yield what the text speaks of, taken back or not."""
    for found in reading.lists(*names).find(reading.words):
        if not found.label.endswith(EXCEPTIONS):
            yield Mention(found.label, reading.shown(found))


def asserted(reading: Reading, *names: str, light: bool = False) -> Iterator[Mention]:
    """Yield what the text says is so: neither denied, quoted, supposed nor long past."""
    for found in reading.asserted(reading.lists(*names, light=light)):
        if not found.label.endswith(EXCEPTIONS):
            yield Mention(found.label, reading.shown(found))


def timeless(reading: Reading) -> Reading:
    """Return the reading in which a month tells nothing: what was charged in May is still charged."""
    return _Timeless(reading.passage, reading.language)


class _Timeless(Reading):
    """A reading without marks of times long past."""

    @cached_property
    def marks(self) -> tuple[PhraseMatch, ...]:
        return tuple(mark for mark in Reading(self.passage, self.language).marks if mark.label != "long_ago")


def wished(reading: Reading, *names: str) -> Iterator[Mention]:
    """Yield what the text asks for: neither quoted nor with a `not` before it. A question may have one: `can't I …?`."""
    found = tuple(everywhere(reading).lists(*names).find(reading.words))
    taken = frozenset(at for one in found for at in range(one.start, one.end))
    for one in found:
        quoted = any(word.quoted for word in reading.words[one.start : one.end])
        if not one.label.endswith(EXCEPTIONS) and not quoted and not _refused(reading, one, taken):
            yield Mention(one.label, reading.shown(one))


def _refused(reading: Reading, found: PhraseMatch, taken: frozenset[int]) -> bool:
    """Tell whether a negation stands before the phrase in its clause."""
    words, codes = reading.words, reading.language.codes
    negations, joins = words_listed(codes, "negation.words"), _joins(codes)
    if words[found.start].sentence in reading.passage.asked:
        return False
    for at in range(found.start - 1, max(-1, found.start - 1 - REACH), -1):
        if words[at].clause != words[found.start].clause or words[at].shown.casefold() in joins:
            return False
        if words[at].plain in negations and at not in taken:
            return True
    return False


@lru_cache(maxsize=256)
def _joins(codes: tuple[str, ...]) -> frozenset[str]:
    """Return the joining words with their accents: Portuguese `e` (and), not `é` (is)."""
    return frozenset(word.casefold() for code in codes for word in _LISTS.of(code, "support.joins"))

"""Tells which languages a text is in, by the words that nearly every text of a language has, and what the lists can read."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from triage.config.word_lists import word_lists
from triage.policy.classifiers.meaning import LANGUAGES, SIZE, meanings_of
from triage.policy.text.phrase_matcher import Phrases, phrases, together
from triage.policy.text.sentences import Word, folded, plain, read

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LISTS: Final = word_lists()
LIGHT: Final = folded("sentence.fillers")
NEEDED: Final = ("priority.highest", "type.bug")
"""The lists without which a language is not read."""
READ: Final = frozenset(code for code, lists in _LISTS.by_language.items() if all(name in lists for name in NEEDED))
ALWAYS: Final = frozenset(code for code, lists in _LISTS.by_language.items() if "detection.common" not in lists)
"""Languages that cannot be recognised; their lists hold for every text."""


def _codes_of() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for code, lists in _LISTS.by_language.items():
        for word in lists.get("detection.common", ()):
            found.setdefault(plain(word), set()).add(code)
    return {word: frozenset(codes) for word, codes in found.items()}


CODES_OF: Final = _codes_of()
"""Common word → the languages that have it."""
NAMES: Final = _LISTS.names
"""Code of a language → its name in English; a code without lists has none."""
LINGUA_FRANCA: Final = "en"
"""Mails in every language have English words in them: `server down`."""
NEAR: Final = 0.5
"""A language with this part of the leading one's common words may be the text's language, too."""
SURE: Final = 2
"""Common words from which a text is in a language that is not read."""
TELLING: Final = 6
"""Words from which a text without any common word is in a language that nobody listed."""
STRANGE: Final = frozenset("\u00e5\u00e6\u00f8\u0103\u0219\u021b\u01a1\u01b0\u0151\u0171\u0159\u016f\u011b") | {
    chr(code) for code in range(0x3B1, 0x3CA)
}
"""Letters that languages have which the encoder lacks, and no language that it knows: Nordic, Romanian, Vietnamese, Hungarian, Czech, Greek."""
ENCODED: Final = 8
"""Texts that are asked about several times in turn."""
MEANINGS: Final = 3_072
"""Meanings that are kept, of 2 KB each: those of passages, tickets and components."""
CACHED: Final = 1 << 10
"""Lists in the languages of a text that are kept, about 12 kB each; a hundred mails in five languages ask for 300."""


@dataclass(frozen=True, slots=True)
class Language:
    """The languages whose lists apply to a text."""

    codes: tuple[str, ...]
    read: bool = True
    """Whether we know enough of the text's language to find nothing in it."""
    known: bool = True
    """Whether the language was recognised at all."""
    leading: tuple[str, ...] = ()
    """The languages with the most common words; empty where no word tells."""


def language_of(words: Iterable[Word]) -> Language:
    """Return the languages that a text may be in: all that are read where its words do not tell."""
    every = [word.plain for word in words]
    hits = _hits(every)
    if not hits:
        total = sum(not word.isdecimal() for word in every)
        return Language(tuple(sorted(READ | ALWAYS)), known=total < TELLING)
    most = max(hits.values())
    found = {code for code, count in hits.items() if count >= most * NEAR}
    leading = {code for code, count in hits.items() if count == most}
    read = not leading.isdisjoint(READ) or most < SURE
    return Language(tuple(sorted(found | ALWAYS | {LINGUA_FRANCA})), read=read, leading=tuple(sorted(leading)))


@lru_cache(maxsize=ENCODED)
def is_encoded(text: str) -> bool:
    """Tell whether the encoder of `policy/classifiers/meaning.py` has learnt a text's language; where words hardly tell it, letters do."""
    hits = _hits(word.plain for word in read(text).words)
    most = max(hits.values(), default=0)
    leading = {code for code, count in hits.items() if count == most}
    if most >= SURE and LANGUAGES.isdisjoint(leading):
        return False
    return (most >= SURE and leading <= LANGUAGES) or STRANGE.isdisjoint(text.lower())


@lru_cache(maxsize=MEANINGS)
def known_meaning(text: str) -> "NDArray[Any]":
    """Return the numbers of a text that is compared again and again; zeros, near nothing, in a language that the encoder lacks."""
    if is_encoded(text):
        return meanings_of([text])[0]
    from numpy import zeros  # noqa: PLC0415 - commands that judge no text start without it

    return zeros(SIZE)


def _hits(words: Iterable[str]) -> Counter[str]:
    """Return language → how many of the words are common in it."""
    return Counter(chain.from_iterable(CODES_OF.get(word, ()) for word in words))


@lru_cache(maxsize=CACHED)
def listed(languages: tuple[str, ...], *names: str, light: bool = False, accents: bool = False) -> Phrases:
    """Return the lists of these names (`impact.loss` gets the label `loss`); `light`: `…` stands for fillers only."""
    fillers, labels = LIGHT if light else None, tuple(name.rpartition(".")[2] for name in names)
    parts = [_of_language(code, names, labels, accents=accents) for code in languages]
    return together(parts, labels, fillers, accents=accents)


@cache
def _of_language(code: str, names: tuple[str, ...], labels: tuple[str, ...], *, accents: bool) -> Phrases:
    lists = {label: _LISTS.of(code, name) for label, name in zip(labels, names, strict=True)}
    return phrases(None, accents=accents, **lists)


@lru_cache(maxsize=256)
def words_listed(languages: tuple[str, ...], name: str) -> frozenset[str]:
    return frozenset(plain(word) for code in languages for word in _LISTS.of(code, name))

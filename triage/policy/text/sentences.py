"""Cuts text into words, clauses and sentences, in time linear in the text."""

import re
import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from triage.config.word_lists import word_lists

CHUNK: Final = re.compile(r"\S+")
WORD: Final = re.compile(r"\w+(?:['\u2019]\w+)*")
CLAUSE_ENDS: Final = frozenset(",;:()[]{}|\u2013\u2014•*")
SENTENCE_ENDS: Final = frozenset(".!?…¿¡")
BREAKS: Final = CLAUSE_ENDS | SENTENCE_ENDS
LONGEST_WORD: Final = 80
"""Longer runs are base64, minified code or an attack, not speech."""
WRAPPED: Final = 45
"""A line shorter than this was ended by its writer, not by a mail program's wrapping."""
MOST_WORDS: Final = 2_500
"""Five pages; more is no letter."""
CACHED: Final = 16
"""Texts: what asks about a mail asks the same words, one question after the other."""


def plain(text: str) -> str:
    """Folded for comparison: `Gelöst` and `gelost` are the same word, and an apostrophe is one sign."""
    if text.isascii():
        return text.lower()
    letters = unicodedata.normalize("NFKD", text.casefold().replace("\u2019", "'"))
    return "".join(c for c in letters if not unicodedata.combining(c))


def folded(name: str) -> frozenset[str]:
    """The entries of a word list, folded."""
    return frozenset(map(plain, word_lists()[name]))


CONTRASTS: Final = folded("sentence.contrasts")
"""Words that begin a clause."""
RATED: Final = folded("sentence.rated")
"""Their colon parts nothing: `Priority: high`."""
ELIDED: Final = folded("sentence.elided")
"""French drops a vowel before the next one: `n'est` is two words, unlike `isn't`."""


class Word(NamedTuple):
    """One word, and which clause and sentence it stands in."""

    shown: str
    """As it stands in the text."""
    plain: str
    """Folded: lower case, no accents, straight apostrophes."""
    clause: int
    sentence: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A text as words."""

    words: tuple[Word, ...] = ()
    asked: frozenset[int] = frozenset()
    """The sentences that end in a question mark."""


@dataclass(slots=True)
class _Reader:
    """Counts clauses and sentences while words go by."""

    words: list[Word] = field(default_factory=list)
    asked: set[int] = field(default_factory=set)
    clause: int = 0
    sentence: int = 0

    def mark(self, between: str, *, inside: bool) -> None:
        """Punctuation between two words; a full stop inside `error.log` ends no sentence."""
        if "?" in between:
            self.asked.add(self.sentence)
        if not inside and not SENTENCE_ENDS.isdisjoint(between):
            self.stop()
        elif between == ":" and self.words and self.words[-1].plain in RATED:
            return
        elif not BREAKS.isdisjoint(between) or (between == "-" and not inside):
            self.clause += 1

    def stop(self) -> None:
        """A sentence ends here."""
        self.sentence += 1
        self.clause += 1

    def take(self, shown: str) -> None:
        """One more word; French elisions are two."""
        folded = plain(shown)
        head, quote, tail = folded.partition("'")
        if quote and head in ELIDED:
            self.words.append(Word(shown[: len(head)], head, self.clause, self.sentence))
            shown, folded = shown[len(head) + 1 :], tail
        if folded in CONTRASTS:
            self.clause += 1
        self.words.append(Word(shown, folded, self.clause, self.sentence))

    def chunk(self, chunk: str) -> None:
        """What stands between two blanks: addresses and links are passed over, for they say nothing."""
        at = 0
        if "://" not in chunk and "@" not in chunk and not chunk.startswith("www.") and len(chunk) <= LONGEST_WORD:
            for match in WORD.finditer(chunk):
                self.mark(chunk[at : match.start()], inside=at > 0)
                self.take(match.group())
                at = match.end()
            self.mark(chunk[at:], inside=False)
        else:
            self.mark(chunk[-1], inside=False)


@lru_cache(maxsize=CACHED)
def read(text: str) -> Passage:
    """The words of a text, in order."""
    reader = _Reader()
    before = ""
    for line in text.splitlines():
        bare = line.strip()
        if not bare or bare[0] in "-*•#" or (len(before) < WRAPPED and (bare[0].isupper() or bare[0] == "[")):
            reader.stop()
        for match in islice(CHUNK.finditer(bare), max(0, MOST_WORDS - len(reader.words))):
            reader.chunk(match.group())
        before = bare
    return Passage(tuple(reader.words), frozenset(reader.asked))

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
"""Characters; longer runs are base64, minified code or an attack."""
WRAPPED: Final = 45
"""Characters; a shorter line was ended by its author, not wrapped by a mail program."""
MOST_WORDS: Final = 2_500
"""Words of a text that are read, about five pages."""
CACHED: Final = 16
"""Texts that stay in the cache; several modules read the same mail one after the other."""


def plain(text: str) -> str:
    """Fold for comparison: lower case, no accents, `'` for every apostrophe. `Gelöst` becomes `gelost`."""
    if text.isascii():
        return text.lower()
    letters = unicodedata.normalize("NFKD", text.casefold().replace("\u2019", "'"))
    return "".join(c for c in letters if not unicodedata.combining(c))


def folded(name: str) -> frozenset[str]:
    """Return the folded entries of a word list."""
    return frozenset(map(plain, word_lists()[name]))


CONTRASTS: Final = folded("sentence.contrasts")
"""Words that begin a new clause."""
RATED: Final = folded("sentence.rated")
"""A colon behind one of these does not end the clause: `Priority: high`."""
ELIDED: Final = folded("sentence.elided")
"""French words that lose their vowel: `n'est` counts as two words, unlike `isn't`."""


class Word(NamedTuple):
    """A word with the number of its clause and of its sentence."""

    shown: str
    """The word as the text has it."""
    plain: str
    """The word folded by `plain`."""
    clause: int
    sentence: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A text as words."""

    words: tuple[Word, ...] = ()
    asked: frozenset[int] = frozenset()
    """Numbers of the sentences that end in a question mark."""


@dataclass(slots=True)
class _Reader:
    """Collects words and counts clauses and sentences."""

    words: list[Word] = field(default_factory=list)
    asked: set[int] = field(default_factory=set)
    clause: int = 0
    sentence: int = 0

    def mark(self, between: str, *, inside: bool) -> None:
        """Count the punctuation between two words; a full stop inside `error.log` ends no sentence."""
        if "?" in between:
            self.asked.add(self.sentence)
        if not inside and not SENTENCE_ENDS.isdisjoint(between):
            self.stop()
        elif between == ":" and self.words and self.words[-1].plain in RATED:
            return
        elif not BREAKS.isdisjoint(between) or (between == "-" and not inside):
            self.clause += 1

    def stop(self) -> None:
        """Begin a new sentence."""
        self.sentence += 1
        self.clause += 1

    def take(self, shown: str) -> None:
        """Add a word, or two for a French elision."""
        folded = plain(shown)
        head, quote, tail = folded.partition("'")
        if quote and head in ELIDED:
            self.words.append(Word(shown[: len(head)], head, self.clause, self.sentence))
            shown, folded = shown[len(head) + 1 :], tail
        if folded in CONTRASTS:
            self.clause += 1
        self.words.append(Word(shown, folded, self.clause, self.sentence))

    def chunk(self, chunk: str) -> None:
        """Add the words of a run without blanks; skip addresses and links."""
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
    """Return the words of a text in order."""
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

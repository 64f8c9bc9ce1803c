"""Cuts text into words, clauses and sentences, in time linear in the text."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Final, NamedTuple, TypeVar

from triage.config.word_lists import word_lists

CHUNK: Final = re.compile(r"\S+")
WORD: Final = re.compile(r"\w+(?:['\u2019]\w+)*")
CLAUSE_ENDS: Final = frozenset(",;:()[]{}|\u2013\u2014•*\u3001\uff0c\uff1b\uff1a\uff08\uff09")
SENTENCE_ENDS: Final = frozenset(".!?…¿¡\u3002\uff01\uff1f")
BREAKS: Final = CLAUSE_ENDS | SENTENCE_ENDS
UNSPACED: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3040-\u30ff\u3400-\u9fff]")
"""A letter of a script without blanks between words; each counts as a word."""
_PIECE: Final = re.compile(f"{UNSPACED.pattern}|[^{UNSPACED.pattern[1:]}+")
_SHOWN_MARKS: Final = re.compile(r"(?<!\S)\?{2,}(?=\s+[a-z])")
"""Question marks that a screen shows instead of letters end no sentence: `shows ??? instead of a name`."""
ASKING: Final = "\u304b"
"""Ends a Japanese question."""
QUOTES: Final = {
    '"': '"', "`": "`", "'": "'", "\u201c": "\u201d", "\u201e": '\u201c\u201d"', "\u2018": "\u2019'", "\u201a": "\u2018\u2019'",
    "\u00ab": "\u00bb", "\u00bb": "\u00ab", "\u2039": "\u203a", "\u300c": "\u300d", "\u300e": "\u300f", "\u201d": "\u201d",
}  # fmt: skip
"""Opening quotation marks, and the marks that close what each opens."""
APOSTROPHES: Final = "'\u2019\u2018"
LONGEST_QUOTE: Final = 40
"""Words; a longer run between two marks is no quotation."""
STEM: Final = 3
"""Letters by which the words of a text are found that begin alike."""
_JOINED: Final = re.compile(r"(?:[#$\u20ac\u00a3\u00a7+]|\w[-\u2010\u2011.,]|(?<!\d)/)$")
"""Signs that make a number behind them a part of something longer: `INV-500`, `1,500`, `#500`, `/rooms/500`."""
_UNIT: Final = re.compile(r"[%\u20ac$\u00a3\u00b0]|[.,]\d")
"""Signs behind a number that make it an amount: `500%`, `500.00`."""
VOICED: Final = "\u3099\u309a"
"""The marks that make `か` a `が`, and `は` a `ば` or `ぱ`."""
_KANA: Final = re.compile(rf".[{VOICED}]")
LONGEST_WORD: Final = 80
"""Characters; longer runs are base64, minified code or an attack."""
WRAPPED: Final = 45
"""Characters; a shorter line was ended by its author, not wrapped by a mail program."""
MOST_WORDS: Final = 2_500
"""Words of a text that are read, about five pages."""
CACHED: Final = 64
"""Texts that stay in the cache; several modules read the same mail one after the other."""


def plain(text: str) -> str:
    """Fold for comparison: lower case, no accents, `'` for every apostrophe. `Gelöst` becomes `gelost`.

    The marks of kana are no accents: `ですが` (but) is not `ですか` (a question).
    """
    if text.isascii():
        return text.lower()
    kept = "".join(c for c in _letters(text) if c in VOICED or not unicodedata.combining(c))
    return _KANA.sub(lambda kana: unicodedata.normalize("NFC", kana[0]), kept)


def unvoiced(text: str) -> str:
    """Fold as `plain` does, without the marks of kana: so the shipped models were trained and the indexes were built."""
    return text.lower() if text.isascii() else "".join(c for c in _letters(text) if not unicodedata.combining(c))


def _letters(text: str) -> str:
    return unicodedata.normalize("NFKD", text.casefold().replace("\u2019", "'"))


def unfolded(text: str) -> str:
    """Return a word in lower case with its accents."""
    return text.casefold().replace("\u2019", "'")


def folded(name: str) -> frozenset[str]:
    return frozenset(map(plain, word_lists()[name]))


CONTRASTS: Final = frozenset(map(str.casefold, word_lists()["sentence.contrasts"]))
"""Words that begin a new clause, with their accents: Portuguese `mas`, not Spanish `más`."""
RATED: Final = folded("sentence.rated")
"""A colon behind one of these does not end the clause: `Priority: high`."""
ELIDED: Final = folded("sentence.elided")
"""French words that lose their vowel: `n'est` counts as two words, unlike `isn't`."""


_Item = TypeVar("_Item")


class Word(NamedTuple):
    """A word with the number of its clause and of its sentence."""

    shown: str
    """The word as the text has it."""
    plain: str
    """The word folded by `plain`."""
    clause: int
    sentence: int
    quoted: bool = False
    """It stands in quotation marks."""
    part: bool = False
    """A number that is a part of an identifier or an amount, and means nothing by itself."""


class Words(tuple[Word, ...]):  # noqa: SLOT001 - it keeps what it has computed
    """Words in their order, which remember where each of them stands: a text is searched for many lists."""

    @cached_property
    def places(self) -> Mapping[str, Sequence[int]]:
        """Folded word → its places in the text, in order."""
        return gathered((word.plain, at) for at, word in enumerate(self))

    @cached_property
    def stems(self) -> Mapping[str, Sequence[str]]:
        """First letters → the folded words that begin with them."""
        return gathered((word[:STEM], word) for word in self.places)

    @cached_property
    def following(self) -> Sequence[str]:
        """For each word the folded word that follows it; empty for the last."""
        return [*(word.plain for word in self[1:]), ""]

    @cached_property
    def accented(self) -> "Words":
        """The words in lower case with their accents, not folded; the object itself if no word has accents."""
        if all(word.shown.isascii() for word in self):
            return self
        return Words(word._replace(plain=unfolded(word.shown)) for word in self)


def gathered(pairs: Iterable[tuple[str, _Item]]) -> Mapping[str, Sequence[_Item]]:
    """Return the items of each name, in their order."""
    gathered: defaultdict[str, list[_Item]] = defaultdict(list)
    for name, item in pairs:
        gathered[name].append(item)
    return gathered


def shown(words: Sequence[Word]) -> str:
    """Return the words as a text, without blanks where the script has none."""
    text = ""
    for word in words:
        joined = text and UNSPACED.match(text[-1]) and UNSPACED.match(word.shown)
        text += word.shown if joined or not text else f" {word.shown}"
    return text


def pieces(word: str) -> list[str]:
    """Split a word that has letters of a script without blanks: each of them counts as a word."""
    return [word] if word.isascii() or not UNSPACED.search(word) else _PIECE.findall(word)


def _has_words(chunk: str) -> bool:
    """Tell whether a run without blanks is read; addresses, links and data are not."""
    address = "://" in chunk or "@" in chunk or chunk.startswith("www.")
    return not address and (len(chunk) <= LONGEST_WORD or UNSPACED.search(chunk[:MOST_WORDS]) is not None)


def longer_than(text: str, most: int) -> bool:
    """Tell whether a text has more words than `most`, a few hundred, without reading more of it than these."""
    counts = accumulate(_count(match.group()) for match in CHUNK.finditer(text))
    return any(words > most for words in counts)


def _count(chunk: str) -> int:
    """Count the words of a run without blanks; a word of a script without blanks has two letters or so."""
    if _is_word(chunk):
        return 1
    found = WORD.finditer(chunk[:MOST_WORDS]) if _has_words(chunk) else ()
    return sum((len(pieces(match.group())) + 1) // 2 for match in found)


def _is_word(chunk: str) -> bool:
    """Tell whether a run is plainly one word without any mark, as most are."""
    return len(chunk) <= LONGEST_WORD and chunk.isascii() and chunk.isalpha()


@dataclass(frozen=True, slots=True)
class TokenizedText:
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
    opened: str = ""
    """The marks that would close the open quotation; empty: none is open."""
    opened_at: int = 0

    def mark(self, between: str, *, inside: bool, last: bool = False) -> None:
        """Count the punctuation between two words; a full stop inside `error.log` ends no sentence."""
        if "?" in between or "\uff1f" in between:
            self.asked.add(self.sentence)
        for sign in between:
            self.quote(sign, opens=not last and not (inside and sign in APOSTROPHES))
        if not inside and not SENTENCE_ENDS.isdisjoint(between):
            self.stop()
        elif between == ":" and self.words and self.words[-1].plain in RATED:
            return
        elif not BREAKS.isdisjoint(between) or (between == "-" and not inside):
            self.clause += 1

    def quote(self, sign: str, *, opens: bool) -> None:
        """Close the open quotation, or open one where this may be; behind a word it may not."""
        if sign in self.opened:
            if len(self.words) - self.opened_at <= LONGEST_QUOTE:
                self.words[self.opened_at :] = [word._replace(quoted=True) for word in self.words[self.opened_at :]]
            self.opened = ""
        elif opens and sign in QUOTES and not self.opened:
            self.opened, self.opened_at = QUOTES[sign], len(self.words)

    def stop(self) -> None:
        """Begin a new sentence."""
        if self.words and self.words[-1].shown == ASKING:
            self.asked.add(self.words[-1].sentence)
        self.sentence += 1
        self.clause += 1

    def take(self, shown: str) -> None:
        """Add a word, or two for a French elision."""
        folded = plain(shown)
        head, quote, tail = folded.partition("'")
        if quote and head in ELIDED:
            self.words.append(Word(shown[: len(head)], head, self.clause, self.sentence))
            shown, folded = shown[len(head) + 1 :], tail
        self.add(shown, folded)

    def add(self, shown: str, folded: str) -> None:
        if shown.casefold() in CONTRASTS:
            self.clause += 1
        self.words.append(Word(shown, folded, self.clause, self.sentence))

    def chunk(self, chunk: str) -> None:
        """Add the words of a run without blanks; skip addresses and links."""
        if _is_word(chunk):
            self.clause += (folded := chunk.lower()) in CONTRASTS
            self.words.append(Word(chunk, folded, self.clause, self.sentence))
            return
        at = 0
        unspaced = UNSPACED.search(chunk[:MOST_WORDS])
        if _has_words(chunk):
            for match in WORD.finditer(chunk[:MOST_WORDS]):
                self.mark(chunk[at : match.start()], inside=at > 0 and not unspaced)
                for piece in pieces(match.group()):
                    self.take(piece)
                if match.group().isdecimal() and _is_part(chunk[: match.start()], chunk[match.end() :]):
                    self.words[-1] = self.words[-1]._replace(part=True)
                at = match.end()
            self.mark(chunk[at:], inside=False, last=at > 0)
        else:
            self.mark(chunk[-1], inside=False)


def _is_part(before: str, behind: str) -> bool:
    """Tell whether a number between these, without a blank, is a part of an identifier or an amount."""
    return bool(_JOINED.search(before[-2:]) or _UNIT.match(behind[:2]))


def begins_line(line: str, above: str) -> bool:
    """Tell whether the author began a line anew, where a mail program would have gone on in the line above."""
    rows = line[:1].isdigit() and above[:1].isdigit()
    return len(above) < WRAPPED and (rows or line[:1].isupper() or not line[:1].isalnum())


@lru_cache(maxsize=CACHED)
def read(text: str) -> TokenizedText:
    reader = _Reader()
    before = ""
    for line in text.splitlines():
        bare = line.strip()
        if not bare:
            reader.opened = ""
        if not bare or bare[0] in "-*•#" or begins_line(bare, before):
            reader.stop()
        cleaned = _SHOWN_MARKS.sub("", bare) if "??" in bare else bare
        room = max(0, MOST_WORDS - len(reader.words))
        for chunk in cleaned.split(None, room)[:room]:
            reader.chunk(chunk)
        before = bare
    reader.stop()
    return TokenizedText(Words(reader.words), frozenset(reader.asked))

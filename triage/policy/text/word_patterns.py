"""Finds entries of word lists in a text without changing its length, and splits text into sentences as written."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby
from typing import Final

from triage.config.word_lists import word_lists
from triage.domain.text.lazy_pattern import lazy_pattern

MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
CACHED: Final = 256
"""Texts that stay in the cache: draft, sections and summary of a ticket split the same lines."""
LONGEST_OPENER: Final = 12
"""Characters behind a full stop that tell whether a sentence begins."""
_CLOSING: Final = ")\"'\u201d\u00bb"
_END: Final = re.compile(rf"(?<=[.!?…])[{_CLOSING}]*(?=\s)|(?<=[\u3002\uff01\uff1f])")
ENDED: Final = re.compile(r"[.!?\u2026\u3002\uff01\uff1f][)\"'\u201d\u00bb]*$")
ASKS: Final = re.compile(r"[?\uff1f]")
SHOWN_MARKS: Final = re.compile(r"(?<!\S)\?{2,}$")
"""Question marks that a screen shows instead of letters: `shows ??? instead of a name`."""
_WORD: Final = re.compile(r"\w+")
_ENTRY_WORD: Final = re.compile(r"\w+\*?")
_WHOLE: Final = r"(?!\w)"
"""Ends a word."""

UNDECOMPOSED: Final = (
    *(("\u2019", "'"), ("\u2018", "'"), ("\xa0", " "), ("\u3000", " ")),
    *(("ł", "l"), ("Ł", "l"), ("ø", "o")),
)
"""Signs whose plain letter Unicode does not know, or not as we read it."""


def _bases() -> dict[int, str]:
    """Return a translation of letters with signs to bare letters, one for one, so that places stay the same."""
    import unicodedata  # noqa: PLC0415 - used once

    table = {ord(sign): letter for sign, letter in UNDECOMPOSED}
    for code in (*range(0xC0, 0x250), *range(0x1E00, 0x1F00), *range(0xFF01, 0xFF5F)):
        base = unicodedata.normalize("NFKD", chr(code))[0]
        if base != chr(code) and base.isascii():
            table.setdefault(code, base)
    return table


_BASES: Final = _bases()


def levelled(text: str) -> str:
    """Fold case, accents and wide forms one for one: every character keeps its place."""
    if text.isascii():
        return text.lower()
    low = text.translate(_BASES)
    folded = low.lower()
    return folded if len(folded) == len(low) else "".join(c.lower()[:1] for c in low)


@cache
def one_of(*names: str, language: str = "") -> str:
    """Return a regular expression for any entry of these lists, of all languages or of one; it matches levelled text."""
    lists = word_lists()
    entries = {entry for name in names for entry in (lists.of(language, name) if language else lists[name])}
    return any_of(entries)


@cache
def _abbreviation() -> re.Pattern[str]:
    """Find at the end of a text what has a full stop that ends no sentence: a short number, a letter or two, a listed word."""
    number, letters = r"(?<![\d.,])\d{1,2}(?:\.\d{1,2})?", r"[^\W\d_]|[^\W\d_]\.[^\W\d_]"
    words = word_lists().alternatives("sentence.abbreviations")
    return re.compile(rf"(?:{number}|(?<![^\W_])(?:{letters}|{words}))\.$", re.IGNORECASE)


def any_of(entries: Iterable[str]) -> str:
    """Return a regular expression for any of these words; a final `*` takes every ending. Nothing matches no words."""
    forms = sorted(
        {levelled(entry).replace("\u00df", sharp) for entry in entries for sharp in ("ss", "\u00df")},
        key=lambda entry: (-len(entry), entry),
    )
    spaced = [entry for entry in forms if _is_spaced(entry[0])]
    others = [_ended(entry) for entry in forms if not _is_spaced(entry[0])]
    bound = [rf"(?<!\w)(?:{_by_first_letter(spaced)})"] if spaced else []
    return f"(?:{'|'.join([*bound, *others])})" if forms else r"(?!)"


def _by_first_letter(forms: Iterable[str]) -> str:
    """Return the alternatives in groups of one first letter: `re` tries one after the other, and there are hundreds."""
    groups: dict[str, list[str]] = {}
    for entry in forms:
        groups.setdefault(entry[0], []).append(_ended(entry)[1:])
    return "|".join(f"{first}(?:{_together(rests)})" for first, rests in groups.items())


def _together(endings: Sequence[str]) -> str:
    """Return the alternatives, in their order; that their words end is said once behind neighbours, since each time takes as long to compile as a word."""
    runs = ((whole, [one.removesuffix(whole) for one in run]) for whole, run in groupby(endings, _whole))
    return "|".join(f"(?:{'|'.join(run)}){whole}" if whole else "|".join(run) for whole, run in runs)


def _whole(ending: str) -> str:
    return _WHOLE if ending.endswith(_WHOLE) else ""


@dataclass(frozen=True, slots=True)
class NeededWords:
    """The words that a text must have to hold an entry of some lists: far quicker to look for than the entries themselves."""

    alone: frozenset[str]
    """Of entries of one word."""
    together: tuple[frozenset[str], ...]
    """Of each entry of several words; no words where an entry may be a part of one."""

    def may_be_in(self, words: frozenset[str]) -> bool:
        """Tell whether a levelled text of these `words_of` may hold an entry."""
        return not self.alone.isdisjoint(words) or any(needed <= words for needed in self.together)


@cache
def needed_words(*names: str, language: str = "") -> NeededWords:
    """Return what `one_of` the same lists needs."""
    lists = word_lists()
    entries = {entry for name in names for entry in (lists.of(language, name) if language else lists[name])}
    spelt = {levelled(entry).replace("\u00df", sharp) for entry in entries for sharp in ("ss", "\u00df")}
    needed = {frozenset(word for word in _ENTRY_WORD.findall(entry) if _is_whole(word)) for entry in spelt}
    return NeededWords(
        alone=frozenset(word for words in needed if len(words) == 1 for word in words),
        together=tuple(words for words in needed if len(words) != 1),
    )


def words_of(low: str) -> frozenset[str]:
    """Return the different words of a levelled text."""
    return frozenset(_WORD.findall(low))


def _is_whole(word: str) -> bool:
    """Tell whether a word of an entry stands in texts as it is: no `*` behind it, and blanks around it."""
    return word[-1] != "*" and all(map(_is_spaced, word.replace("_", "")))


@cache
def words_in(*names: str) -> re.Pattern[str]:
    """Return the compiled form of `one_of`."""
    return lazy_pattern(lambda: one_of(*names))


def _ended(entry: str) -> str:
    """Match to the end of a word; scripts without blanks between words have no bounds."""
    stem = entry.removesuffix("*")
    written = re.escape(stem).replace(r"\ ", r"\s+")
    return written + (r"\w*" if stem != entry else _WHOLE if _is_spaced(stem[-1:]) else "")


def _is_spaced(letter: str) -> bool:
    return letter.isalnum() and letter < "\u2e80"


def sentences_of(text: str) -> list[str]:
    """Split running text at the ends of sentences; `30. November` and `z. B.` end none."""
    return [text[start:end] for start, end in sentence_spans(text)]


def ended(sentence: str) -> str:
    """Return a sentence with a full stop, unless it has an end of its own."""
    return sentence if ENDED.search(sentence) else f"{sentence.rstrip(' ,;:-')}."


def sentences_by_line(text: str) -> list[str]:
    """Return the sentences of a text whose lines each end what stands in them."""
    return [one for line in text.splitlines() for one in sentences_of(line)]


@lru_cache(maxsize=CACHED)
def _continues(sentence: str, follows: str, *, small: bool) -> bool:
    """Tell whether a mark ends no sentence; `small`: sentences of this text may begin with a small letter."""
    ended = sentence.rstrip()
    if follows[:1].islower() and SHOWN_MARKS.search(ended):
        return True
    if follows[:1].islower() and not small and ended != ended.rstrip(_CLOSING):
        return True  # what is quoted ends, and its sentence goes on: `the new "Sort by..." menu`
    if not ended.endswith(".") or not follows:
        return False
    return (follows[0].islower() and not small) or _goes_on(sentence, follows)


def sentence_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return where sentences begin and end; where the first one begins with a small letter, so may the others."""
    found, start = [], 0
    small = text.lstrip()[:1].islower()
    for end in (*(match.end() for match in _END.finditer(text)), len(text)):
        sentence = text[start:end]
        follows = text[end : end + LONGEST_OPENER].strip()
        if _continues(sentence, follows, small=small):
            continue
        if sentence.strip():
            found.append((start + len(sentence) - len(sentence.lstrip()), start + len(sentence.rstrip())))
        start = end
    return tuple(found)


def _goes_on(sentence: str, follows: str) -> bool:
    """Tell whether a full stop ends an abbreviation; behind a number it ends the sentence, but not in `im 3. Stock`."""
    short = _abbreviation().search(sentence[-12:])
    if short is None:
        return False
    number, low = short[0].rstrip("."), levelled(follows)
    if not number.isdigit() or words_in(*(f"date.{name}" for name in MONTHS)).match(low):
        return True
    before = sentence.rstrip()[: -len(number) - 1].split()
    ordinal = not before or words_in("sentence.before_ordinals").fullmatch(levelled(before[-1]))
    return bool(ordinal) and not words_in("search.stop_words").match(low)

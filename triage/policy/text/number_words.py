"""Reads numbers that are written in letters or in other scripts' digits, and lengths of time, so that they are compared as numbers."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import product
from typing import Final

from triage.config.word_lists import word_lists
from triage.policy.cues.language import LINGUA_FRANCA, language_of
from triage.policy.text.sentences import read
from triage.policy.text.word_patterns import any_of, levelled

TEN: Final = 10
TWENTY: Final = 20
HUNDRED: Final = 100
THOUSAND: Final = 1_000
KANJI: Final = {sign: value for value, sign in enumerate("一二三四五六七八九", 1)} | {"十": 10, "百": 100, "千": 1_000}
COUNTED: Final = "日週周天年月個个か箇ヶカヵ時时小分円元名人回泊歳%"
"""What stands behind a number in Chinese characters: `三十日`; elsewhere they are parts of words."""
_KANJI: Final = re.compile(rf"[{''.join(KANJI)}]+(?=[{COUNTED}])")
_OTHER_DIGIT: Final = re.compile(r"(?![0-9])\d")
_THOUSANDS: Final = re.compile(r"(?<![\d.,])(\d{1,3})(?:[.,' \u202f\u00a0](\d{3}))+(?![\d.,]?\d)")
_SEPARATOR: Final = re.compile(r"\D")
CACHED: Final = 2_048

UNITS: Final[Mapping[str, tuple[str, int]]] = {
    "number.hours": ("in hours", 1),
    "date.days": ("in hours", 24),
    "date.weeks": ("in hours", 168),
    "number.months": ("in months", 1),
    "number.years": ("in months", 12),
}
"""List of words → what they are counted in, and how many of these one of them is."""


@lru_cache(maxsize=CACHED)
def languages_in(text: str) -> tuple[str, ...]:
    """Return the languages whose words for numbers hold for a text: English where its words do not tell, for `once` is eleven in Spanish alone."""
    return language_of(read(text).words).leading or (LINGUA_FRANCA,)


@lru_cache(maxsize=CACHED)
def in_digits(text: str, languages: tuple[str, ...] = ()) -> str:
    """Return the text with its numbers in ASCII digits: `two`, `٢` and `二` (before a counted thing) are `2`, `1,000` is `1000`.

    Without `languages` they are those of the text; a sentence has those of the text that it stands in.
    """
    ascii_digits = _OTHER_DIGIT.sub(lambda digit: str(int(digit[0])), text)
    plain = _THOUSANDS.sub(lambda number: _SEPARATOR.sub("", number[0]), ascii_digits)
    plain = _KANJI.sub(lambda number: str(_of_signs(number[0])), plain)
    values, numbers, word = _numbers(languages or languages_in(text))
    if numbers is None or word is None:
        return plain
    parts, end = [], 0
    for found in numbers.finditer(levelled(plain)):
        parts += [plain[end : found.start()], _value([values[one] for one in word.findall(found[0])])]
        end = found.end()
    return "".join((*parts, plain[end:]))


def duration_of(unit: str) -> tuple[str, int] | None:
    """Return what a word for a length of time is counted in, and how many of these: `weeks` → `("in hours", 168)`; None for other words."""
    return _units().get(levelled(unit))


def number_words(languages: tuple[str, ...]) -> frozenset[str]:
    """Return the words of these languages, levelled."""
    return frozenset(_numbers(languages)[0])


@cache
def _units() -> Mapping[str, tuple[str, int]]:
    lists = word_lists()
    return {levelled(entry): found for name, found in UNITS.items() for entry in lists[name] if " " not in entry}


@cache
def _numbers(languages: tuple[str, ...]) -> tuple[Mapping[str, int], re.Pattern[str] | None, re.Pattern[str] | None]:
    """Return the words of these languages with their values, and the expressions for one number and for one word of it."""
    values: dict[str, int] = {}
    for language in languages:
        values |= _of_language(language)
    if not values:
        return values, None, None
    lists = word_lists()
    joins = [f" {levelled(one)} " for language in languages for one in lists.of(language, "number.joins")]
    ones = {levelled(one): 1 for language in languages for one in lists.of(language, "number.ones")}
    times = any_of({entry for language in languages for name in UNITS for entry in lists.of(language, name)})
    one, join = _either(values), _either((" ", "-", *joins))
    number = rf"{one}(?:{join}{one})*(?!\w)|{_either(ones)}(?=[ -]{times})"
    return values | ones, re.compile(rf"(?<!\w)(?:{number})"), re.compile(rf"(?<!\w){_either(values | ones)}(?!\w)")


def _either(words: Iterable[str]) -> str:
    """Return the expression for any of the words, the longest first."""
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    return f"(?:{'|'.join(map(re.escape, longest_first))})" if longest_first else r"(?!)"


def _of_language(language: str) -> Mapping[str, int]:
    """Return its words with their values, those that are made of two words included: `twenty one`, `einundzwanzig`, `ventuno`."""
    lists = word_lists()
    pairs = (entry.split(" = ") for entry in lists.of(language, "number.words"))
    values = {levelled(word): int(value) for words, value in pairs for word in words.split("/")}
    ones = tuple(map(levelled, lists.of(language, "number.ones")))
    units = {word: value for word, value in values.items() if value < TEN} | dict.fromkeys(ones, 1)
    tens = {word: value for word, value in values.items() if TWENTY <= value < HUNDRED and value % TEN == 0}
    joins = [levelled(one) for one in lists.of(language, "number.joins")]
    glued = {f"{one} {big}": value for one in ones for big, value in values.items() if value >= HUNDRED}
    for (ten, above), (unit, below) in product(tens.items(), units.items()):
        apart = (f"{ten}{sign}{unit}" for sign in ("", " ", "-", *(f" {join} " for join in joins)))
        compounds = (*apart, f"{ten[:-1]}{unit}", *(f"{unit}{join}{ten}" for join in joins))
        glued |= dict.fromkeys(compounds, above + below)
    return glued | values


def _value(words: Sequence[int]) -> str:
    """Return the number that values in a row make; what does not add up to one stays several: `two three` is `2 3`."""
    numbers: list[int] = []
    thousands, rest = 0, 0
    for value in words:
        if value == THOUSAND:
            thousands, rest = thousands + max(rest, 1) * THOUSAND, 0
        elif value == HUNDRED and rest < TEN:
            rest = max(rest, 1) * HUNDRED
        elif _goes_on(value, rest):
            rest += value
        else:
            numbers.append(thousands + rest)
            thousands, rest = 0, value
    return " ".join(map(str, (*numbers, thousands + rest)))


def _goes_on(value: int, rest: int) -> bool:
    """Tell whether a number goes on from the one before: `hundred twenty`, `twenty one`, but not `twelve two`."""
    return (rest % HUNDRED == 0 and value < HUNDRED) or (value < TEN and rest % TEN == 0 and rest % HUNDRED >= TWENTY)


def _of_signs(signs: str) -> int:
    """Return the value of a number in Chinese characters: `三十五` is 35."""
    whole, digit = 0, 0
    for sign in signs:
        value = KANJI[sign]
        if value < TEN:
            digit = digit * 10 + value
        else:
            whole, digit = whole + max(digit, 1) * value, 0
    return whole + digit

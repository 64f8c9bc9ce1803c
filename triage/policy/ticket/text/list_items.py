"""Tells which lines are items of a list."""

import re
from functools import cache
from typing import Final

from triage.domain.mail import RichLine
from triage.policy.text.word_patterns import MONTHS, levelled, one_of

INDENT: Final = 4
RULED: Final = re.compile(r"\s*[-=_*~]{3,}\s*$")
"""A line across the text."""
ITEM: Final = re.compile(
    r"(?P<indent>\s*)(?P<sign>[-*+\u2022\u2013\u00b7]|(?P<number>\d{1,2})[.)]|(?P<letter>[a-z]\)))(?:\s+(?=\S)|(?<=\d\))(?=[^\W\d]))"
)


def is_item(line: RichLine) -> bool:
    """Tell whether a line begins as an item does, and is no date: `30. November`."""
    return bool(ITEM.match(line.text)) and not (RULED.match(line.text) or _day().match(levelled(line.text)))


def begins_list(line: RichLine) -> bool:
    """Tell whether a list begins in the midst of running text: `1.` begins one, `12.` is the end of a wrapped sentence."""
    return is_item(line) and number_of(line) in {"", "0", "1"}


def number_of(line: RichLine) -> str:
    """Return the number of an item; empty for other signs."""
    found = ITEM.match(line.text)
    return (found and found["number"]) or ""


def letter_of(line: RichLine) -> str:
    """Return the letter of an item with a blank behind it, which others may point to: `a) `; empty for other signs."""
    found = ITEM.match(line.text)
    return f"{found['letter']} " if found and found["letter"] else ""


def item_of(line: RichLine) -> tuple[int, RichLine]:
    """Return an item's depth and its text without the sign."""
    found = ITEM.match(line.text)
    if found is None:
        return 0, line
    return len(found["indent"].expandtabs(INDENT)) // 2, line.part(found.end(), len(line.text))


@cache
def _day() -> re.Pattern[str]:
    return re.compile(rf"\s*\d{{1,2}}\.\s*{one_of(*(f'date.{name}' for name in MONTHS))}\b")

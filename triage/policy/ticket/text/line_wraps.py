"""Joins the lines that a mail program wrapped, and leaves those that their author ended."""

import math
import re
from collections.abc import Sequence
from typing import Final

from triage.domain.mail import RichLine
from triage.policy.text.sentences import WRAPPED, begins_line

FIRST_UNSPACED: Final = "\u2e80"
"""Letters from here on have no blanks between words."""
LINKED: Final = re.compile(r"[A-Z][\w ]{0,30}: https?://")
"""Names a link, `Silence: https://…`; no wrapped line begins so."""
_SPEAKER: Final = re.compile(
    r"\[?(?:\d{1,2}[/.]\d{1,2}[/.]\d{2,4},? )?\d{1,2}:\d\d(?::\d\d)?\]?,? (?:- )?[A-Z][\w .'-]{0,40}: |(?:[A-Z][\w.'-]{1,20} ?){1,3}\s+\[?\d{1,2}:\d\d(?::\d\d)?(?: ?[APap][Mm])?\]?\s*$"
)
"""Names who writes in a chat, and when: `Marco Tesi  10:41 AM`, `[23/11/2026, 07:12:04] Ove: same`."""
NARROW: Final = 60
"""Columns that no mail program wraps at,"""
LEAST_NARROW: Final = 3
"""so that of so many lines, all shorter, each ends where its author ended it."""
SHORT: Final = 0.8
"""Part of a paragraph's widest line: a line that ends before it, although the next word would have fitted, was ended by its author."""


def joined_line(line: RichLine, other: RichLine) -> RichLine:
    """Join two lines, with a blank where the script has blanks."""
    return line.then(other, "" if line.text[-1:] >= FIRST_UNSPACED else " ")


def stripped(line: RichLine) -> RichLine:
    start = len(line.text) - len(line.text.lstrip())
    return line.part(start, len(line.text.rstrip()))


def unwrapped(lines: Sequence[RichLine]) -> tuple[RichLine, ...]:
    """Join lines that a mail program wrapped."""
    paragraphs: list[RichLine] = []
    before = ""
    widest = max(_columns(line.text.strip()) for line in lines)
    listed = widest < NARROW and len(lines) >= LEAST_NARROW
    room = math.inf if listed else SHORT * widest if widest >= WRAPPED else 0
    for line in map(stripped, lines):
        fitted = _columns(before) + 1 + _columns(line.text.partition(" ")[0]) <= room
        if (
            not paragraphs
            or fitted
            or begins_line(line.text, before)
            or LINKED.match(line.text)
            or _SPEAKER.match(line.text)
        ):
            paragraphs.append(line)
        else:
            paragraphs[-1] = joined_line(paragraphs[-1], line)
        before = line.text
    return tuple(line for line in paragraphs if line.text)


def _columns(text: str) -> int:
    """Return the width of a line; letters of scripts without blanks take two columns."""
    return len(text) + sum(letter >= FIRST_UNSPACED for letter in text)

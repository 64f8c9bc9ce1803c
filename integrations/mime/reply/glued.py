"""Breaks lines on which a program left out the end of a line: `Yes, do. On Monday Ada wrote:`, `-- Ada Byron`."""

# ruff: noqa: RUF001 - dashes and colons of every alphabet are the point

import re
from collections.abc import Sequence
from typing import Final

from integrations.mime.reply.attribution import (
    ADDRESS,
    LONGEST,
    QUOTED,
    TIME,
    begins,
    dated,
    is_attribution,
    may_end,
    quote_follows,
    small_words,
)
from integrations.mime.reply.names import NO_NAMES, Names
from integrations.mime.reply.quote_patterns import FORWARDED, LEADS, ORIGINAL, ROLES, WROTE

MOST_LINES: Final = 3
"""Most lines of an attribution that begins behind the author's words."""
_LEAD: Final = re.compile(rf"(?<=[\w\s.!?)…])-{{0,4}}\s?\b(?:{LEADS})\s", re.IGNORECASE)
_SEPARATOR: Final = re.compile(r"[-‐‑–—_]{4,}\s?([^-‐‑–—_=*]{4,45}?)\s?[-‐‑–—_]{4,}")
_SIGNED: Final = re.compile(r"(-- )(\S.*)")
"""The mark above a signature, and the name right behind it."""
_LABEL: Final = re.compile(r"[\s*]*([^\W\d_][^:：]{0,24}?)[\s*]*[:：]")


def parts_of(lines: Sequence[str], at: int, names: Names = NO_NAMES) -> tuple[str, ...]:
    """Return the lines that this line is: itself, the author's words and the sign of history behind them, or mark and signature."""
    line = lines[at]
    if len(line) > LONGEST or QUOTED.match(line):
        return (line,)
    if (signed := _SIGNED.fullmatch(line)) and names.begin(signed[2]):
        return signed[1], signed[2]
    return _at_separator(line) or _at_attribution(lines, at) or (line,)


def _at_separator(line: str) -> tuple[str, ...]:
    """Break a line around `-------- Original message --------`, which telephones put before the header without a line end."""
    for found in _SEPARATOR.finditer(line):
        above, below = line[: found.start()].rstrip(), line[found.end() :].strip()
        label = _LABEL.match(below)
        is_header = bool(label) and ROLES.get(label[1].lower()) == "from" if label else not below
        if (above or below) and is_header and (ORIGINAL.match(found[1]) or FORWARDED.match(found[1])):
            return tuple(filter(None, (above, found[0], below)))
    return ()


def _at_attribution(lines: Sequence[str], at: int) -> tuple[str, ...]:
    """Break a line before an attribution that begins in it with a capital, a date and an address or a time."""
    line = lines[at]
    for found in _LEAD.finditer(line):
        above, below = line[: found.start()].rstrip(), line[found.start() :].lstrip()
        own = above[-1:] in {".", "!", "?", ")", "…"} or small_words(above) > 0
        if not own or ADDRESS.search(above) or (begins(above) and dated(above)):
            continue
        if below.lstrip("- ")[:1].isupper() and dated(below) and _is_attribution(below, lines, at):
            return above, below
    return ()


def _is_attribution(below: str, lines: Sequence[str], at: int) -> bool:
    """Tell whether an attribution begins with these words of a line and ends there or in the next lines."""
    for end in range(at, min(at + MOST_LINES, len(lines))):
        words = " ".join((below, *(line.strip() for line in lines[at + 1 : end + 1])))
        if may_end(lines, end) and is_attribution(words, quote_follows=quote_follows(lines, end + 1)):
            return bool(WROTE.search(words) and (ADDRESS.search(words) or TIME.search(words)))
    return False

"""Breaks lines on which a program left out the end of a line: `Yes, do. On Monday Ada wrote:`, `-- Ada Byron`."""

# ruff: noqa: RUF001 - dashes and colons of every alphabet are the point

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import Final

from integrations.mime.reply.attribution import (
    ADDRESS,
    LONGEST,
    QUOTED,
    SHORT,
    TIME,
    begins,
    dated,
    is_attribution,
    may_end,
    proven,
    quote_follows,
    small_words,
)
from integrations.mime.reply.names import NO_NAMES, Names
from integrations.mime.reply.quote_patterns import FORWARDED, LEADS, ORIGINAL, ROLES, WROTE

MOST_SEARCHED: Final = 4_000
"""Characters of a line within which a sign is sought; some programs write all of a mail on one line."""
MOST_TRIED: Final = 8
"""Dates behind such words that are tried on one line."""
NEAR: Final = 60
"""Characters in front of a date within which an address belongs to the attribution."""
MOST_LINES: Final = 3
"""Most lines of an attribution that begins behind the author's words."""
_BEGIN: Final = re.compile(
    rf"(?P<lead>(?<=[\w\s.!?)…])-{{0,4}}\s?\b(?:{LEADS})\s)"
    r"|(?<=[^\W\d_]{4}[.!?…)]\s)(?:[^\W\d_]{1,10}[.,،]{0,2}\s)?\W?\d|(?<=\s)(?:[^\W\d_]{1,4}\.|[^\W\d_]{1,10}\.?[,،])\s\W?\d",
    re.IGNORECASE,
)
"""Where an attribution may begin within a line: at `On`, at a day behind a sentence, at a day of the week with a sign behind it.

A short word with a point is cut, as days and months are, and ends no sentence."""
_SEPARATOR: Final = re.compile(r"(?<![-‐‑–—_])[-‐‑–—_]{4,}\s?([^-‐‑–—_=*]{4,45}?)\s?[-‐‑–—_]{4,}")
_SIGNED: Final = re.compile(r"(-- )(\S.*)")
"""The mark above a signature, and the name right behind it."""
LEAST_FIELDS: Final = 3
"""Least fields of a header that stands on one line."""
_LABELLED: Final = re.compile(r"([A-ZÀ-ÖØ-ÞА-Я][^\W\d_A-ZÀ-ÖØ-ÞА-Я]{0,15})\s?[:：]")
"""A label, perhaps right behind the value in front of it: `ada@example.comDate:`."""
_COLON: Final = re.compile(r"\s?[:：]")
"""The end of an attribution; French puts a blank before it."""
_LABEL: Final = re.compile(r"[\s*]*([^\W\d_][^:：]{0,24}?)[\s*]*[:：]")


def parts_of(lines: Sequence[str], at: int, names: Names = NO_NAMES) -> tuple[str, ...]:
    """Return the lines that this line is: itself, the author's words and the sign of history behind them, or mark and signature."""
    line = lines[at]
    if QUOTED.match(line):
        return (line,)
    if (signed := _SIGNED.fullmatch(line)) and names.begin(signed[2]):
        return signed[1], signed[2]
    return _at_labels(line) or _at_separator(line) or _at_attribution(lines, at) or (line,)


def _at_labels(line: str) -> tuple[str, ...]:
    """Break a line that is a whole header into its fields: `From: ada@example.comSent: MondayTo: GraceSubject: The crane`.

    A label right behind a word tells the program's line from one that an author typed.
    """
    label = _LABEL.match(line)
    if not label or ROLES.get(label[1].lower()) != "from" or not ADDRESS.search(line, 0, LONGEST):
        return ()
    starts = {
        role: found.start() for found in _LABELLED.finditer(line, 0, LONGEST) if (role := ROLES.get(found[1].lower()))
    }
    glued = any(not line[start - 1].isspace() for start in starts.values() if start)
    if not glued or len(starts.keys() - {"other"}) < LEAST_FIELDS:
        return ()
    bounds = [0, *sorted(starts.values())[1:], len(line)]
    return tuple(line[start:end].strip() for start, end in pairwise(bounds))


def _at_separator(line: str) -> tuple[str, ...]:
    """Break a line around `-------- Original message --------`, which telephones put before the header without a line end."""
    for found in _SEPARATOR.finditer(line, 0, MOST_SEARCHED):
        above, below = line[: found.start()].rstrip(), line[found.end() :].strip()
        label = _LABEL.match(below)
        is_header = bool(label) and ROLES.get(label[1].lower()) == "from" if label else not below
        if (above or below) and is_header and (ORIGINAL.match(found[1]) or FORWARDED.match(found[1])):
            return tuple(filter(None, (above, found[0], below)))
    return ()


def _at_attribution(lines: Sequence[str], at: int) -> tuple[str, ...]:
    """Break a line around an attribution that begins in it with a capital, a date and an address or a time."""
    line = lines[at]
    for start in islice(_beginnings(line), MOST_TRIED):
        above, below = line[:start].rstrip(), line[start:].lstrip()
        beside = ADDRESS.search(above[-NEAR:])
        own = above[-1:] in {".", "!", "?", ")", "…"} or (small_words(above) > 0 and not beside)
        if not own or (begins(above) and dated(above[:SHORT])):
            continue
        if len(below) <= LONGEST and _is_attribution(below, lines, at):
            return above, below
        if end := _end_within(below[: 2 * SHORT]):
            return above, below[:end], below[end:].lstrip()
    return ()


def _beginnings(line: str) -> Iterator[int]:
    """Yield where attributions may begin behind other words: with a capital if with `On`, else without, in front of a date."""
    for found in _BEGIN.finditer(line, 0, MOST_SEARCHED):
        start, word = found.start(), found[0].lstrip("- ")[:1]
        if found["lead"]:
            fits = word.isupper()
        else:  # the line's own beginning may be a day of the week, too
            fits = not word.isupper() and not begins(line[:start]) and not line[:start].strip().islower()
        if fits and dated(line[start : found.end() + SHORT]):
            yield start


def _end_within(text: str) -> int:
    """Return where an attribution with date and address ends before other words; 0 if there is none."""
    for verb in WROTE.finditer(text):
        colon = _COLON.match(text, verb.end())
        sign = text[: colon.end()] if colon else ""
        if proven(sign) and is_attribution(sign, quote_follows=False):
            return len(sign)
    return 0


def _is_attribution(below: str, lines: Sequence[str], at: int) -> bool:
    """Tell whether an attribution begins with these words of a line and ends there or in the next lines."""
    for end in range(at, min(at + MOST_LINES, len(lines))):
        words = " ".join((below, *(line.strip() for line in lines[at + 1 : end + 1])))
        if may_end(lines, end) and is_attribution(words, quote_follows=quote_follows(lines, end + 1)):
            return proven(words) or bool(WROTE.search(words) and (ADDRESS.search(words) or TIME.search(words)))
    return False

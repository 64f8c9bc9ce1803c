"""Finds what companies and programs append below a letter: legal text, advertising, notices between two rules."""

from typing import Final

from integrations.mime.reply.attribution import COLONS, LONGEST
from integrations.mime.reply.footer.disclaimers import is_appended, is_legal, is_secret
from integrations.mime.reply.lines import EMPTY, BodyLine, Lines
from integrations.mime.reply.quote_patterns import CONTACT, FAREWELL, FOOTER

MOST_FRAMED: Final = 40
"""Most lines of legal text between two rules."""
CLOSED_WITHIN: Final = 3
"""Last lines of a paragraph among which a formula stands: a name and a firm may follow it."""


def is_notice(below: Lines) -> bool:
    """Tell whether each paragraph is what servers append, or a link."""
    return all(FOOTER.search(text) or is_legal(text) or CONTACT.search(text) for text in below.paragraphs())


def appended_at(lines: Lines, *, closed: bool = False) -> int:
    """Find the last paragraphs of an answer that a company or a program appended; `closed`: what a program adds stood below."""
    found = end = len(lines)
    while end:
        start = end
        while start and lines.kinds[start - 1] is BodyLine.TEXT:
            start -= 1
        above = next((text for text in reversed(lines.text[:start]) if text.strip()), "")
        if not 0 < start < end or above.rstrip().endswith(COLONS):
            break
        ended = closed or found < len(lines) or _is_closed(lines[:start].stripped())
        if not is_appended("\n".join(lines.text[start:end]), closed=ended):
            break
        found = end = start
        while end and lines.kinds[end - 1] in EMPTY:
            end -= 1
    return found


def _is_closed(above: Lines) -> bool:
    """Tell whether a letter has ended: with a formula, perhaps a name below it, a device line, or what a company appends."""
    if above.kinds[-1:] == (BodyLine.DEVICE,):
        return True
    *before, last = above.paragraphs() or [""]
    formula = any(FAREWELL.match(line.strip()) for line in last.split("\n")[-CLOSED_WITHIN:])
    return bool(before) and (formula or is_appended(last))


def unframed(lines: Lines) -> Lines:
    """Remove what companies append at the end, legal text in a frame of two rules as a whole."""
    lines = lines[lines.find(*(kind for kind in BodyLine if kind is not BodyLine.BLANK)) :]
    while True:
        bare = lines.stripped()
        at = min(_frame_at(lines), appended_at(bare))
        if at >= len(bare) or not lines[:at].has_text:
            return bare
        lines = lines[:at]


def _frame_at(lines: Lines) -> int:
    """Find the upper of two like rules where all between is legal text, in whatever paragraphs, and all below a notice."""
    lower = max((n for n, kind in enumerate(lines.kinds) if kind is BodyLine.RULE), default=0)
    rule, above = lines.text[lower : lower + 1], range(lower - 1, max(-1, lower - MOST_FRAMED), -1)
    upper = next((n for n in above if lines.text[n : n + 1] == rule), None)
    if upper is None or not is_notice(lines[lower + 1 :]):
        return len(lines)
    return upper if is_legal(" ".join(lines.text[upper + 1 : lower])[:LONGEST]) else len(lines)


def without_appended(card: Lines) -> Lines:
    """Return the lines that no company or program appended, each by itself."""
    kept = [n for n, text in enumerate(card.text) if not (is_appended(text[:LONGEST]) or is_secret(text[:LONGEST]))]
    return Lines(tuple(card.text[n] for n in kept), tuple(card.kinds[n] for n in kept))

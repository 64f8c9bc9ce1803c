"""Finds the newest comment in the notice of a help desk, which asks in its first line for answers above that line."""

import re
from collections.abc import Sequence
from typing import Final

from integrations.mime.reply.attribution import SHORT, TIME, dated, small_words

ASKED: Final = re.compile(r"[\s>*]*##-.{5,200}-##[\s*]*")
"""Zendesk's `##- Please type your reply above this line -##`, in whatever language."""
STAMP_WORDS: Final = 2
"""Most words in small letters beside name, date and time: `22 août 2024 à 13:17`."""
_RULE: Final = re.compile(r"\s*-{3,}\s*")


def newest_comment(lines: Sequence[str]) -> slice | None:
    """Return the lines of the first comment below the lines with its author and time; None for all other mails."""
    first = next((n for n, line in enumerate(lines) if line.strip()), None)
    if first is None or lines[first].lstrip()[:1] == ">" or not ASKED.fullmatch(lines[first]):
        return None
    stamps = [n for n in range(first + 1, len(lines)) if _is_stamp(lines, n)]
    if not stamps:
        return None
    end = _above_stamp(lines, stamps[1]) if stamps[1:] else len(lines)
    return slice(stamps[0] + 1, end)


def _is_stamp(lines: Sequence[str], at: int) -> bool:
    """Tell whether a line has a moment and perhaps a name, and stands above a blank line."""
    line = lines[at].strip()
    alone = at + 1 == len(lines) or not lines[at + 1].strip()
    sentence = line.endswith((".", "?", "!")) or len(line) > SHORT or small_words(line) > STAMP_WORDS
    return alone and not sentence and dated(line) and bool(TIME.search(line))


def _above_stamp(lines: Sequence[str], at: int) -> int:
    """Return the line of the name above a moment that stands alone, or of the rule above both."""
    if lines[at].strip()[-1:] != ":":
        at = next((n for n in range(at - 1, 0, -1) if lines[n].strip()), at)
    above = next((n for n in range(at - 1, 0, -1) if lines[n].strip()), at)
    return above if _RULE.fullmatch(lines[above]) else at

"""Recognises answers that stand within the quoted mail without quote marks beside it."""

# ruff: noqa: RUF001 - signs of every alphabet are the point

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from triage.config.word_lists import word_lists

MOST: Final = 600
"""Characters of a text that points to the answers below it."""
LEAST: Final = 2
"""Questions below which a marked line stands."""
_INLINE: Final = re.compile(word_lists().alternatives("reply.inline_patterns"), re.IGNORECASE)
_MARK: Final = re.compile(r"\s*(\*{2,}|#{2,}|[=-]{1,3}>|→|»|//|\[[^\W\d_]{1,12}\]|[^\W\d_a-zß-öø-ÿ]{2,3}:)\s*[^\W_]")
"""What people put before their answers: `*** 14 mm`, `==> yes`, `[AB] no`, `AB: no`; bullets of a list are none."""
_ASKED: Final = ("?", "？", "?*")


def answers_inside(text: str) -> bool:
    """Tell whether an author says that the answers stand within the quoted mail: `see my comments in red`."""
    return len(text) <= MOST and bool(_INLINE.search(text))


def answers_marked(lines: Sequence[str]) -> bool:
    """Tell whether the same mark begins a line right below several questions."""
    marks: Counter[str] = Counter()
    above = ""
    for line in lines:
        if (found := _MARK.match(line)) and above.endswith(_ASKED):
            marks[found[1]] += 1
        above = line.strip() or above
    return max(marks.values(), default=0) >= LEAST
